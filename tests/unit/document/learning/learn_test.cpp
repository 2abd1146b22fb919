#include "document/learning/learn.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "document/learning/target.hpp"
#include "document/link/link.hpp"
#include "document/session.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;

constexpr CellAddress output_cell(std::size_t query, std::size_t number) {
  return {AttentionId::attention, model::TensorId("output"), {0, query, number}};
}

Session pool(std::size_t variant = 0) {
  Session session;
  EXPECT_TRUE(session.perform(ChooseExample{ExampleId::pool_beats_badminton, variant}));
  return session;
}

TEST(Learn, ATargetMakesALossAndGradientsOfEveryTensor) {
  Session session = pool(2);
  ASSERT_TRUE(session.perform(SetTarget{output_cell(1, 2), 1.0F}));
  const model::Trace& trace = session.attention().trace;
  const float distance = trace["output"].at({0, 1, 2}) - 1.0F;
  EXPECT_FLOAT_EQ(*loss_of(session.computed()), distance * distance / 2.0F);
  for (const model::TensorId id : {model::TensorId("scores"), model::TensorId("q_proj_weight"),
                                   model::TensorId("query_input")})
    EXPECT_EQ(trace[id.gradient()].shape(), trace[id].shape());
  // Cells without a target are where they should be.
  EXPECT_EQ(trace["difference"].at({0, 0, 0}), 0.0F);
  session.undo();
  EXPECT_FALSE(loss_of(session.computed()));
  EXPECT_FALSE(session.attention().trace.has(model::TensorId("scores").gradient()));
}

TEST(Learn, GradientsAgreeWithDifferencesOfTheLoss) {
  for (const std::size_t variant : {0U, 2U}) {
    Session session = pool(variant);
    ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 3), 0.9F}));
    for (const Update& update : updates(session.computed(), session.document())) {
      constexpr float little = 0.01F;
      std::array<double, 2> losses{};
      for (const std::size_t way : {0U, 1U}) {
        Session moved = session;
        const float by = way == 0 ? -little : little;
        ASSERT_TRUE(moved.perform(EditCell{update.cell, update.number + by}));
        losses[way] = static_cast<double>(*loss_of(moved.computed()));
      }
      EXPECT_NEAR((losses[1] - losses[0]) / (2.0 * little), update.gradient, 1e-3);
    }
  }
}

TEST(Learn, AStepChangesTheGivenNumbersByRateTimesGradient) {
  Session session = pool();
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  const auto planned = updates(session.computed(), session.document());
  ASSERT_EQ(planned.size(), 12U);  // three words, four numbers each
  const float before = *loss_of(session.computed());
  ASSERT_TRUE(session.perform(Learn{}));
  EXPECT_LT(*loss_of(session.computed()), before);
  const tensor::Tensor& words = session.attention().trace["query_input"];
  for (const Update& update : planned) {
    EXPECT_EQ(update.next, update.number - 0.1F * update.gradient);
    EXPECT_EQ(words.at(update.cell.index), update.next);
  }
  session.undo();
  EXPECT_EQ(*loss_of(session.computed()), before);
  EXPECT_TRUE(session.document().configuration.edits.empty());
}

TEST(Learn, StepsThatGoOnAreOneUndoStep) {
  Session session = pool();
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  for (int step = 0; step < 80; ++step) ASSERT_TRUE(session.perform(Learn{}, step > 0));
  EXPECT_LT(*loss_of(session.computed()), 1e-3F);
  session.undo();
  EXPECT_TRUE(session.document().configuration.edits.empty());
  EXPECT_EQ(session.document().configuration.target.size(), 1U);
}

TEST(Learn, OnlyWhatIsTickedLearns) {
  Session session = pool(2);
  EXPECT_EQ(can_learn(session.computed(), session.document().configuration, AttentionId::attention),
            learns_all);
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  ASSERT_TRUE(session.perform(ChooseLearns{0b00010}));
  ASSERT_TRUE(session.perform(Learn{}));
  for (const Edit& edit : session.document().configuration.edits)
    EXPECT_EQ(edit.cell.tensor, model::TensorId("q_proj_weight"));
  ASSERT_TRUE(session.perform(ChooseLearns{0}));
  EXPECT_EQ(session.perform(Learn{}).error().message,
            "Nothing learns: tick embeddings or weights that the loss depends on.");
}

TEST(Learn, AWeightCanHaveATarget) {
  Session session = pool();
  const CellAddress weight{
      AttentionId::attention, model::TensorId("attention_weights"), {0, 0, 1, 2}};
  ASSERT_TRUE(session.perform(SetTarget{weight, 0.7F}));
  const float before = session.attention().trace["attention_weights"].at({0, 0, 1, 2});
  for (int step = 0; step < 20; ++step) ASSERT_TRUE(session.perform(Learn{}));
  EXPECT_GT(session.attention().trace["attention_weights"].at({0, 0, 1, 2}), before);
  // One of another tensor takes its place.
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  EXPECT_EQ(session.document().configuration.target.size(), 1U);
}

TEST(Learn, EmbeddingsUnderPositionsAndOfTwoSequencesLearn) {
  Session session = pool();
  ASSERT_TRUE(session.perform(SetPositionEncoding{true}));
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  ASSERT_TRUE(session.perform(Learn{}));
  EXPECT_EQ(session.document().configuration.edits.front().cell.tensor,
            model::TensorId("token_embedding"));
}

TEST(Learn, ATargetOutOfRangeIsRefused) {
  Session session = pool();
  const auto refusal = [&](const CellAddress& cell, float value) {
    const auto done = session.perform(SetTarget{cell, value});
    return done ? std::string() : done.error().message;
  };
  EXPECT_EQ(refusal(output_cell(0, 0), 1e9F),
            "The target of attention.output[0,0,0] cannot be 1e+09; allowed are numbers "
            "from −10000 to 10000.");
  EXPECT_NE(refusal(output_cell(0, 0), std::nanf("")).find("cannot be NaN"), std::string::npos);
  EXPECT_NE(refusal(output_cell(7, 0), 1.0F).find("lies outside"), std::string::npos);
  const CellAddress weight{
      AttentionId::attention, model::TensorId("attention_weights"), {0, 0, 1, 2}};
  EXPECT_NE(refusal(weight, 1.5F).find("from 0 to 1."), std::string::npos);
  CellAddress scores = weight;
  scores.tensor = model::TensorId("scores");
  EXPECT_EQ(refusal(scores, 1.5F),
            "attention.scores[0,0,1,2] can have no target; cells of output and of "
            "attention_weights can.");
  EXPECT_TRUE(session.document().configuration.target.empty());
}

TEST(Learn, LearningRatesThatCannotBeAreRefused) {
  Session session = pool();
  for (const float rate : {0.0F, -1.0F, 1e9F, std::nanf("")})
    EXPECT_NE(session.perform(SetLearningRate{rate}).error().message.find("The learning rate"),
              std::string::npos);
  EXPECT_EQ(session.document().view_state.learning_rate, 0.1F);
}

TEST(Learn, NumbersThatGrowBeyondAllBoundsStop) {
  Session session = pool();
  ASSERT_TRUE(session.perform(SetLearningRate{1000.0F}));
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 10000.0F}));
  base::Result<void> done;
  Document good;
  for (int step = 0; done && step < 100; ++step) {
    good = session.document();
    done = session.perform(Learn{});
  }
  ASSERT_FALSE(done);
  EXPECT_EQ(session.document(), good);
}

TEST(Learn, ThereAreNoGradientsWithoutATarget) {
  Session session = pool();
  EXPECT_FALSE(session.perform(ShowGradients{true}));
  EXPECT_FALSE(session.perform(Learn{}));
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  EXPECT_TRUE(session.perform(ShowGradients{true}));
  session.undo();
  EXPECT_FALSE(session.document().view_state.gradients);
}

TEST(Learn, ALinkCarriesTargetAndChoices) {
  Session session = pool(2);
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 0), 0.8F}));
  ASSERT_TRUE(session.perform(SetTarget{output_cell(0, 1), -0.25F}));
  ASSERT_TRUE(session.perform(ShowGradients{true}));
  ASSERT_TRUE(session.perform(SetLearningRate{0.5F}));
  ASSERT_TRUE(session.perform(ChooseLearns{0b00011}));
  const auto link = to_link(session.document(), session.computed());
  ASSERT_TRUE(link);
  EXPECT_NE(link->find("target=attention.output:0,0,0=0.8,-0.25"), std::string::npos) << *link;
  Session other;
  EXPECT_TRUE(open_link(other, *link).empty());
  EXPECT_EQ(other.document(), session.document());
}

// Without an output matrix each number of the output comes from one head: the other gets no
// gradients, and a reader who asked for them would see zeros.
TEST(Learn, GradientsAreShownOfAHeadThatTheLossDependsOn) {
  Session session;
  ASSERT_TRUE(session.perform(ChooseExample{ExampleId::gender_and_number}));
  ASSERT_TRUE(session.perform(ChooseHead{0}));
  ASSERT_TRUE(session.perform(SetTarget{output_cell(6, 4), 0.5F}));  // head 1: numbers 3 to 5
  ASSERT_TRUE(session.perform(ShowGradients{true}));
  EXPECT_EQ(session.document().view_state.head, 1U);
  ASSERT_TRUE(session.perform(ShowGradients{false}));
  ASSERT_TRUE(session.perform(ChooseHead{0}));
  ASSERT_TRUE(session.perform(SetTarget{output_cell(6, 0), 0.5F}));
  ASSERT_TRUE(session.perform(ShowGradients{true}));
  EXPECT_EQ(session.document().view_state.head, 0U);
}

TEST(Learn, AWrongTargetInALinkIsReportedAndTheRestIsUsed) {
  Session session;
  const auto problems = open_link(
      session, "#example=pool-beats-badminton&step=output&target=attention.output:0,9,0=1");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("lies outside"), std::string::npos);
  EXPECT_EQ(session.document().view_state.step, lesson::StepId::output);
}

}  // namespace
}  // namespace document
