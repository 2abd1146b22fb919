#include "stage/focus/step_cell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "document/setups.hpp"
#include "model/trace.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/explanation_words.hpp"

namespace stage {
namespace {

using document::CellRef;
using document::ComputedAttention;
using document::ViewState;
using lesson::StepId;
using model::Explanation;
using model::Rule;
using model::TensorId;
using tensor::Index;

constexpr int digits = 3;
constexpr std::size_t all_terms = 1'000'000;

/// Every attention of every example, computed once.
const std::vector<document::Computed>& all_computed() {
  static const std::vector<document::Computed> all = [] {
    std::vector<document::Computed> made;
    for (const document::Configuration& configuration : document::all_setups())
      made.push_back(document::computed(configuration));
    return made;
  }();
  return all;
}

/// Calls `check` for each attention and step, with choices that change on the way.
template <typename Check>
void for_each_look(Check check) {
  std::size_t number = 0;
  for (const document::Computed& computed : all_computed()) {
    for (const ComputedAttention& attention : computed.attentions) {
      for (const lesson::Step& step : lesson::steps()) {
        const model::Config& config = attention.trace.config;
        ViewState view_state;
        view_state.step = step.id;
        view_state.attention = attention.id;
        view_state.sample = number % config.batch;
        view_state.head = number % config.num_heads;
        view_state.query = number % config.query_len;
        view_state.key = number % config.key_len;
        view_state.projection = static_cast<document::Projection>(number++ % 3);
        SCOPED_TRACE(std::string(step.name) + " of " + std::string(lesson::name_of(attention.id)) +
                     ", query " + std::to_string(view_state.query));
        check(attention, view_state);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

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

bool starts_with(std::string_view text, std::string_view part) {
  return text.substr(0, part.size()) == part;
}
bool ends_with(std::string_view text, std::string_view part) {
  return text.size() >= part.size() && text.substr(text.size() - part.size()) == part;
}

/// The numbers of a text in order, as they are set: "−0.534", "12.000", "∞". Those of a cell's name
/// are in brackets before the first " = " and left out.
std::vector<std::string> numbers_of(const std::string& text) {
  std::vector<std::string> numbers;
  std::string_view rest = text;
  const std::string_view minus = "−";
  const std::string_view infinite = "∞";
  bool after_operand = false;  // a minus then is an operation
  while (!rest.empty()) {
    const bool sign = starts_with(rest, minus);
    std::string_view ahead = sign ? rest.substr(minus.size()) : rest;
    const bool digit = !ahead.empty() && ahead[0] >= '0' && ahead[0] <= '9';
    if ((digit || starts_with(ahead, infinite)) && !(sign && after_operand)) {
      std::string number = sign ? std::string(minus) : "";
      if (!digit) {
        number += infinite;
        ahead.remove_prefix(infinite.size());
      }
      while (digit && !ahead.empty() && ((ahead[0] >= '0' && ahead[0] <= '9') || ahead[0] == '.')) {
        number += ahead[0];
        ahead.remove_prefix(1);
      }
      numbers.push_back(number);
      rest = ahead;
      after_operand = true;
      continue;
    }
    if (rest[0] != ' ') after_operand = false;
    rest.remove_prefix(1);
  }
  return numbers;
}

/// What stands right of the cell's own name.
std::string arithmetic_of(const std::string& text) {
  const std::size_t equals = text.find(" = ");
  EXPECT_NE(equals, std::string::npos) << text;
  return equals == std::string::npos ? "" : text.substr(equals + 3);
}

TEST(StepCell, IsOneOfTheStepsOwn) {
  for_each_look([](const ComputedAttention& attention, const ViewState& view_state) {
    const CellRef cell = step_cell(attention, view_state);
    ASSERT_TRUE(attention.trace.has(cell.tensor));
    const tensor::Tensor& tensor = attention.trace[cell.tensor];
    ASSERT_EQ(cell.index.rank(), tensor.rank());
    const auto axes = model::axes_of(cell.tensor);
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
      ASSERT_LT(cell.index[axis], tensor.dim(axis)) << name_of(axes[axis]);
      const std::size_t place = cell.index[axis];
      EXPECT_TRUE(axes[axis] != model::Axis::B || place == view_state.sample) << place;
      EXPECT_TRUE(axes[axis] != model::Axis::H || place == view_state.head) << place;
      EXPECT_TRUE(axes[axis] != model::Axis::Lq || place == view_state.query) << place;
    }
    const auto& tensors = lesson::step(view_state.step).tensors;
    EXPECT_NE(std::find(tensors.begin(), tensors.end(), cell.tensor), tensors.end())
        << model::name_of(cell.tensor);
  });
}

TEST(Worked, BeginsWithTheCellAndEndsWithItsNumber) {
  for_each_cell(
      [](const ComputedAttention& attention, const CellRef& cell, const Explanation& made) {
        for (const std::size_t most : {std::size_t{2}, std::size_t{6}, all_terms}) {
          const std::string text = worked(attention, made, most);
          const std::string name = address_text(attention, cell.tensor, cell.index);
          ASSERT_TRUE(starts_with(text, name + " = ")) << text;
          const float value = attention.trace[cell.tensor].at(cell.index);
          const std::string number = number_text(value, digits);
          switch (made.rule) {
            case Rule::same_number:
              ASSERT_TRUE(ends_with(text, " = " + number + ", same place in memory")) << text;
              break;
            case Rule::copied:
              ASSERT_TRUE(ends_with(text, " = " + number + ", copied")) << text;
              break;
            case Rule::fully_masked:
              ASSERT_EQ(value, 0.0F);
              ASSERT_TRUE(ends_with(text, " = 0: every key is hidden")) << text;
              break;
            default:
              ASSERT_TRUE(ends_with(text, " = " + number)) << text;
              break;
          }
        }
      });
}

// Not a number in the line that is not the trace's or the arithmetic's own.
TEST(Worked, NumbersAreThoseOfTheTrace) {
  std::size_t sums = 0;
  std::size_t softmaxes = 0;
  for_each_cell([&](const ComputedAttention& attention, const CellRef& cell,
                    const Explanation& made) {
    const std::string text = worked(attention, made, all_terms);
    const std::string value = number_text(attention.trace[cell.tensor].at(cell.index), digits);
    std::vector<std::string> expected;
    const auto say = [&](float number) { expected.push_back(number_text(number, digits)); };
    switch (made.rule) {
      case Rule::dot_product:
      case Rule::sum:
      case Rule::product: {
        // "0.5 × −0.2 − 0.3 × 0.1": the sign of a later first factor is the operation before it.
        const auto add = [&](float number) { say(expected.empty() ? number : std::abs(number)); };
        for (const model::Term& term : made.terms) {
          add(term.a.value);
          ASSERT_EQ(term.a.value, attention.trace[term.a.tensor].at(term.a.index));
          if (!term.has_b) continue;
          say(term.b.value);
          ASSERT_EQ(term.b.value, attention.trace[term.b.tensor].at(term.b.index));
        }
        if (made.bias) add(made.bias->value);
        ++sums;
        break;
      }
      case Rule::divided:
        say(made.terms[0].a.value);
        say(static_cast<float>(made.divisor));
        break;
      case Rule::softmax:
        say(made.terms[made.selected].a.value);
        say(static_cast<float>(made.maximum));
        say(static_cast<float>(made.terms[made.selected].value));
        for (const model::Term& term : made.terms) say(static_cast<float>(term.value));
        ++softmaxes;
        break;
      default:
        return;
    }
    expected.push_back(value);
    std::vector<std::string> said = numbers_of(arithmetic_of(text));
    // exp(s − max): what is taken away may have a sign of its own.
    ASSERT_EQ(said, expected) << text;
  });
  EXPECT_GT(sums, 200U);
  EXPECT_GT(softmaxes, 20U);
}

TEST(Worked, WritesOutNoMoreTermsThanThereIsRoomFor) {
  std::size_t folded = 0;
  for_each_cell(
      [&folded](const ComputedAttention& attention, const CellRef&, const Explanation& made) {
        if (made.rule != Rule::dot_product) return;
        for (const std::size_t most : {std::size_t{3}, std::size_t{5}}) {
          const std::string text = worked(attention, made, most);
          std::size_t products = 0;
          for (std::size_t at = text.find(" × "); at != std::string::npos;
               at = text.find(" × ", at + 1))
            ++products;
          ASSERT_EQ(products, std::min(most, made.terms.size())) << text;
          const bool fold = text.find(" + …") != std::string::npos;
          ASSERT_EQ(fold, made.terms.size() > most) << text;
          folded += fold ? 1 : 0;
        }
      });
  EXPECT_GT(folded, 20U);
}

// PRODUCT.md's smallest example, by hand.
TEST(Worked, ReadsAsAPersonWouldWriteIt) {
  const ComputedAttention& attention = all_computed()[0].attentions[0];
  const Explanation weight = model::explain(attention.trace, "attention_weights", {0, 0, 0, 1});
  const std::string text = worked(attention, weight, 8);
  EXPECT_NE(text.find("exp("), std::string::npos) << text;
  EXPECT_NE(text.find(") / Σ exp = "), std::string::npos) << text;
  EXPECT_EQ(text.find("--"), std::string::npos) << text;
  EXPECT_EQ(text.find('-'), std::string::npos) << text;  // no ASCII minus
}

TEST(ShapesOf, AreThoseOfTheTrace) {
  for_each_look([](const ComputedAttention& attention, const ViewState& view_state) {
    const std::string text = shapes_of(attention, view_state);
    ASSERT_FALSE(text.empty());
    // Every "name [..]" in it is a tensor of this attention with these axes.
    std::size_t named = 0;
    for (const TensorId tensor : attention.trace.present()) {
      std::string shape = std::string(model::name_of(tensor)) + " [";
      const auto axes = model::axes_of(tensor);
      for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
        if (axes[axis] == model::Axis::B) continue;  // said once for all, where there are several
        shape += (shape.back() == '[' ? "" : ", ") + std::string(name_of(axes[axis])) + " " +
                 std::to_string(attention.trace[tensor].dim(axis));
      }
      shape += "]";
      const std::size_t at = text.find(shape);
      if (at != std::string::npos && (at == 0 || text[at - 1] == ' ')) ++named;
    }
    std::size_t brackets = 0;
    for (const char letter : text) brackets += letter == '[' ? 1 : 0;
    EXPECT_EQ(named, brackets) << text;
    const std::size_t batch = attention.trace.config.batch;
    EXPECT_EQ(text.find("for each of B " + std::to_string(batch) + " samples") != std::string::npos,
              batch > 1)
        << text;
    const CellRef cell = step_cell(attention, view_state);
    EXPECT_NE(text.find(std::string(model::name_of(cell.tensor)) + " ["), std::string::npos)
        << text;
  });
}

}  // namespace
}  // namespace stage
