#include "lesson/steps/formula_speech.hpp"

#include <gtest/gtest.h>

#include <string>

#include "lesson/examples/example.hpp"
#include "lesson/forward.hpp"
#include "lesson/steps/formula.hpp"
#include "lesson/steps/step.hpp"

namespace lesson {
namespace {

TEST(FormulaSpeech, SaysNamesAndSigns) {
  EXPECT_EQ(spoken("attention_weights = softmax(masked_scores)"),
            "attention weights equals softmax of masked scores");
  EXPECT_EQ(spoken("scaled_scores = scores / √D"),
            "scaled scores equals scores divided by the square root of D");
  EXPECT_EQ(spoken("scaled_scores = scores / −2.5"),
            "scaled scores equals scores divided by minus 2.5");
  // With attention sinks a list, which is no index.
  EXPECT_EQ(spoken("weights = softmax([Q · Kᵀ, sinks])").find(" at "), std::string::npos);
  EXPECT_EQ(spoken(""), "");
}

TEST(FormulaSpeech, SaysEveryStep) {
  const auto of = [](StepId id) { return spoken(step(id).formula()); };
  EXPECT_EQ(of(StepId::overview),
            "output equals merge of softmax of Q times K transposed divided by the square root of "
            "D plus mask, end of softmax, times V, end of merge, times W transposed plus b");
  EXPECT_EQ(of(StepId::input), "query input equals token embedding plus position encoding");
  EXPECT_EQ(of(StepId::project),
            "q equals query input times W transposed plus b, k and v likewise with their own W and "
            "b");
  EXPECT_EQ(of(StepId::split), "q split at l, h, d equals q at l, h times D plus d");
  EXPECT_EQ(of(StepId::transpose), "q heads at h, l, d equals q split at l, h, d");
  EXPECT_EQ(of(StepId::scores),
            "scores equals q heads times k heads transposed, scores at i, j equals the sum of q "
            "heads at i, d times k heads at j, d");
  EXPECT_EQ(of(StepId::mask),
            "masked scores equals scaled scores plus mask, mask equals 0 or minus infinity");
  EXPECT_EQ(of(StepId::softmax),
            "attention weights at i, j equals the exponential of masked scores at i, j, end of the "
            "exponential, divided by the sum of the exponential of masked scores at i, all, end of "
            "the exponential");
  EXPECT_EQ(of(StepId::reweight),
            "head outputs at i equals the sum of attention weights at i, j times v heads at j");
  EXPECT_EQ(of(StepId::merge), "merged at l, h times D plus d equals head outputs at h, l, d");
  EXPECT_EQ(of(StepId::output), "output equals merged times W transposed plus b");
}

// What is said has no sign that a voice would spell or leave out, whatever an example leaves out.
TEST(FormulaSpeech, HasNoSigns) {
  constexpr std::string_view said =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789., ";
  for (const Example& example : examples()) {
    for (std::size_t variant = 0; variant < example.variants.size(); ++variant) {
      Parameters parameters;
      parameters.variant = variant;
      const model::Trace trace = forward(made(example.id, parameters));
      for (const Step& step : steps()) {
        const std::string formula = formula_for(step, trace);
        const std::string text = spoken(formula);
        const std::string where =
            std::string(example.name) + ' ' + std::string(step.name) + ": " + text;
        EXPECT_EQ(text.find_first_not_of(said), std::string::npos) << where;
        EXPECT_EQ(text.find("  "), std::string::npos) << where;
        EXPECT_EQ(text.find(",,"), std::string::npos) << where;
        EXPECT_EQ(formula.find('=') == std::string::npos,
                  text.find(" equals ") == std::string::npos)
            << where;
      }
    }
  }
}

}  // namespace
}  // namespace lesson
