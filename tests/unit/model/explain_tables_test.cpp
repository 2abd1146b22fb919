// Every explanation adds up: of every tensor, on every table.
#include "explanations.hpp"
#include "model/attention/mask.hpp"
#include "model/random_layers.hpp"
#include "model/trace.hpp"

namespace model {
namespace {

/// Calls `visit` with every index, or with some where there are many.
template <typename Visit>
void for_indices(const Shape& shape, Numbers& numbers, Visit visit) {
  if (shape.product() > 250) {
    for (int i = 0; i < 60; ++i) visit(numbers.index(shape));
    return;
  }
  Index index = Extents::filled(shape.rank(), 0);
  do {
    visit(index);
  } while (next_index(index, shape));
}

/// Each tensor of the trace, and weighted_values where there are some.
void expect_all_true(const Trace& trace, Numbers& numbers, const std::string& what) {
  const auto number_at = [&](const Cell& cell) { return trace[cell.tensor].at(cell.index); };
  for (const TensorId id : trace.present()) {
    const bool is_view = trace.view_of(id).has_value();
    for_indices(trace[id].shape(), numbers, [&](const Index& index) {
      const std::string where = what + ": " + std::string(name_of(id)) + describe(index);
      const Explanation made = explain(trace, id, index);
      EXPECT_EQ(made.cell.tensor, id);
      EXPECT_EQ(made.cell.index, index);
      test::expect_true(made, number_at, where);
      const bool is_number = !std::isnan(made.cell.value);
      EXPECT_TRUE(made.cell.value == trace[id].at(index) || !is_number) << where;
      EXPECT_EQ(made.rule == Rule::given, !is_view && trace.made_by(id) == nullptr) << where;
      const bool pinned = made.rule == Rule::given_by_hand;
      EXPECT_EQ(made.rule == Rule::same_number, is_view && !pinned) << where;
    });
  }
  if (trace.made_by("weighted_values") == nullptr) return;
  for_indices(trace.lengths.shape_of(axes_of("weighted_values")), numbers, [&](const Index& index) {
    const Explanation made = explain(trace, "weighted_values", index);
    EXPECT_EQ(made.rule, Rule::product);
    const float number =
        trace.at_query("weighted_values", index[2]).at({index[0], index[1], 0, index[3], index[4]});
    EXPECT_TRUE(made.cell.value == number || std::isnan(number));
    test::expect_true(made, number_at, what + ": weighted_values" + describe(index));
  });
  for_indices(trace.lengths.shape_of(axes_of("mean_weights")), numbers, [&](const Index& index) {
    const Explanation made = explain(trace, "mean_weights", index);
    EXPECT_EQ(made.rule, Rule::mean);
    const float number = trace.at_query("mean_weights", index[1]).at({index[0], 0, index[2]});
    EXPECT_TRUE(made.cell.value == number || std::isnan(number));
    test::expect_true(made, number_at, what + ": mean_weights" + describe(index));
  });
}

/// With the gradients of half the squared distance to some target.
Trace with_any_gradients(const Tensors& given, const Options& options, Numbers& numbers) {
  const TensorId tokens =
      given.has("query_input") ? TensorId("query_input") : TensorId("token_embedding");
  return computed_with_gradients(given, options, numbers.tensor(given[tokens].shape()));
}

TEST(ExplainTables, OfEveryAttention) {
  Numbers numbers(1);
  const Tensors inputs = inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 5, 7}),
                                   numbers.tensor({2, 5, 3}), look_ahead_mask(4, 5));
  expect_all_true(computed(joined(inputs, random_weights(numbers, 6, 7, 3, true)), {3, {}, {}}),
                  numbers, "cross");
  expect_all_true(computed(joined(inputs, random_weights(numbers, 6, 7, 3, false)),
                           {1, {Scale::Kind::sqrt_keys, 1.0F}, {}}),
                  numbers, "one head, no bias");
  const Tensor x = numbers.tensor({2, 5, 12});
  expect_all_true(computed(self_inputs(x), {4, {Scale::Kind::none, 1.0F}, {}}), numbers, "bare");
  expect_all_true(
      computed(self_inputs(x, numbers.tensor({2, 4, 5, 5})), {4, {Scale::Kind::number, -2.0F}, {}}),
      numbers, "any mask");
  expect_all_true(computed(self_inputs(x, numbers.tensor({2, 1, 5})), {4, {}, {}}), numbers,
                  "a mask that is repeated");
  const Tensor view = numbers.tensor({5, 2, 6}).transpose(0, 1);
  const Tensor part = view.narrow(1, 1, 2);
  expect_all_true(computed(inputs_of(view, part, part), {2, {}, {}}), numbers, "views");
  const Tensor wide = numbers.tensor({1, 3, 300});
  expect_all_true(
      computed(self_inputs(wide, {}, random_weights(numbers, 300, 300, 300, true)), {6, {}, {}}),
      numbers, "wide");
  Tensors embedded = self_inputs(x, {}, random_weights(numbers, 12, 12, 12, true));
  embedded["query_input"] = {};
  embedded["token_embedding"] = x;
  expect_all_true(computed(embedded, {4, {}, {}}), numbers, "position encoding");
}

TEST(ExplainTables, WithEachProjectionAlone) {
  Numbers numbers(2);
  const Tensors weights = random_weights(numbers, 6, 6, 6, true);
  for (const TensorId id : weights.present()) {
    if (weights[id].rank() != 2) continue;
    Tensors given = self_inputs(numbers.tensor({1, 4, 6}), look_ahead_mask(4, 4));
    given[id] = weights[id];
    expect_all_true(computed(given, {2, {}, {}}), numbers, std::string(name_of(id)));
  }
}

TEST(ExplainTables, UnderEveryMistakeAndOverride) {
  Numbers numbers(10);
  Tensor mask = look_ahead_mask(4, 3);
  for (std::size_t key = 0; key < 3; ++key) mask.set({2, key}, hidden);
  Tensor finite = numbers.tensor({2, 1, 4, 3});
  for (std::size_t query = 0; query < 4; ++query) finite.set({1, 0, query, 2}, hidden);
  for (const std::string_view name : mistake_names) {
    for (const Tensor& any : {Tensor(), mask, finite}) {
      const Tensors given =
          inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 3, 7}), numbers.tensor({2, 3, 5}),
                    any, random_weights(numbers, 6, 7, 5, true));
      const Mistake mistake = *mistake_named(name);
      const Overrides overrides{{{1, 1, 3, {0.5F, 0.25F, 0.2F}}}, {0}, mistake};
      expect_all_true(computed(given, {2, {}, overrides}), numbers, std::string(name));
      const Tensor bare_mask = any.defined() ? any.narrow(any.rank() - 2, 1, 3) : Tensor();
      expect_all_true(
          computed(self_inputs(numbers.tensor({2, 3, 6}), bare_mask), with_mistake(2, mistake)),
          numbers, std::string(name) + ", bare");
      const Tensor view = numbers.tensor({3, 2, 6}).transpose(0, 1);
      expect_all_true(computed(self_inputs(view, bare_mask), with_mistake(2, mistake)), numbers,
                      std::string(name) + ", views");
    }
  }
}

// Four heads, twelve numbers: one head is as wide as there are keys, for the sake of one mistake.
TEST(ExplainTables, OfGroupedQueriesUnderEveryMistake) {
  Numbers numbers(13);
  for (const std::size_t kv_heads : {2U, 1U}) {
    for (const std::string_view name : mistake_names) {
      for (const Tensor& mask : {Tensor(), look_ahead_mask(4, 3)}) {
        const Tensors given = inputs_of(numbers.tensor({2, 4, 12}), numbers.tensor({2, 3, 7}),
                                        numbers.tensor({2, 3, 5}), mask,
                                        random_weights(numbers, 12, 7, 5, true, 3 * kv_heads));
        const Overrides overrides{{{1, 3, 3, {0.5F, 0.25F, 0.2F}}}, {2}, *mistake_named(name)};
        expect_all_true(computed(given, {4, {}, overrides, kv_heads}), numbers,
                        std::string(name) + ", shared by " + std::to_string(4 / kv_heads));
      }
    }
  }
  // Without weights, keys and values are as wide as their heads together.
  expect_all_true(computed(inputs_of(numbers.tensor({2, 4, 12}), numbers.tensor({2, 5, 6}),
                                     numbers.tensor({2, 5, 6})),
                           {4, {}, {}, 2}),
                  numbers, "grouped queries, bare");
}

TEST(ExplainTables, WhereNumbersAreNotFinite) {
  Numbers numbers(11);
  const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::infinity(), hidden};
  for (const std::string_view name : mistake_names) {
    for (const float odd : special) {
      Tensor x = numbers.tensor({1, 3, 6});
      x.set({0, 2, 4}, odd);
      Tensor mask = look_ahead_mask(3, 3);
      mask.set({0, 0}, hidden);
      expect_all_true(computed(self_inputs(x, mask), with_mistake(2, *mistake_named(name))),
                      numbers, std::string(name) + ' ' + std::to_string(odd));
    }
  }
}

TEST(ExplainTables, OfEveryLayer) {
  Numbers numbers(12);
  const std::vector<std::size_t> lengths{5, 2};
  for (const LayerOptions& options : every_option) {
    Model model;
    Layer encoder = random_encoder_layer(numbers, 6, 9);
    encoder.self_overrides.mistake = Mistake::mask_after_softmax;
    Tensors source;
    source["query_input"] = numbers.tensor({2, 5, 6});
    ASSERT_TRUE(add_encoder(source, padding_mask(lengths, 5),
                            {encoder, random_encoder_layer(numbers, 6, 1)}, options, model));
    Layer decoder = random_decoder_layer(numbers, 6, 6, 5);
    decoder.cross_overrides.given_weights = {{1, 0, 2, {0.5F, 0, 0.25F, 0, 0.25F}}};
    Tensors target;
    target["token_embedding"] = numbers.tensor({2, 3, 6});
    ASSERT_TRUE(add_decoder(target, source["query_input"], look_ahead_mask(3, 3),
                            padding_mask(lengths, 5), {decoder}, options, model));
    for (const Trace& trace : compute(model)) expect_all_true(trace, numbers, trace.name);
  }
}

TEST(ExplainTables, OfGradients) {
  Numbers numbers(20);
  const auto expect = [&](const Tensors& given, const Options& options, const std::string& what) {
    const Trace trace = with_any_gradients(given, options, numbers);
    EXPECT_TRUE(trace.has(TensorId("query_input").gradient())) << what;
    expect_all_true(trace, numbers, what);
  };
  const Tensor x = numbers.tensor({2, 5, 12});
  expect(inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 5, 7}), numbers.tensor({2, 5, 3}),
                   look_ahead_mask(4, 5), random_weights(numbers, 6, 7, 3, true)),
         {3, {}, {}}, "cross");
  expect(self_inputs(x), {4, {Scale::Kind::none, 1.0F}, {}}, "bare");
  expect(self_inputs(x, numbers.tensor({2, 1, 5})), {4, {Scale::Kind::number, -2.0F}, {}},
         "a mask that is repeated");
  expect(self_inputs(numbers.tensor({5, 2, 6}).transpose(0, 1)), {2, {}, {}}, "a view");
  expect(self_inputs(numbers.tensor({1, 1, 1})), {1, {}, {}}, "one number");
  Tensors embedded = self_inputs(x, {}, random_weights(numbers, 12, 12, 12, false));
  embedded["query_input"] = {};
  embedded["token_embedding"] = x;
  const Trace trace = with_any_gradients(embedded, {4, {}, {}}, numbers);
  expect_all_true(trace, numbers, "position encoding");
  EXPECT_TRUE(trace.has(TensorId("token_embedding").gradient()));
}

TEST(ExplainTables, OfGradientsUnderEveryMistakeAndOverride) {
  Numbers numbers(21);
  Tensor hides_all = look_ahead_mask(4, 3);
  for (std::size_t key = 0; key < 3; ++key) hides_all.set({2, key}, hidden);
  Tensor finite = numbers.tensor({2, 1, 4, 3});
  for (std::size_t query = 0; query < 4; ++query) finite.set({1, 0, query, 2}, hidden);
  for (const std::string_view name : mistake_names) {
    const Mistake mistake = *mistake_named(name);
    for (const Tensor& mask : {Tensor(), hides_all, finite}) {
      const Tensors given =
          inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 3, 7}), numbers.tensor({2, 3, 5}),
                    mask, random_weights(numbers, 6, 7, 5, true));
      const Overrides overrides{{{1, 1, 3, {0.5F, 0.25F, 0.2F}}}, {0}, mistake};
      expect_all_true(with_any_gradients(given, {2, {}, overrides}, numbers), numbers,
                      "gradients, " + std::string(name));
    }
    const Tensors grouped =
        inputs_of(numbers.tensor({1, 4, 12}), numbers.tensor({1, 3, 2}), numbers.tensor({1, 3, 3}),
                  hides_all, random_weights(numbers, 12, 2, 3, true, 6));
    expect_all_true(with_any_gradients(grouped, {4, {}, {{}, {2}, mistake}, 2}, numbers), numbers,
                    "gradients, grouped queries, " + std::string(name));
  }
}

TEST(ExplainTables, OfGradientsWhereNumbersAreNotFinite) {
  Numbers numbers(22);
  Tensor mask = look_ahead_mask(3, 3);
  mask.set({0, 0}, hidden);
  for (const std::string_view name : mistake_names) {
    for (const float odd : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(), hidden}) {
      Tensor x = numbers.tensor({1, 3, 6});
      x.set({0, 2, 4}, odd);
      expect_all_true(
          with_any_gradients(self_inputs(x, mask), with_mistake(2, *mistake_named(name)), numbers),
          numbers, "gradients, " + std::string(name) + ' ' + std::to_string(odd));
    }
  }
}

TEST(ExplainTables, OfGradientsOfEveryLayer) {
  Numbers numbers(23);
  const std::vector<std::size_t> lengths{5, 2};
  for (const LayerOptions& options : every_option) {
    Model model;
    Tensors source;
    source["query_input"] = numbers.tensor({2, 5, 6});
    ASSERT_TRUE(add_encoder(source, padding_mask(lengths, 5), {random_encoder_layer(numbers, 6, 4)},
                            options, model));
    Tensors target;
    target["token_embedding"] = numbers.tensor({2, 3, 6});
    Layer decoder = random_decoder_layer(numbers, 6, 6, 5);
    decoder.cross_overrides.given_weights = {{1, 0, 2, {0.5F, 0, 0.25F, 0, 0.25F}}};
    ASSERT_TRUE(add_decoder(target, source["query_input"], look_ahead_mask(3, 3),
                            padding_mask(lengths, 5),
                            {decoder, random_decoder_layer(numbers, 6, 6, 2)}, options, model));
    add_squared_distance(model, model.size() - 1, "layer_output", numbers.tensor({2, 3, 6}));
    add_gradients(model, model.size() - 1, "loss");
    for (const Trace& trace : compute(model)) expect_all_true(trace, numbers, trace.name);
  }
}

}  // namespace
}  // namespace model
