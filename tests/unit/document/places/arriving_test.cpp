#include "document/places/arriving.hpp"

#include <gtest/gtest.h>

#include "document/commands.hpp"
#include "document/setups.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;

Document arrived(const Document& document, const Command& command) {
  const auto result = apply(document, computed(document.configuration), command);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Document{};
}

/// The map is beside all steps, so who leaps begins elsewhere.
Document at_first_step(ExampleId example) {
  Document document = document_of(fresh(example, 0));
  document.view_state.step = lesson::StepId::sentence;
  return document;
}

TEST(ChooseStep, OpensTheMaskWhereAKeyIsHidden) {
  const Document start = at_first_step(ExampleId::you_are_welcome);
  const ViewState seen = arrived(start, ChooseStep{lesson::StepId::mask}).view_state;
  EXPECT_EQ(seen.attention, AttentionId::encoder_self_attention);
  EXPECT_EQ(seen.sample, 1U) << "the first sample has no padding";
}

// The last query of a look-ahead mask, with which the example opens, sees every key.
TEST(ChooseStep, OpensTheMaskAtAQueryFromWhichAKeyIsHidden) {
  const Document start = at_first_step(ExampleId::look_back);
  const Document there = arrived(start, ChooseStep{lesson::StepId::mask});
  const Computed made = computed(start.configuration);
  const tensor::Tensor& mask = made.find(there.view_state.attention).trace["mask"];
  const std::size_t keys = mask.dim(3);
  EXPECT_NE(mask.at({0, 0, there.view_state.query, keys - 1}), 0.0F);
  EXPECT_EQ(arrived(there, ChooseStep{lesson::StepId::project}).view_state.query,
            start.view_state.query);
}

TEST(ChooseStep, OpensTheScaleWhereTheDivisorsDiffer) {
  const Document start = at_first_step(ExampleId::you_are_welcome);
  const ViewState seen = arrived(start, ChooseStep{lesson::StepId::scale}).view_state;
  EXPECT_EQ(seen.attention, AttentionId::decoder_self_attention) << "two keys, three dimensions";
  EXPECT_EQ(seen.sample, 0U);
  EXPECT_EQ(seen.query, 1U) << "the first query sees itself only, with a weight of 1 at any scale";
}

TEST(ChooseStep, ComesBackToWhereTheExampleOpens) {
  const Document start = at_first_step(ExampleId::you_are_welcome);
  for (const lesson::StepId step : {lesson::StepId::scale, lesson::StepId::mask}) {
    const Document there = arrived(start, ChooseStep{step});
    EXPECT_NE(there.view_state, at_step(start.view_state, step));
    EXPECT_EQ(arrived(there, ChooseStep{lesson::StepId::project}).view_state,
              at_step(start.view_state, lesson::StepId::project));
  }
}

// Also where it is the query at which the step would have opened by itself.
TEST(ChooseStep, KeepsAQueryThatWasChosen) {
  const Document start = at_first_step(ExampleId::you_are_welcome);
  Document document = arrived(start, ChooseQuery{1});
  for (const lesson::StepId step :
       {lesson::StepId::scale, lesson::StepId::output, lesson::StepId::scores}) {
    document = arrived(document, ChooseStep{step});
    EXPECT_EQ(document.view_state.query, 1U) << static_cast<int>(step);
  }
  // Chosen only after the step had taken it.
  document = arrived(start, ChooseStep{lesson::StepId::scale});
  ASSERT_EQ(document.view_state.query, 1U);
  document = arrived(document, ChooseQuery{1});
  EXPECT_EQ(arrived(document, ChooseStep{lesson::StepId::output}).view_state.query, 1U);
}

// Also where it is the sample at which the step would have opened by itself.
TEST(ChooseStep, KeepsASampleThatWasChosen) {
  Document document = at_first_step(ExampleId::you_are_welcome);
  document = arrived(document, ChooseSample{1});
  for (const lesson::StepId step :
       {lesson::StepId::scores, lesson::StepId::mask, lesson::StepId::scores,
        lesson::StepId::softmax, lesson::StepId::project}) {
    document = arrived(document, ChooseStep{step});
    EXPECT_EQ(document.view_state.sample, 1U) << static_cast<int>(step);
  }
  document = arrived(document, ChooseSample{0});
  document = arrived(document, ChooseStep{lesson::StepId::mask});
  EXPECT_TRUE(document.view_state.landed.by_itself);
  EXPECT_EQ(arrived(document, ChooseStep{lesson::StepId::scores}).view_state.sample, 0U);
  document = arrived(document, ChooseSample{1});
  EXPECT_EQ(arrived(document, ChooseStep{lesson::StepId::scores}).view_state.sample, 1U);
}

TEST(ChooseStep, LeavesWhatTheReaderChose) {
  Document document = at_first_step(ExampleId::you_are_welcome);
  document.view_state.attention = AttentionId::cross_attention;
  const ViewState seen = arrived(document, ChooseStep{lesson::StepId::mask}).view_state;
  EXPECT_EQ(seen.attention, AttentionId::cross_attention);
  EXPECT_EQ(seen.sample, 0U);
  // Where no sample hides a key, nothing is gained by going anywhere.
  const Document plain = at_first_step(ExampleId::pool_beats_badminton);
  EXPECT_EQ(arrived(plain, ChooseStep{lesson::StepId::mask}).view_state,
            at_step(plain.view_state, lesson::StepId::mask));
}

TEST(ChooseStep, KeepsTheNumberThatIsFollowedFromStepToStep) {
  for (const ExampleId example : {ExampleId::you_are_welcome, ExampleId::anthony_hopkins,
                                  ExampleId::gender_and_number, ExampleId::lazy_dog}) {
    Document document = at_first_step(example);
    const ViewState first = document.view_state;
    std::optional<std::size_t> key;
    const auto follows = [&](const lesson::Step& step) {
      SCOPED_TRACE(step.name);
      document = arrived(document, ChooseStep{step.id});
      const ViewState& seen = document.view_state;
      EXPECT_EQ(seen.step, step.id);
      EXPECT_EQ(seen.attention, first.attention);
      EXPECT_EQ(seen.sample, first.sample);
      EXPECT_EQ(seen.query, first.query);
      // Where queries are first compared with keys, the key is chosen; then it is followed, too.
      if (step.id == lesson::StepId::scores && !key) key = seen.key;
      if (key) {
        EXPECT_EQ(seen.key, *key);
      }
    };
    for (const lesson::Step& step : lesson::steps()) follows(step);
    for (auto step = lesson::steps().rbegin(); step != lesson::steps().rend(); ++step)
      follows(*step);
  }
}

TEST(ChooseStep, ScoresBeginAtTheLargestWeightOfTheQuery) {
  for (const lesson::Example& example : lesson::examples()) {
    if (example.task || !lesson::has_its_weights(example.id)) continue;
    SCOPED_TRACE(example.name);
    Document document = document_of(fresh(example.id, 0));
    document.view_state = first_view_state({}, example.id);
    document.view_state.step = lesson::StepId::transpose;
    const ViewState seen = arrived(document, ChooseStep{lesson::StepId::scores}).view_state;
    const Computed made = computed(document.configuration);
    const tensor::Tensor& weights = made.find(seen.attention).trace["attention_weights"];
    for (std::size_t key = 0; key < weights.dim(3); ++key) {
      EXPECT_GE(weights.at({seen.sample, seen.head, seen.query, seen.key}),
                weights.at({seen.sample, seen.head, seen.query, key}));
    }
    // A key that was chosen stays.
    document.view_state.key = weights.dim(3) - 1;
    EXPECT_EQ(arrived(document, ChooseStep{lesson::StepId::scores}).view_state.key,
              weights.dim(3) - 1);
  }
}

TEST(ChooseStep, ComesBackFromTheMapToTheSameNumber) {
  Document document = at_first_step(ExampleId::you_are_welcome);
  for (std::size_t to = 1; to <= static_cast<std::size_t>(lesson::StepId::mask); ++to)
    document = arrived(document, ChooseStep{lesson::steps()[to].id});
  const ViewState before = document.view_state;
  document = arrived(document, ChooseStep{lesson::StepId::overview});
  EXPECT_EQ(arrived(document, ChooseStep{lesson::StepId::mask}).view_state, before);
}

TEST(ShowMore, StaysOpenFromStepToStepAndThroughReset) {
  Document document = at_first_step(ExampleId::you_are_welcome);
  document = arrived(document, ShowMore{true});
  for (const lesson::Step& step : lesson::steps()) {
    document = arrived(document, ChooseStep{step.id});
    EXPECT_TRUE(document.view_state.more) << step.name;
  }
  EXPECT_TRUE(arrived(document, Reset{}).view_state.more);
  EXPECT_FALSE(arrived(document, ShowMore{false}).view_state.more);
}

}  // namespace
}  // namespace document
