#include "lesson/steps/formula.hpp"

#include <gtest/gtest.h>

#include "attention/multi_head_attention.hpp"

namespace lesson {
namespace {

using attention::Inputs;
using attention::Options;
using attention::Scale;
using attention::Tensor;
using attention::Trace;
using attention::Weights;

Trace trace_of(const Weights& weights, Scale scale, bool masked) {
  const Tensor x({1, 2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
  Inputs inputs{x, x, x, {}};
  if (masked) inputs.mask = Tensor({2, 2});
  Options options;
  options.scale = scale;
  const auto trace = attention::multi_head_attention(inputs, weights, options);
  EXPECT_TRUE(trace);
  return *trace;
}

Weights all_weights() {
  const Tensor square({2, 2}, {1.0F, 0.0F, 0.0F, 1.0F});
  const Tensor bias({2});
  return {square, square, square, bias, bias, bias, square, bias};
}

TEST(Formula, IsTheStepsOwnWhereNothingIsLeftOut) {
  const Trace trace = trace_of(all_weights(), {}, true);
  for (const StepId id : {StepId::overview, StepId::project, StepId::scale, StepId::mask,
                          StepId::softmax, StepId::output}) {
    EXPECT_EQ(formula_for(step(id), trace), step(id).formula) << step(id).name;
  }
}

TEST(Formula, LeavesOutWhatIsNotDone) {
  const Trace trace = trace_of({}, {Scale::Kind::none, 1.0F}, false);
  EXPECT_EQ(formula_for(step(StepId::overview), trace), "output = merge(softmax(Q · Kᵀ) · V)");
  EXPECT_EQ(formula_for(step(StepId::project), trace),
            "q = query_input,   k = key_input,   v = value_input");
  EXPECT_EQ(formula_for(step(StepId::scale), trace), "scaled_scores = scores");
  EXPECT_EQ(formula_for(step(StepId::mask), trace),
            "masked_scores = scaled_scores: nothing is masked");
  EXPECT_EQ(formula_for(step(StepId::output), trace), "output = merged");
  EXPECT_EQ(formula_for(step(StepId::input), trace),
            "query_input is given as it is: no position encoding is added");
}

TEST(Formula, NamesTheDivisor) {
  const auto scale_formula = [](Scale scale) {
    return formula_for(step(StepId::scale), trace_of({}, scale, false));
  };
  EXPECT_EQ(scale_formula({Scale::Kind::sqrt_head_dim, 1.0F}), "scaled_scores = scores / √D");
  EXPECT_EQ(scale_formula({Scale::Kind::sqrt_keys, 1.0F}), "scaled_scores = scores / √Lk");
  EXPECT_EQ(scale_formula({Scale::Kind::number, 2.5F}), "scaled_scores = scores / 2.5");
  EXPECT_EQ(scale_formula({Scale::Kind::number, -2.0F}), "scaled_scores = scores / −2");
}

}  // namespace
}  // namespace lesson
