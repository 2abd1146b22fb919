#include "stage/wording/cell/gradient_words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "document/session.hpp"
#include "lesson/steps/formula.hpp"
#include "speaking.hpp"
#include "stage/wording/step_words.hpp"

namespace stage {
namespace {

using document::Session;
using lesson::StepId;

/// A target for one number of the output, and gradients in the place of values.
Session shows_gradients(lesson::ExampleId example, std::size_t variant) {
  Session session;
  EXPECT_TRUE(session.perform(document::ChooseExample{example, variant}));
  const document::CellAddress cell{session.attention().id, "output", {0, 0, 1}};
  EXPECT_TRUE(session.perform(document::SetTarget{cell, 0.5F}));
  EXPECT_TRUE(session.perform(document::ShowGradients{true}));
  return session;
}

TEST(GradientWords, WhereGradientsAreShownTheStepExplainsThemInEveryLanguage) {
  for (const char* language : all_languages) {
    const Speaking speaking(language);
    Session session = shows_gradients(lesson::ExampleId::you_are_welcome, 0);
    std::set<std::string> texts;
    for (const lesson::Step& step : lesson::steps()) {
      ASSERT_TRUE(session.perform(document::ChooseStep{step.id}));
      const document::ComputedAttention& attention = session.attention();
      document::ViewState view_state = session.document().view_state;
      ASSERT_TRUE(view_state.gradients);
      texts.insert(text_of_step(attention, view_state));
      EXPECT_EQ(text_of_step(attention, view_state), backward_text(step.id, attention.trace));
      const std::string formula = formula_of_step(attention, view_state);
      EXPECT_TRUE(formula.starts_with("d_")) << step.name << ": " << formula;
      view_state.gradients = false;
      EXPECT_EQ(formula_of_step(attention, view_state), lesson::formula_for(step, attention.trace));
    }
    EXPECT_EQ(texts.size(), lesson::step_count) << language;
  }
}

TEST(GradientWords, FormulasNameWhatIsThere) {
  const Session with = shows_gradients(lesson::ExampleId::pool_beats_badminton, 2);
  const model::Trace& weights = with.attention().trace;
  EXPECT_EQ(backward_formula(StepId::project, weights, false),
            "d_query_input = d_q · W,   d_W = d_qᵀ · query_input");
  EXPECT_EQ(backward_formula(StepId::scale, weights, false), "d_scores = d_scaled_scores / √D");
  EXPECT_EQ(backward_formula(StepId::scores, weights, false),
            "d_q_heads[i] = Σ d_scores[i, j] × k_heads[j],   "
            "d_k_heads[j] = Σ d_scores[i, j] × q_heads[i]");
  const Session without = shows_gradients(lesson::ExampleId::pool_beats_badminton, 0);
  const model::Trace& plain = without.attention().trace;
  EXPECT_EQ(backward_formula(StepId::project, plain, false), "d_query_input = d_q");
  EXPECT_EQ(backward_formula(StepId::scale, plain, false), "d_scores = d_scaled_scores");
  EXPECT_NE(backward_text(StepId::scale, plain), backward_text(StepId::scale, weights));
  EXPECT_NE(backward_text(StepId::project, plain), backward_text(StepId::project, weights));
  EXPECT_NE(backward_text(StepId::output, plain), backward_text(StepId::output, weights));
}

}  // namespace
}  // namespace stage
