#include "stage/wording/cell/explanation_words.hpp"

#include <gtest/gtest.h>

#include <string>

#include "document/session.hpp"
#include "model/trace.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {
namespace {

using model::Explanation;
using model::Rule;
using model::TensorId;

document::Session session_of(lesson::ExampleId example) {
  document::Session session;
  EXPECT_TRUE(session.perform(document::ChooseExample{example, 0}));
  return session;
}

std::string text_of(double value) { return stage::number_text_telling(static_cast<float>(value)); }

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST(Explanation, WritesTheProductsOut) {
  const document::Session session = session_of(lesson::ExampleId::pool_beats_badminton);
  EXPECT_EQ(explanation(session.attention(), {"scores", {0, 0, 0, 1}}),
            "scores, head 0, query pool, key beats: 0.140 = 0.500 × 0.100 + 0.100 × 0.500 + 0.100 "
            "× 0.200 + 0.200 × 0.100");
  EXPECT_EQ(explanation(session.attention(), {"query_input", {0, 2, 3}}),
            "query_input, token badminton, dimension 3: 0.100, an input of this attention");
}

TEST(Explanation, SaysHowManyTermsItLeavesOut) {
  const document::Session session = session_of(lesson::ExampleId::anthony_hopkins);
  const std::string text = explanation(session.attention(), {"scores", {0, 2, 3, 4}});
  EXPECT_TRUE(has(text, "scores, head 2, query Michael, key Bay: ")) << text;
  EXPECT_TRUE(has(text, "(58 terms left out)")) << text;  // 64 wide: five first ones, the last one
}

TEST(CellWords, TellTwoOfAWordApart) {
  const document::Session session = session_of(lesson::ExampleId::lazy_dog);
  EXPECT_EQ(cell_words(session.attention(), {"scores", {0, 0, 0, 4}}),
            "scores, head 0, query the (0), key the (4)");
  EXPECT_EQ(cell_words(session.attention(), {"scores", {0, 0, 1, 6}}),
            "scores, head 0, query cat, key dog");
}

/// Held to the trace: the number, and of the arithmetic each number that is said.
void expect_true(const document::ComputedAttention& attention, const document::CellRef& cell) {
  const Explanation made = model::explain(attention.trace, cell.tensor, cell.index);
  const std::string text = explanation(attention, cell);
  const float value = attention.trace[cell.tensor].at(cell.index);
  const std::string start = cell_words(attention, cell) + ": " + text_of(value);
  ASSERT_TRUE(text.starts_with(start)) << text;
  ASSERT_FALSE(has(text, "NaN")) << text;
  switch (made.rule) {
    case Rule::dot_product:
    case Rule::sum:
    case Rule::product: {
      const std::size_t count = made.terms.size();
      const bool folded = count > most_spoken_terms;
      ASSERT_EQ(has(text, "left out"), folded) << text;
      if (folded) {
        ASSERT_TRUE(has(text, "(" + std::to_string(count - most_spoken_terms) + " terms")) << text;
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (folded && i + 1 >= most_spoken_terms && i + 1 < count) continue;
        std::string product = text_of(std::abs(made.terms[i].a.value));
        if (made.terms[i].has_b) product += " × " + text_of(made.terms[i].b.value);
        ASSERT_TRUE(has(text, product)) << product << " in " << text;
      }
      ASSERT_EQ(has(text, "plus the bias"), made.bias.has_value()) << text;
      break;
    }
    case Rule::divided:
      ASSERT_TRUE(has(text, " / " + text_of(made.divisor))) << text;
      break;
    case Rule::softmax:
      ASSERT_TRUE(
          has(text, text_of(made.terms[made.selected].value) + " / " + text_of(made.denominator)))
          << text;
      break;
    case Rule::same_number:
    case Rule::copied:
      ASSERT_TRUE(has(text, cell_words(attention, {made.terms[0].a.tensor, made.terms[0].a.index})))
          << text;
      break;
    default:
      break;
  }
}

TEST(Explanation, IsTrueOfEveryTensorOfEveryExample) {
  for (const lesson::Example& example : lesson::examples()) {
    document::Session session = session_of(example.id);
    for (std::size_t variant = 0; variant < example.variants.size(); ++variant) {
      ASSERT_TRUE(session.perform(document::ChooseVariant{variant}));
      for (const document::ComputedAttention& attention : session.computed().attentions) {
        for (const TensorId tensor : attention.trace.present()) {
          tensor::Index first;
          tensor::Index middle;
          tensor::Index last;
          for (const std::size_t size : attention.trace[tensor].shape()) {
            first.push_back(0);
            middle.push_back(size / 2);
            last.push_back(size - 1);
          }
          for (const tensor::Index& index : {first, middle, last}) {
            expect_true(attention, {tensor, index});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(TermWords, ASoftmaxOverQueriesNamesTheQueries) {
  document::Session session = session_of(lesson::ExampleId::gender_and_number);
  const auto terms = [&session] {
    const document::ComputedAttention& attention = session.attention();
    const Explanation made = model::explain(attention.trace, "attention_weights", {0, 0, 6, 0});
    std::vector<std::string> words;
    for (const model::Term& term : made.terms) words.push_back(term_words(attention, made, term));
    return words;
  };
  const document::ComputedAttention& attention = session.attention();
  EXPECT_EQ(terms(), attention.key_tokens[0]);
  ASSERT_TRUE(session.perform(document::SetMistake{model::Mistake::softmax_over_queries}));
  EXPECT_EQ(terms(), session.attention().query_tokens[0]);
}

}  // namespace
}  // namespace stage
