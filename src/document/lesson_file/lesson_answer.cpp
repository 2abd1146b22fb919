// Compares answers with what is computed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/lesson_file/lesson_file.hpp"
#include "document/state/text.hpp"

namespace document {

namespace {

/// A typed number is close up to this many times of how far off it may be, or up to this share of
/// the right one.
constexpr double close_factor = 5.0;
constexpr double close_share = 0.1;

/// With as many digits as are of use in a sentence.
std::string rounded_text(double number) {
  if (!std::isfinite(number)) return number_text(static_cast<float>(number));
  std::array<char, 40> digits{};
  std::snprintf(digits.data(), digits.size(), "%.4g", number);
  std::string text = digits.data();
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

/// As a reader knows it: without the attention where there is but one.
std::string cell_words(const CellAddress& cell) {
  if (cell.attention != lesson::AttentionId::attention) return describe(cell);
  return std::string(model::name_of(cell.tensor)) + tensor::describe(cell.index);
}

base::Result<double> number_in(const CellAddress& cell, const Session& session) {
  const auto attention = attention_of(session.computed(), cell.attention);
  if (!attention) return base::fail(attention.error());
  const model::Trace& trace = (*attention)->trace;
  const tensor::Tensor tensor = trace.at_query(cell.tensor, std::nullopt);
  if (!tensor.defined())
    return base::fail(base::text("document.lesson.not_here", {{"cell", describe(cell)}}));
  if (!contains(tensor.shape(), cell.index)) return lies_outside(cell, tensor.shape());
  return static_cast<double>(tensor.at(cell.index));
}

bool is_close(double distance, double right, double within) {
  return distance <= std::max(close_factor * within, close_share * std::abs(right));
}

Verdict judge_number(double right, double typed, double within) {
  Verdict verdict;
  verdict.value = typed;
  const double distance = std::abs(typed - right);
  // Half a step of float more: 0.1 + 0.2 is within 0.3.
  verdict.right = distance <= within + std::abs(right) * 1e-7;
  verdict.distance = verdict.right ? 0.0 : distance;
  if (verdict.right) {
    verdict.said =
        base::text("document.lesson.said.right_number", {{"number", rounded_text(right)}});
    return verdict;
  }
  const bool close = is_close(distance, right, within);
  const bool large = typed > right;
  verdict.said = base::text(close   ? large ? "document.lesson.said.little_large"
                                            : "document.lesson.said.little_small"
                            : large ? "document.lesson.said.large"
                                    : "document.lesson.said.small");
  return verdict;
}

Verdict judge_cell(const CellAddress& right, const Session& session, double number) {
  Verdict verdict;
  const ViewState& shown = session.document().view_state;
  if (!shown.cell) {
    verdict.said = base::text("document.lesson.said.no_cell");
    return verdict;
  }
  const CellAddress chosen =
      canonical(session.computed(), {shown.attention, shown.cell->tensor, shown.cell->index});
  const CellAddress wanted = canonical(session.computed(), right);
  verdict.right = chosen == wanted;
  if (verdict.right) {
    verdict.value = number;
    verdict.distance = 0.0;
    verdict.said = base::text("document.lesson.said.right_cell",
                              {{"cell", cell_words(right)}, {"number", rounded_text(number)}});
    return verdict;
  }
  if (const auto value = number_in(chosen, session)) verdict.value = *value;
  if (chosen.attention != wanted.attention || chosen.tensor != wanted.tensor) {
    verdict.said = base::text("document.lesson.said.other_matrix",
                              {{"tensor", model::name_of(chosen.tensor)}});
    return verdict;
  }
  std::size_t apart = 0;
  for (std::size_t axis = 0; axis < wanted.index.rank(); ++axis) {
    const std::size_t here = chosen.index[axis];
    const std::size_t there = wanted.index[axis];
    apart += here < there ? there - here : here - there;
  }
  verdict.distance = static_cast<double>(apart);
  verdict.said = base::text(apart == 1 ? "document.lesson.said.next_to_it"
                                       : "document.lesson.said.other_cell");
  return verdict;
}

Verdict judge_reach(const RightAnswer& wanted, double number) {
  Verdict verdict;
  verdict.value = number;
  const double bound = *wanted.number;
  const double missing = wanted.at_most ? number - bound : bound - number;
  verdict.right = missing <= 0.0;
  verdict.distance = std::max(missing, 0.0);
  const bool close = is_close(missing, bound, 0.0);
  verdict.said = base::text(
      verdict.right    ? "document.lesson.said.reached"
      : wanted.at_most ? close ? "document.lesson.said.nearly_most" : "document.lesson.said.most"
      : close          ? "document.lesson.said.nearly_least"
                       : "document.lesson.said.least",
      {{"cell", cell_words(wanted.cell)},
       {"number", rounded_text(number)},
       {"bound", rounded_text(bound)}});
  return verdict;
}

}  // namespace

base::Result<Verdict> judge(const RightAnswer& wanted, const Session& session,
                            std::optional<double> typed) {
  const bool is_typed = wanted.kind == RightAnswer::Kind::number;
  double number = wanted.number.value_or(0.0);
  if (!is_typed || !wanted.number) {
    const auto computed = number_in(wanted.cell, session);
    if (!computed) return base::fail(computed.error());
    number = *computed;
  }
  if (is_typed) {
    if (!typed) return base::fail(base::text("document.lesson.said.no_number"));
    return judge_number(number, *typed, wanted.within);
  }
  return wanted.kind == RightAnswer::Kind::cell ? judge_cell(wanted.cell, session, number)
                                                : judge_reach(wanted, number);
}

}  // namespace document
