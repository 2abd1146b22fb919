// Variants of attention against PyTorch: every tensor and every gradient of every fixture that
// tests/fixtures/make_variants.py wrote. And how they combine.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explanations.hpp"
#include "files/attention/variant_names.hpp"
#include "model/attention/mask.hpp"
#include "model/fixture.hpp"
#include "model/same.hpp"

namespace model {
namespace {

constexpr const char* every_fixture[] = {"rope",
                                         "rope_long",
                                         "rope_cross",
                                         "rope_grouped",
                                         "alibi",
                                         "alibi_six_heads",
                                         "window",
                                         "window_padding",
                                         "softcap",
                                         "softcap_alibi",
                                         "qk_norm",
                                         "qk_norm_weights",
                                         "qk_norm_rope_grouped",
                                         "sink",
                                         "sinks",
                                         "sink_padding",
                                         "all",
                                         "wide_heads",
                                         "narrow_heads",
                                         "wide_heads_grouped",
                                         "rope_dims",
                                         "rope_pairs",
                                         "rope_pairs_dims",
                                         "rope_linear",
                                         "rope_llama3",
                                         "rope_yarn",
                                         "norm_rotated",
                                         "norm_all",
                                         "norm_all_grouped",
                                         "window_both",
                                         "bias_given",
                                         "bias_t5",
                                         "bias_t5_look_back",
                                         "bias_window"};

Variants variants_of(const Fixture& fixture) {
  Variants variants;
  variants.rope_base = std::strtof(fixture.option("rope").c_str(), nullptr);
  variants.alibi = !fixture.option("alibi").empty();
  variants.window = fixture.number("window");
  variants.softcap = std::strtof(fixture.option("softcap").c_str(), nullptr);
  variants.qk_norm = !fixture.option("qk_norm").empty();
  if (!fixture.option("sink").empty())
    variants.sink = std::strtof(fixture.option("sink").c_str(), nullptr);
  variants.window_both_ways = !fixture.option("window_both").empty();
  variants.rope_dims = fixture.number("rope_dims");
  variants.rope_neighbours = !fixture.option("rope_pairs").empty();
  if (const std::string scaling = fixture.option("rope_scaling"); !scaling.empty())
    variants.rope_scaling = *files::rope_scaling_from(scaling);
  if (const std::string place = fixture.option("norm_place"); !place.empty())
    variants.norm_place = *files::norm_place_named(place);
  if (!fixture.option("norm_eps").empty())
    variants.norm_eps = std::strtof(fixture.option("norm_eps").c_str(), nullptr);
  if (const std::string kind = fixture.option("position_bias"); !kind.empty())
    variants.position_bias = *files::position_bias_named(kind);
  if (const std::size_t distance = fixture.number("position_bias_distance"); distance > 0)
    variants.position_bias_distance = distance;
  return variants;
}

Trace trace_of(const Fixture& fixture) {
  const Tensor query = fixture["query"];
  const Tensor key = fixture["key"].defined() ? fixture["key"] : query;
  const Tensor value = fixture["value"].defined() ? fixture["value"] : key;
  Tensors weights = weights_of(fixture, "");
  weights["q_norm_weight"] = fixture["q_norm_weight"];
  weights["k_norm_weight"] = fixture["k_norm_weight"];
  weights["sinks"] = fixture["sinks"];
  weights["position_bias"] = fixture["position_bias"];
  weights["position_bias_table"] = fixture["position_bias_table"];
  const Tensor mask = combine_masks(fixture["attn_mask"], padding_of(fixture["key_padding_mask"]));
  return computed_with_gradients(inputs_of(query, key, value, mask, weights),
                                 {fixture.number("num_heads"),
                                  {},
                                  {},
                                  fixture.number("num_kv_heads"),
                                  variants_of(fixture),
                                  fixture.number("head_dim")},
                                 fixture["target"]);
}

double largest_finite_of(const Tensor& tensor) {
  double largest = 0.0;
  for (const float number : tensor.values()) {
    if (std::isfinite(number)) largest = std::fmax(largest, std::fabs(static_cast<double>(number)));
  }
  return largest;
}

TEST(Variants, EveryTensorAndGradientAsPyTorch) {
  for (const std::string name : every_fixture) {
    const Fixture fixture = read_fixture("variant_" + name);
    const Trace trace = trace_of(fixture);
    std::size_t compared = 0;
    double worst = 0.0;
    for (const TensorId id : trace.present()) {
      const std::string tensor(name_of(id));
      const Tensor theirs = fixture["expected." + tensor];
      ASSERT_TRUE(theirs.defined()) << name << " has no " << tensor;
      double size = largest_finite_of(theirs);
      // A bias of the keys adds nearly the same to all scores of a query, so the parts of its
      // gradient nearly cancel.
      if (id == TensorId("k_proj_bias").gradient())
        size = std::fmax(size, largest_finite_of(trace[TensorId("k").gradient()]));
      if (size == 0.0) size = 1.0;  // a mask that only hides
      const double difference = largest_difference(trace[id], Array(theirs)) / size;
      EXPECT_LE(difference, 1e-5) << name << ": " << tensor;
      worst = std::fmax(worst, difference);
      ++compared;
    }
    const auto expected =
        std::count_if(fixture.tensors.begin(), fixture.tensors.end(),
                      [](const auto& entry) { return entry.first.rfind("expected.", 0) == 0; });
    EXPECT_EQ(compared, static_cast<std::size_t>(expected)) << name;
    std::printf("  %-24s %3zu tensors and gradients, largest difference %.2e\n", name.c_str(),
                compared, worst);
  }
}

TEST(Variants, EveryCellIsExplained) {
  for (const char* name :
       {"rope_grouped", "softcap_alibi", "window_padding", "sinks", "sink_padding", "all",
        "narrow_heads", "wide_heads_grouped", "rope_dims", "rope_pairs_dims", "rope_yarn",
        "norm_rotated", "norm_all_grouped", "bias_t5", "bias_window"}) {
    const Trace trace = trace_of(read_fixture(std::string("variant_") + name));
    const auto number_at = [&](const Cell& cell) { return trace[cell.tensor].at(cell.index); };
    for (const TensorId id : trace.present()) {
      if (trace.made_by(id) == nullptr) continue;
      Index at = Extents::filled(trace[id].rank(), 0);
      do {
        test::expect_true(explain(trace, id, at), number_at,
                          std::string(name) + ": " + std::string(name_of(id)) + describe(at));
      } while (next_index(at, trace[id].shape()) && !::testing::Test::HasFailure());
    }
  }
}

Problem small_problem(std::size_t kv_heads = 0) {
  Numbers numbers(1);
  const std::size_t width = kv_heads == 0 ? 0 : kv_heads * 4;
  return {self_inputs(numbers.tensor({2, 5, 16}), look_ahead_mask(5, 5),
                      random_weights(numbers, 16, 16, 16, true, width)),
          {4, {}, {}, kv_heads}};
}

Trace with(const Variants& variants, Problem problem = small_problem()) {
  problem.options.variants = variants;
  return computed(problem.given, problem.options);
}

std::vector<std::string> names_of(const std::vector<TensorId>& ids) {
  std::vector<std::string> names;
  for (const TensorId id : ids) names.emplace_back(name_of(id));
  return names;
}

TEST(Variants, AddTheirRowsAlone) {
  const Trace plain = with({});
  const auto added = [&](const Variants& variants, std::size_t kv_heads = 0) {
    const Trace plain_one = with({}, small_problem(kv_heads));
    std::vector<TensorId> ids;
    for (const TensorId id : with(variants, small_problem(kv_heads)).present()) {
      if (!plain_one.has(id)) ids.push_back(id);
    }
    return names_of(ids);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(added({}), Names{});
  EXPECT_EQ(added({.rope_base = 10000.0F}), (Names{"q_rotated", "k_rotated"}));
  EXPECT_EQ(added({.alibi = true}), (Names{"alibi_bias", "biased_scores"}));
  EXPECT_EQ(added({.window = 2}), Names{});
  EXPECT_EQ(added({.softcap = 5.0F}), Names{"capped_scores"});
  EXPECT_EQ(added({.qk_norm = true}), (Names{"q_normed", "k_normed"}));
  EXPECT_EQ(added({.sink = 0.0F}), Names{"sinks"});
  const Variants all{10000.0F, true, 2, 5.0F, true, 1.0F};
  const Names all_names = {"q_normed",      "k_normed",   "q_rotated",     "k_rotated",
                           "capped_scores", "alibi_bias", "biased_scores", "sinks"};
  EXPECT_EQ(added(all), all_names);
  EXPECT_EQ(added(all, 2), all_names);
}

TEST(Variants, StandInTheOrderOfComputation) {
  const Variants all{10000.0F, true, 2, 5.0F, true, 1.0F};
  for (const std::size_t kv_heads : {0U, 1U, 2U}) {
    const Trace trace = with(all, small_problem(kv_heads));
    std::vector<TensorId> before;
    for (const Node& row : trace.nodes) {
      for (const TensorId operand : row.operands())
        EXPECT_NE(std::find(before.begin(), before.end(), operand), before.end())
            << name_of(row.id) << " comes before " << name_of(operand);
      before.push_back(row.id);
    }
  }
}

TEST(Variants, ShareKeysBeforeTheyAreRepeated) {
  const Trace trace = with({.rope_base = 10000.0F, .qk_norm = true}, small_problem(2));
  EXPECT_EQ(trace["k_normed"].shape(), (Shape{2, 2, 5, 4}));
  EXPECT_EQ(trace["k_rotated"].shape(), (Shape{2, 2, 5, 4}));
  EXPECT_EQ(trace["q_rotated"].shape(), (Shape{2, 4, 5, 4}));
  EXPECT_EQ(trace.view_of("k_shared"), TensorId("k_rotated"));
  EXPECT_EQ(trace.view_of("k_groups"), TensorId("k"));
}

TEST(Variants, WindowCountsTheQueryItself) {
  const Trace one = with({.window = 1});
  const Trace all = with({.window = 5});
  expect_same_trace(all, with({.window = 100}));
  EXPECT_TRUE(all["output"].has_same_bits(with({})["output"])) << "it is causal anyway";
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_EQ(one["attention_weights"].at({0, 0, i, j}), i == j ? 1.0F : 0.0F);
  }
  const Tensor two = window_mask(4, 3, 2);
  const std::string rows[] = {"0xx", "00x", "x00", "xx0"};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(two.at({i, j}), rows[i][j] == '0' ? 0.0F : hidden) << i << ',' << j;
  }
}

// A query further from every key than the window is wide sees none.
TEST(Variants, WindowMayHideEveryKey) {
  Numbers numbers(3);
  const Trace trace = computed(
      inputs_of(numbers.tensor({1, 6, 4}), numbers.tensor({1, 2, 4}), numbers.tensor({1, 2, 4})),
      {1, {}, {}, 0, {.window = 2}});
  EXPECT_TRUE(trace.fully_masked(0, 0, 3));
  EXPECT_EQ(trace["head_outputs"].at({0, 0, 3, 0}), 0.0F);
  EXPECT_FALSE(trace.fully_masked(0, 0, 2));
}

// A mistake is the same mistake with variants around it.
TEST(Variants, WithMistakes) {
  for (std::size_t i = 1; i < mistake_names.size(); ++i) {
    const auto mistake = static_cast<Mistake>(i);
    for (const std::size_t kv_heads : {0U, 2U}) {
      Problem problem = small_problem(kv_heads);
      if (mistake == Mistake::keys_not_transposed)
        problem.given = self_inputs(Numbers(2).tensor({2, 4, 16}));
      if (mistake == Mistake::keys_not_transposed && kv_heads > 0) continue;
      problem.options.overrides.mistake = mistake;
      problem.options.variants = {10000.0F, true, 3, 2.0F, true};
      const Shape shape = problem.given["query_input"].shape();
      const Trace trace = computed_with_gradients(problem.given, problem.options, Tensor(shape));
      EXPECT_TRUE(trace.has("biased_scores")) << name_of(mistake);
      EXPECT_TRUE(trace.has(TensorId("q_rotated").gradient())) << name_of(mistake);
      problem.options.overrides.mistake = Mistake::none;
      EXPECT_FALSE(
          trace["output"].has_same_bits(computed(problem.given, problem.options)["output"]))
          << name_of(mistake);
    }
  }
}

TEST(Variants, SinksTakeWhatIsMissing) {
  const Trace plain = with({});
  const Trace sunk = with({.sink = 0.5F});
  Index row{0, 0, 0, 0};
  for (row[1] = 0; row[1] < 4; ++row[1]) {
    for (row[2] = 0; row[2] < 5; ++row[2]) {
      double powers = 0.0;
      double sum = 0.0;
      for (row[3] = 0; row[3] < 5; ++row[3]) {
        powers += std::exp(static_cast<double>(sunk["masked_scores"].at(row)));
        sum += static_cast<double>(sunk["attention_weights"].at(row));
      }
      EXPECT_NEAR(sum, powers / (powers + std::exp(0.5)), 1e-6);
      row[3] = 0;
      EXPECT_NEAR(sunk["attention_weights"].at(row), sum * plain["attention_weights"].at(row),
                  1e-6);
    }
  }
}

TEST(Variants, SinksAreThereUnderMistakesThatLeaveTheSoftmax) {
  for (std::size_t i = 1; i < mistake_names.size(); ++i) {
    Problem problem = small_problem();
    const auto mistake = static_cast<Mistake>(i);
    if (mistake == Mistake::keys_not_transposed)
      problem.given = self_inputs(Numbers(2).tensor({2, 4, 16}));
    problem.options.overrides.mistake = mistake;
    problem.options.variants.sink = 1.0F;
    const auto part = attention_part(problem.given, problem.options);
    const bool other_softmax = mistake == Mistake::softmax_over_queries ||
                               mistake == Mistake::mask_after_softmax ||
                               mistake == Mistake::naive_softmax || mistake == Mistake::no_softmax;
    if (other_softmax) {
      ASSERT_FALSE(part) << name_of(mistake);
      EXPECT_EQ(part.error().message,
                "This mistake is shown without attention sinks; switch them off first.");
      continue;
    }
    ASSERT_TRUE(part) << name_of(mistake);
    const Shape shape = problem.given["query_input"].shape();
    const Trace trace = computed_with_gradients(problem.given, problem.options, Tensor(shape));
    EXPECT_EQ(trace.made_by("attention_weights")->operation, &ops::softmax_with_sinks);
    EXPECT_TRUE(trace.has(TensorId("sinks").gradient())) << name_of(mistake);
  }
}

TEST(Variants, AreComputedAgainAfterAChange) {
  Problem problem = small_problem();
  problem.options.variants = {10000.0F, true, 2, 5.0F, true};
  std::vector<Trace> last = compute({*attention_part(problem.given, problem.options)});
  const auto change = [&] {
    const Model model{*attention_part(problem.given, problem.options)};
    last = compute(model, last);
    expect_same_trace(last.front(), compute(model).front());
  };
  problem.options.variants.rope_base = 100.0F;
  change();
  problem.options.variants.softcap = 1.0F;
  change();
  problem.options.variants.sink = 0.0F;
  change();
  problem.options.variants.sink = 2.0F;
  change();
  problem.options.variants = {};
  change();
  problem.options.variants.alibi = true;
  change();
}

TEST(Variants, WhatIsWrong) {
  const auto complaint = [](const Variants& variants, Problem problem = small_problem()) {
    problem.options.variants = variants;
    const auto part = attention_part(problem.given, problem.options);
    return part ? std::string() : part.error().message;
  };
  EXPECT_EQ(complaint({.rope_base = 0.5F}),
            "The base of rotary positions must be a finite number of at least 1.");
  EXPECT_NE(complaint({.rope_base = NAN}), "");
  EXPECT_NE(complaint({.rope_base = INFINITY}), "");
  EXPECT_EQ(complaint({.softcap = -1.0F}), "Scores are capped at a finite number above 0.");
  EXPECT_NE(complaint({.softcap = NAN}), "");
  EXPECT_EQ(complaint({.sink = NAN}), "A sink is a finite number.");
  Problem with_sinks = small_problem();
  with_sinks.given["sinks"] = Tensor({3});
  EXPECT_EQ(complaint({}, with_sinks), "sinks is given without sink, which reads it.");
  EXPECT_EQ(complaint({.sink = 0.0F}, with_sinks),
            "sinks has shape [3]; it must be [H], here [4].");
  Numbers numbers(1);
  const Problem odd{self_inputs(numbers.tensor({1, 2, 6})), {2, {}}};
  EXPECT_EQ(complaint({.rope_base = 10.0F}, odd),
            "Rotary positions turn pairs of numbers, so head_dim must be even; it is 3.");
  Problem normed = small_problem();
  normed.given["q_norm_weight"] = numbers.tensor({4});
  EXPECT_EQ(complaint({.qk_norm = true}, normed), "");
  EXPECT_EQ(complaint({}, normed), "q_norm_weight is given without qk_norm, which reads it.");
  normed.given["k_norm_weight"] = numbers.tensor({5});
  EXPECT_EQ(complaint({.qk_norm = true}, normed),
            "k_norm_weight has shape [5]; it must be [D], here [4].");
}

}  // namespace
}  // namespace model
