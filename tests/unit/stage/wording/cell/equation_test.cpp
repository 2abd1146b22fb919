#include "stage/wording/cell/equation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "document/setups.hpp"
#include "model/trace.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace stage::equations {
namespace {

using document::all_computed;
using document::CellRef;
using document::ComputedAttention;
using model::Explanation;
using model::Rule;
using model::TensorId;
using tensor::Index;

constexpr std::size_t all_terms = 1'000'000;

/// A cell of the tensor, chosen by chance that is the same every time.
Index some_index(const tensor::Tensor& tensor, std::mt19937& chance) {
  Index index;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis)
    index.push_back(chance() % tensor.dim(axis));
  return index;
}

/// Calls `check` for cells of every computed tensor.
template <typename Check>
void for_each_cell(Check check) {
  std::mt19937 chance(20);
  for (const document::Computed& computed : all_computed()) {
    for (const ComputedAttention& attention : computed.attentions) {
      for (const TensorId tensor : attention.trace.present()) {
        for (int i = 0; i < 4; ++i) {
          const CellRef cell{tensor, some_index(attention.trace[tensor], chance)};
          SCOPED_TRACE(address_text(attention, cell.tensor, cell.index));
          check(attention, cell, model::explain(attention.trace, tensor, cell.index));
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

/// What is printed and the number may differ by half of the last digit.
bool says(const std::string& text, double value) {
  float read = 0.0F;
  if (!parse_number(text, read)) return false;
  if (!std::isfinite(value)) return static_cast<double>(read) == value;
  return std::abs(static_cast<double>(read) - value) <= 0.0005001;
}

std::vector<model::Cell> cells_in(const std::vector<EquationPart>& parts) {
  std::vector<model::Cell> cells;
  for (const EquationPart& part : parts) {
    if (part.cell) cells.push_back(*part.cell);
  }
  return cells;
}

// What is displayed is what was computed.
TEST(Equation, HasOnlyNumbersOfTheTrace) {
  std::size_t numbers = 0;
  for_each_cell([&](const ComputedAttention& attention, const CellRef& cell, const Explanation&) {
    for (const std::size_t most : {std::size_t{1}, std::size_t{3}, std::size_t{8}, all_terms}) {
      for (const EquationPart& part : equation(attention, {cell, {}, {}}, most)) {
        if (!part.cell) continue;
        const float value = attention.trace[part.cell->tensor].at(part.cell->index);
        const model::Cell shown{part.cell->tensor, part.cell->index, value};
        ASSERT_EQ(part.text, equation_number(shown)) << model::name_of(part.cell->tensor);
        ASSERT_TRUE(says(part.text, static_cast<double>(value))) << part.text;
        ++numbers;
      }
    }
  });
  EXPECT_GT(numbers, 2000U);
}

TEST(Equation, BeginsWithTheCellAndEndsWithItsNumber) {
  for_each_cell([](const ComputedAttention& attention, const CellRef& cell, const Explanation&) {
    for (const std::size_t most : {std::size_t{2}, std::size_t{6}, all_terms}) {
      const auto parts = equation(attention, {cell, {}, {}}, most);
      ASSERT_EQ(parts.front().text, address_text(attention, cell.tensor, cell.index));
      const model::Cell last = cells_in(parts).back();
      ASSERT_EQ(last.tensor, cell.tensor);
      ASSERT_EQ(last.index, cell.index);
    }
  });
}

// Written out in full, it has every cell that the number was made of, in their order; folded, what
// is left out is there as one number.
TEST(Equation, HasAllThatTheNumberWasMadeOf) {
  std::size_t sums = 0;
  std::size_t folded = 0;
  for_each_cell([&](const ComputedAttention& attention, const CellRef& cell,
                    const Explanation& made) {
    if (made.rule != Rule::dot_product && made.rule != Rule::sum) return;
    std::vector<model::Cell> expected;
    for (const model::Term& term : made.terms) {
      expected.push_back(term.a);
      if (term.has_b) expected.push_back(term.b);
    }
    if (made.bias) expected.push_back(*made.bias);
    expected.push_back(made.cell);
    const std::vector<model::Cell> told = cells_in(equation(attention, {cell, {}, {}}, all_terms));
    ASSERT_EQ(told.size(), expected.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      ASSERT_EQ(told[i].tensor, expected[i].tensor);
      ASSERT_EQ(told[i].index, expected[i].index);
    }
    ++sums;
    if (made.terms.size() < 4) return;
    const auto parts = equation(attention, {cell, {}, {}}, 3);
    // All but the two largest.
    std::vector<double> values;
    for (const model::Term& term : made.terms) values.push_back(term.value);
    std::stable_sort(values.begin(), values.end(),
                     [](double a, double b) { return std::fabs(a) > std::fabs(b); });
    const double rest = std::accumulate(values.begin() + 2, values.end(), 0.0);
    const std::string text = text_of(parts);
    ASSERT_NE(text.find(" + " + equation_number(static_cast<float>(rest)) + " from " +
                        std::to_string(made.terms.size() - 2) + " more"),
              std::string::npos)
        << text;
    ++folded;
  });
  EXPECT_GT(sums, 200U);
  EXPECT_GT(folded, 50U);
}

// While a sum is being added up, all its terms can be read, and those to come are told apart.
TEST(Equation, SaysHowFarASumHasCome) {
  const ComputedAttention& attention = all_computed()[0].attentions[0];
  const CellRef cell{"head_outputs", {0, 0, 1, 0}};
  const Explanation made = model::explain(attention.trace, cell.tensor, cell.index);
  for (std::size_t added = 0; added < made.terms.size(); ++added) {
    const auto parts = equation(attention, {cell, FocusBy::moving, added}, all_terms);
    double so_far = 0.0;
    for (std::size_t i = 0; i < added; ++i) so_far += made.terms[i].value;
    const std::string text = text_of(parts);
    EXPECT_TRUE(text.ends_with(" = " + equation_number(static_cast<float>(so_far)) + " so far"))
        << text;
    EXPECT_EQ(cells_in(parts).size(), 2 * made.terms.size()) << text;
    for (const EquationPart& part : parts) {
      if (!part.cell) continue;
      const auto is_part = [&](const model::Cell& factor) {
        return part.cell->tensor == factor.tensor && part.cell->index == factor.index;
      };
      const auto is_of = [&](const model::Term& term) {
        return is_part(term.a) || is_part(term.b);
      };
      const auto term = std::find_if(made.terms.begin(), made.terms.end(), is_of);
      ASSERT_NE(term, made.terms.end());
      EXPECT_EQ(part.pending, term - made.terms.begin() >= static_cast<std::ptrdiff_t>(added));
    }
    // Too long for the line: those that have been added.
    const auto shortened = equation(attention, {cell, FocusBy::moving, added}, 1);
    EXPECT_TRUE(
        text_of(shortened).ends_with(equation_number(static_cast<float>(so_far)) + " so far"));
    EXPECT_LE(cells_in(shortened).size(), 2U);
  }
  const auto whole = equation(attention, {cell, FocusBy::moving, made.terms.size()}, all_terms);
  EXPECT_EQ(text_of(whole), text_of(equation(attention, {cell, {}, {}}, all_terms)));
}

TEST(Equation, OfAWeightDividesItsExponentialByTheirSum) {
  const ComputedAttention& attention = all_computed()[0].attentions[0];
  const CellRef cell{"attention_weights", {0, 0, 0, 1}};
  const std::string text = text_of(equation(attention, {cell, {}, {}}, 8));
  EXPECT_NE(text.find("exp("), std::string::npos) << text;
  EXPECT_NE(text.find(") / Σ exp = "), std::string::npos) << text;
  EXPECT_EQ(text.find('-'), std::string::npos) << text;  // no ASCII minus
}

TEST(EquationNumber, OfACellIsNeverZeroUnlessTheCellIs) {
  const auto of = [](float value) { return equation_number(model::Cell{"scores", {}, value}); };
  EXPECT_EQ(of(0.000008F), "8.00e−6");
  EXPECT_EQ(of(-0.00038F), "−0.000380");
  EXPECT_EQ(of(0.0F), "0");
  EXPECT_EQ(of(1e-8F), "0.000");
  EXPECT_EQ(of(0.0123F), "0.012");
}

TEST(EquationNumber, IsAsShortAsItCanBeWithoutSayingLess) {
  EXPECT_EQ(equation_number(0.5F), "0.5");
  EXPECT_EQ(equation_number(-12.0F), "−12");
  EXPECT_EQ(equation_number(0.0F), "0");
  EXPECT_EQ(equation_number(0.45F), "0.45");
  EXPECT_EQ(equation_number(-1.23456F), "−1.235");
  EXPECT_EQ(equation_number(-INFINITY), "−∞");
}

// What a number was copied from would tell which mistake it is.
TEST(Equation, ToldToOneWhoGuessesIsTheNumberAlone) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  const document::ComputedAttention& attention = computed.attentions.front();
  const document::CellRef cell{"attention_weights", {0, 1, 2, 0}};
  const auto parts = equation(attention, {cell, {}, {}}, 8, true);
  const float value = attention.trace["attention_weights"].at(cell.index);
  EXPECT_EQ(text_of(parts),
            "attention_weights[1, 2, 0] = " + equation_number({cell.tensor, cell.index, value}));
}

}  // namespace
}  // namespace stage::equations
