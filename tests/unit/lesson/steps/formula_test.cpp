#include "lesson/steps/formula.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "model/attention/attention_part.hpp"
#include "self_inputs.hpp"

namespace lesson {
namespace {

using model::Mistake;
using model::Options;
using model::Scale;
using model::Tensors;
using model::Trace;
using tensor::Tensor;

Trace trace_of(const Tensors& weights, Scale scale, bool masked) {
  const Tensor x({1, 2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
  const Tensor mask = masked ? Tensor({2, 2}) : Tensor();
  Options options;
  options.scale = scale;
  const auto trace = model::multi_head_attention(self_inputs(x, weights, mask), options);
  EXPECT_TRUE(trace);
  return *trace;
}

Tensors all_weights() {
  const Tensor square({2, 2}, {1.0F, 0.0F, 0.0F, 1.0F});
  const Tensor bias({2});
  Tensors weights;
  weights["q_proj_weight"] = weights["k_proj_weight"] = weights["v_proj_weight"] =
      weights["out_proj_weight"] = square;
  weights["q_proj_bias"] = weights["k_proj_bias"] = weights["v_proj_bias"] =
      weights["out_proj_bias"] = bias;
  return weights;
}

TEST(Formula, IsTheStepsOwnWhereNothingIsLeftOut) {
  const Trace trace = trace_of(all_weights(), {}, true);
  for (const StepId id : {StepId::overview, StepId::project, StepId::scale, StepId::mask,
                          StepId::softmax, StepId::output}) {
    EXPECT_EQ(formula_for(step(id), trace), step(id).formula()) << step(id).name;
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
            "query_input is the embedding itself: no position encoding is added");
}

TEST(Scaling, IsWhatHappensBetweenScoresAndSoftmax) {
  EXPECT_EQ(scaling_of(trace_of({}, {}, true)), " / √D + mask");
  EXPECT_EQ(scaling_of(trace_of({}, {Scale::Kind::none, 1.0F}, true)), " + mask");
  EXPECT_EQ(scaling_of(trace_of({}, {Scale::Kind::none, 1.0F}, false)), "");
}

TEST(Sentence, IsTheStepsOwnWhereNothingIsLeftOut) {
  const Trace trace = trace_of(all_weights(), {}, true);
  for (const Step& each : steps())
    EXPECT_EQ(sentence_for(each, trace), each.sentence()) << each.name;
  for (const Step& each : steps()) EXPECT_EQ(title_for(each, trace), each.title()) << each.name;
}

TEST(Sentence, SpeaksOfNoMatrixThatIsNotThere) {
  const Trace trace = trace_of({}, {}, false);
  EXPECT_EQ(sentence_for(step(StepId::output), trace),
            "Without an output matrix, the merged rows are the output.");
  EXPECT_EQ(sentence_for(step(StepId::project), trace),
            "Without weight matrices, the input itself is all three.");
  EXPECT_EQ(title_for(step(StepId::output), trace), "The merged rows are the output");
}

TEST(Sentence, TellsWhatAMistakeMakesOfItsStep) {
  Trace trace = trace_of(all_weights(), {}, true);
  trace.overrides.mistake = Mistake::no_softmax;
  EXPECT_EQ(sentence_for(step(StepId::softmax), trace),
            "There is no softmax: the scores themselves are the weights, 0 for a hidden key.");
  const std::string_view own = step(StepId::softmax).sentence();
  constexpr bool rightly = true;
  EXPECT_EQ(sentence_for(step(StepId::softmax), trace, rightly), own);
  EXPECT_EQ(sentence_for(step(StepId::scale), trace), step(StepId::scale).sentence());
  trace.overrides.mistake = Mistake::naive_softmax;  // whose weights are those of a softmax
  EXPECT_EQ(sentence_for(step(StepId::softmax), trace), own);
}

TEST(Formula, SaysWhatSeveralHeadsShare) {
  const Tensor x({1, 2, 4});
  const Tensor half({1, 2, 2});
  Tensors given = self_inputs(x);
  given["key_input"] = given["value_input"] = half;
  const auto trace = model::multi_head_attention(given, {2, {}, {}, 1});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(formula_for(step(StepId::split), *trace),
            "q_split[l, h, d] = q[l, h·D + d],   k_split[l, g, d] = k[l, g·D + d]");
  EXPECT_EQ(formula_for(step(StepId::transpose), *trace),
            "q_heads[h, l, d] = q_split[l, h, d],   k_heads[g·R + r, l, d] = k_split[l, g, d],   "
            "v likewise,   R = H / num_kv_heads = 2");
  const std::string text = text_for(step(StepId::transpose), *trace);
  EXPECT_NE(text.find("num_kv_heads is 1: 2 heads of queries share"), std::string::npos) << text;
  EXPECT_NE(text.find("multi-query attention"), std::string::npos) << text;
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

// With a sink the weights of a query do not add up to 1, and no sentence says that they do.
TEST(Text, WithSinksSaysNowhereThatWeightsAddUpToOne) {
  const Tensor x({1, 2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
  for (const bool sink : {false, true}) {
    Options options;
    if (sink) options.variants.sink = 0.0F;
    const auto trace = model::multi_head_attention(self_inputs(x, {}, {}), options);
    ASSERT_TRUE(trace);
    for (const StepId id : {StepId::sentence, StepId::softmax}) {
      const std::string text = text_for(step(id), *trace);
      EXPECT_EQ(text.find("add up to 1") == std::string::npos, sink) << text;
      EXPECT_EQ(text.find("add up to less than 1") != std::string::npos, sink) << text;
      EXPECT_NE(text.front(), ' ');
    }
  }
}

TEST(Formula, HasNoBiasWhereThereIsNone) {
  const Tensor square({2, 2}, {1.0F, 0.0F, 0.0F, 1.0F});
  Tensors weights;
  weights["q_proj_weight"] = weights["k_proj_weight"] = weights["v_proj_weight"] = square;
  const Trace trace = trace_of(weights, {}, false);
  const std::string formula = formula_for(step(StepId::project), trace);
  EXPECT_EQ(formula.find("+ b"), std::string::npos) << formula;
  EXPECT_NE(formula.find("no bias b is added"), std::string::npos) << formula;
}

TEST(Sentence, OfAlibiAloneSpeaksOfNoHiddenKey) {
  const Tensor x({1, 2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
  Options options;
  options.variants.alibi = true;
  const auto trace = model::multi_head_attention(self_inputs(x), options);
  ASSERT_TRUE(trace);
  EXPECT_EQ(title_for(step(StepId::mask), *trace), base::text("lesson.step.mask.title_with_alibi"));
  EXPECT_EQ(sentence_for(step(StepId::mask), *trace),
            base::text("lesson.step.mask.sentence_with_alibi"));
}

// Neither the sentence nor the formula nor the text says what the mistake does not do.
TEST(Mistakes, AreWhatTheirStepSpeaksOf) {
  for (const MistakeText& mistake : mistake_texts()) {
    Trace trace = trace_of(all_weights(), {}, true);
    trace.overrides.mistake = mistake.mistake;
    const Step& its = step(mistake.step);
    SCOPED_TRACE(mistake.label());
    constexpr bool rightly = true;
    EXPECT_NE(text_for(its, trace).find(mistake.text()), std::string::npos);
    EXPECT_EQ(text_for(its, trace, rightly), its.text());
    EXPECT_EQ(sentence_for(its, trace, rightly), its.sentence());
    EXPECT_EQ(formula_for(its, trace, rightly), its.formula());
    // The weights of the naive softmax are those of the right one.
    const bool right = mistake.mistake == Mistake::naive_softmax;
    EXPECT_EQ(sentence_for(its, trace) == its.sentence(), right);
    EXPECT_EQ(formula_for(its, trace) == its.formula(), right) << formula_for(its, trace);
    for (const Step& other : steps()) {
      if (other.id == its.id || other.id == StepId::overview) continue;
      EXPECT_EQ(sentence_for(other, trace), other.sentence());
      EXPECT_EQ(text_for(other, trace), text_for(other, trace, rightly));
    }
  }
}

}  // namespace
}  // namespace lesson
