// Gradients against central differences of the loss, in the plain doubles of reference.hpp: what
// PyTorch's autograd cannot be asked, as mistakes and weights that were set by hand.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/reference.hpp"

namespace model {
namespace {

double loss_reference(const Arrays& given, const Options& options, const Array& target) {
  const Array output = reference_attention(given, options).output;
  double sum = 0.0;
  for (std::size_t i = 0; i < output.values.size(); ++i)
    sum += 0.5 * std::pow(output.values[i] - target.values[i], 2);
  return sum;
}

/// How steeply the loss rises with one number, given under each of these names.
double slope(Arrays given, const std::vector<TensorId>& names, const Index& cell,
             const Options& options, const Array& target) {
  constexpr double step = 1e-5;
  const auto moved_by = [&](double distance) {
    Arrays moved = given;
    for (const TensorId id : names) moved.by_name[id][cell] += distance;
    return loss_reference(moved, options, target);
  };
  return (moved_by(step) - moved_by(-step)) / (2 * step);
}

double largest_finite(const Tensor& tensor) {
  double largest = 0.0;
  for (const float number : tensor.values()) {
    if (std::isfinite(number)) largest = std::fmax(largest, std::fabs(static_cast<double>(number)));
  }
  return largest;
}

/// Some cells of the gradient of everything that is given.
Trace expect_slopes(const Tensors& given, const Options& options, Numbers& numbers,
                    const std::string& what) {
  const Tensor target = numbers.tensor(given["query_input"].shape());
  const Trace trace = computed_with_gradients(given, options, target);
  const Arrays arrays = arrays_of(given, options.num_heads);
  EXPECT_NEAR(static_cast<double>(trace["loss"].at({})),
              loss_reference(arrays, options, Array(target)),
              1e-5 * (1.0 + static_cast<double>(trace["loss"].at({}))))
      << what;
  for (const auto& [id, array] : arrays.by_name) {
    const std::string where = what + ": " + std::string(name_of(id.gradient()));
    const Tensor& gradient = trace[id.gradient()];
    EXPECT_TRUE(gradient.defined()) << where;
    if (!gradient.defined()) continue;
    EXPECT_EQ(gradient.shape(), array.shape) << where;
    // A gradient that is 0 for a reason, as of a bias of the keys, is what rounding left of it.
    const double tolerance = 1e-5 * std::fmax(1.0, largest_finite(gradient));
    for (int i = 0; i < 3; ++i) {
      const Index cell = numbers.index(array.shape);
      EXPECT_NEAR(static_cast<double>(gradient.at(cell)),
                  slope(arrays, {id}, cell, options, Array(target)), tolerance)
          << where << describe(cell);
    }
  }
  return trace;
}

/// Hides keys of later positions, and all of them from query 2.
Tensor mask_with_a_full_row() {
  Tensor mask = look_ahead_mask(4, 3);
  for (std::size_t key = 0; key < 3; ++key) mask.set({2, key}, hidden);
  return mask;
}

/// Finite numbers, but for the last key of the second sample, which nobody sees.
Tensor mask_of_numbers(Numbers& numbers) {
  Tensor mask = numbers.tensor({2, 1, 4, 3});
  for (std::size_t query = 0; query < 4; ++query) mask.set({1, 0, query, 2}, hidden);
  return mask;
}

/// Four queries and three keys, of heads of three numbers: for the sake of one mistake. Two heads,
/// or four of which two each share keys and values.
Problem problem_of(Numbers& numbers, const Tensor& mask, bool grouped) {
  const std::size_t E = grouped ? 12 : 6;
  const Tensor query = numbers.tensor({2, 4, E});
  return {inputs_of(query, numbers.tensor({2, 3, 7}), numbers.tensor({2, 3, 5}), mask,
                    random_weights(numbers, E, 7, 5, true, 6)),
          {E / 3, {}, {}, 2}};
}

TEST(GradientSlopes, OfAttentions) {
  Numbers numbers(1);
  for (const Sizes& sizes : all_sizes) {
    if (sizes.batch * sizes.query_len * sizes.heads * sizes.head_dim > 150) continue;
    const Problem problem = made_up(sizes, numbers);
    expect_slopes(problem.given, problem.options, numbers, "sizes");
  }
  for (const Scale::Kind kind : {Scale::Kind::none, Scale::Kind::sqrt_keys, Scale::Kind::number}) {
    Problem problem = problem_of(numbers, mask_of_numbers(numbers), false);
    problem.options.scale = {kind, -1.5F};
    expect_slopes(problem.given, problem.options, numbers, "scale");
  }
}

TEST(GradientSlopes, UnderEveryMistake) {
  Numbers numbers(2);
  for (const std::string_view name : mistake_names) {
    for (const Tensor& mask : {Tensor(), mask_with_a_full_row(), mask_of_numbers(numbers)}) {
      for (const bool grouped : {false, true}) {
        Problem problem = problem_of(numbers, mask, grouped);
        problem.options.overrides.mistake = *mistake_named(name);
        expect_slopes(problem.given, problem.options, numbers,
                      std::string(name) + (grouped ? ", grouped" : ""));
      }
    }
  }
}

// What was set by hand does not follow from anything, and passes nothing on.
TEST(GradientSlopes, WithWeightsSetByHandAndHeadsSwitchedOff) {
  Numbers numbers(3);
  for (const std::string_view name : mistake_names) {
    for (const Tensor& mask : {Tensor(), mask_with_a_full_row()}) {
      for (const bool grouped : {false, true}) {
        Problem problem = problem_of(numbers, mask, grouped);
        // One of a query that sees no key, another of a head that is switched off.
        problem.options.overrides = {
            {{1, 1, 2, {0.5F, 0.25F, 0.2F}}, {0, 1, 0, {1, 0, -1}}, {0, 0, 3, {1, 0, 0}}},
            {0},
            *mistake_named(name)};
        const Trace trace = expect_slopes(problem.given, problem.options, numbers,
                                          "set by hand, " + std::string(name));
        // The gradient of the weights themselves is there: which way they had better be set.
        const Tensor& weights = trace[TensorId("attention_weights").gradient()];
        EXPECT_NE(weights.at({1, 1, 2, 0}), 0.0F);
        EXPECT_EQ(weights.at({0, 0, 3, 0}), 0.0F) << "the head is switched off";
        const Tensor& masked = trace[TensorId("masked_scores").gradient()];
        // Along the queries, its scores take their part of the columns all the same.
        if (problem.options.overrides.mistake != Mistake::softmax_over_queries) {
          EXPECT_EQ(masked.at({1, 1, 2, 0}), 0.0F);
        }
        EXPECT_EQ(trace[TensorId("scores").gradient()].at({1, 0, 3, 1}), 0.0F);
      }
    }
  }
}

// Without projections a value that is NaN reaches what sees it and nothing else: where no query
// sees a key, all is 0 by definition, and so are the gradients of what comes in.
TEST(GradientSlopes, OfAValueThatNobodySees) {
  Numbers numbers(4);
  Tensor mask({2, 1, 4, 3});
  for (std::size_t query = 0; query < 4; ++query) {
    for (std::size_t key = 0; key < 3; ++key) mask.set({1, 0, query, key}, hidden);
  }
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), HUGE_VALF}) {
    Tensor value = numbers.tensor({2, 3, 6});
    value.set({1, 1, 4}, odd);
    const Tensors given =
        inputs_of(numbers.tensor({2, 4, 6}), numbers.tensor({2, 3, 6}), value, mask);
    const Trace trace = expect_slopes(given, {2, {}, {}}, numbers, "a value that nobody sees");
    for (const TensorId id : trace.present()) {
      if (!id.is_gradient() || id.value() == TensorId("attention_weights")) continue;
      for (const float number : trace[id].values())
        EXPECT_TRUE(std::isfinite(number)) << name_of(id);
    }
    for (const TensorId id : {TensorId("query_input"), TensorId("key_input"),
                              TensorId("value_input"), TensorId("masked_scores")}) {
      for (const float number : trace[id.gradient()].select(0, 1).values())
        EXPECT_EQ(number, 0.0F) << name_of(id);
    }
  }
}

// What is one tensor under three names has the sum of their gradients.
TEST(GradientSlopes, OfTokensThatAskAndAnswer) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Tensors given =
      self_inputs(x, look_ahead_mask(4, 4), random_weights(numbers, 6, 6, 6, true));
  const Options options{2, {}, {}};
  const Tensor target = numbers.tensor({2, 4, 6});
  const Trace trace = computed_with_gradients(given, options, target);
  const std::vector<TensorId> names{"query_input", "key_input", "value_input"};
  for (int i = 0; i < 20; ++i) {
    const Index cell = numbers.index(x.shape());
    double sum = 0.0;
    for (const TensorId id : names) sum += static_cast<double>(trace[id.gradient()].at(cell));
    EXPECT_NEAR(sum, slope(arrays_of(given, 2), names, cell, options, Array(target)), 2e-5);
  }
}

}  // namespace
}  // namespace model
