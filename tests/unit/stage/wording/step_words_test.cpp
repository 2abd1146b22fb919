#include "stage/wording/step_words.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "document/session.hpp"
#include "stage/layout/composition.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace stage {
namespace {

using document::Session;

// No sum over a row has made a weight that somebody typed.
TEST(StepWords, SayThatTheWeightsOfTheQueryAreSetByHand) {
  Session session(
      document::document_of(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::softmax}));
  const auto words = [&] {
    return words_of_step(session.computed(), session.document().view_state);
  };
  const std::string computed = words();
  const std::string_view by_hand = base::text("stage.softmax.by_hand.sentence");
  EXPECT_NE(computed, by_hand);
  const lesson::AttentionId attention = session.document().view_state.attention;
  ASSERT_TRUE(session.perform(
      document::SetWeights{attention, model::GivenWeights{0, 0, 0, {0.1F, 0.8F, 0.1F}}}));
  EXPECT_EQ(words(), by_hand);
  ASSERT_TRUE(session.perform(document::ChooseQuery{1}));
  EXPECT_EQ(words(), computed) << "that of another query are computed";
}

// A patch of a picture is no word.
TEST(StepWords, OfAPictureSpeakOfPatches) {
  const auto words = [](lesson::ExampleId example) {
    const Session session(document::document_of(document::fresh(example, 0)));
    document::ViewState view_state = session.document().view_state;
    view_state.step = lesson::StepId::sentence;
    const Composition shown = compose(session.computed(), view_state, {1280.0F, 800.0F});
    return std::string(shown.title) + ' ' + words_of_step(session.computed(), view_state);
  };
  const std::string picture = words(lesson::ExampleId::image_patches);
  EXPECT_EQ(picture.find("word"), std::string::npos) << picture;
  EXPECT_NE(picture.find("patch"), std::string::npos) << picture;
  EXPECT_NE(words(lesson::ExampleId::gender_and_number).find("word"), std::string::npos);
}

// What a name like r3c2 means, and what the heads look for, as far as there is one for each colour.
TEST(StepWords, OfAPictureExplainItsPatches) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::image_patches, 0);
  const auto text = [&](lesson::StepId step) {
    document::ViewState view_state;
    view_state.step = step;
    return text_of_step(document::computed(configuration), view_state);
  };
  for (const lesson::StepId step : {lesson::StepId::sentence, lesson::StepId::input}) {
    EXPECT_NE(text(step).find("r3c2 is the patch"), std::string::npos) << text(step);
    EXPECT_NE(text(step).find("how red"), std::string::npos) << text(step);
  }
  EXPECT_EQ(text(lesson::StepId::scores).find("r3c2"), std::string::npos);
  // The mean over the heads has its own text.
  document::ViewState mean;
  mean.step = lesson::StepId::sentence;
  mean.mean_heads = true;
  EXPECT_NE(text_of_step(document::computed(configuration), mean).find("mean"), std::string::npos);
  configuration.parameters.num_heads = 2;
  EXPECT_EQ(text(lesson::StepId::input).find("how red"), std::string::npos);
}

// Only the first layers read embeddings: elsewhere nothing calls the input one.
TEST(StepWords, OfAnInputFromOtherLayersSayWhereItComesFrom) {
  const Session session(
      document::document_of(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  document::ViewState view_state = session.document().view_state;
  view_state.step = lesson::StepId::input;
  std::size_t from_layers = 0;
  for (const document::ComputedAttention& attention : session.computed().attentions) {
    view_state.attention = attention.id;
    const std::string words = words_of_step(session.computed(), view_state);
    const std::string formula = formula_of_step(attention, view_state);
    const model::Explanation made = model::explain(attention.trace, "query_input", {0, 0, 0});
    const bool computed = attention.has_computed_inputs;
    from_layers += computed ? 1 : 0;
    EXPECT_EQ(words.find("embedding") == std::string::npos, computed) << words;
    EXPECT_EQ(formula.empty(), computed) << formula;
    EXPECT_EQ(made_by(attention, made, false).find("layers") != std::string::npos, computed);
  }
  EXPECT_GT(from_layers, 0U);
}

TEST(StepWords, TheFormulaIsOfTheProjectionThatIsShown) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  document::ViewState view_state;
  const auto formula = [&](lesson::StepId step, document::Projection projection) {
    view_state.step = step;
    view_state.projection = projection;
    return formula_of_step(computed.attentions.front(), view_state);
  };
  using document::Projection;
  EXPECT_EQ(formula(lesson::StepId::transpose, Projection::q),
            "q_heads[h, l, d] = q_split[l, h, d]");
  EXPECT_EQ(formula(lesson::StepId::transpose, Projection::k),
            "k_heads[h, l, d] = k_split[l, h, d]");
  EXPECT_EQ(formula(lesson::StepId::split, Projection::v), "v_split[l, h, d] = v[l, h·D + d]");
  const std::string scores = formula(lesson::StepId::scores, Projection::k);
  EXPECT_NE(scores.find("q_heads"), std::string::npos) << scores;
}

TEST(StepWords, OfAProjectionSayThatHeadsComeLater) {
  const auto sentence = [](lesson::ExampleId example) {
    const document::Computed computed = document::computed(document::fresh(example, 0));
    document::ViewState view_state;
    view_state.attention = computed.attentions.front().id;
    view_state.step = lesson::StepId::project;
    return words_of_step(computed, view_state);
  };
  const std::string later = "heads come in the next step";
  EXPECT_NE(sentence(lesson::ExampleId::you_are_welcome).find(later), std::string::npos);
  EXPECT_EQ(sentence(lesson::ExampleId::pool_beats_badminton).find(later), std::string::npos);
}

// The guessing game gives away neither which mistake is made nor where.
TEST(StepWords, OfAMistakeAreForThoseWhoDoNotGuess) {
  Session session(
      document::document_of(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  ASSERT_TRUE(session.perform(document::ChooseStep{lesson::StepId::softmax}));
  document::ViewState view_state = session.document().view_state;
  const std::string right = text_of_step(session.attention(), view_state);
  ASSERT_TRUE(session.perform(document::SetMistake{model::Mistake::softmax_over_queries}));
  const auto rule = [&](bool guessing) {
    const document::ComputedAttention& attention = session.attention();
    return made_by(attention, model::explain(attention.trace, "attention_weights", {0, 0, 0, 0}),
                   guessing);
  };
  EXPECT_EQ(rule(false), base::text("stage.rule.softmax_over_queries"));
  EXPECT_EQ(rule(true), base::text("stage.rule.softmax"));
  view_state = session.document().view_state;
  view_state.guessing = false;
  EXPECT_NE(text_of_step(session.attention(), view_state), right);
  view_state.guessing = true;
  EXPECT_EQ(text_of_step(session.attention(), view_state), right);
}

// Counted by hand: a matrix each for queries, keys, values and the output.
TEST(StepWords, SayHowManyNumbersCanBeLearned) {
  const auto words = [](lesson::ExampleId example, std::size_t variant) {
    const document::Computed computed = document::computed(document::fresh(example, variant));
    return learnable_words(computed.attentions.front().trace);
  };
  EXPECT_EQ(words(lesson::ExampleId::pool_beats_badminton, 0), "") << "there are no weights";
  EXPECT_EQ(words(lesson::ExampleId::anthony_hopkins, 0),
            base::text("stage.project.learnable",
                       {{"count", 1048576},
                        {"sum",
                         "4 × 512 × 512 (q_proj_weight, k_proj_weight, v_proj_weight, "
                         "out_proj_weight)"}}));
  document::Configuration grouped = document::fresh(lesson::ExampleId::your_sentence, 0);
  grouped.parameters.num_kv_heads = 1;  // of two: keys and values are half as wide
  EXPECT_EQ(learnable_words(document::computed(grouped).attentions.front().trace),
            base::text("stage.project.learnable",
                       {{"count", 2 * 8 * 8 + 2 * 4 * 8},
                        {"sum",
                         "2 × 8 × 8 (q_proj_weight, out_proj_weight) + 2 × 4 × 8 (k_proj_weight, "
                         "v_proj_weight)"}}));
}

}  // namespace
}  // namespace stage
