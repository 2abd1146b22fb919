#include "app/api/explain.hpp"

#include <algorithm>
#include <cmath>

#include "attention/provenance.hpp"
#include "stage/scene/number_text.hpp"

namespace app {

using attention::Provenance;
using attention::Rule;
using attention::TensorId;
using attention::Term;

namespace {

std::string said(double value) { return stage::number_text_telling(static_cast<float>(value)); }

/// The word at a place; one that the sentence has twice is told with its place, from 1.
std::string word(const std::vector<std::vector<std::string>>& tokens, std::size_t sample,
                 std::size_t place) {
  if (sample >= tokens.size() || place >= tokens[sample].size()) return std::to_string(place);
  const std::vector<std::string>& row = tokens[sample];
  const bool once = std::count(row.begin(), row.end(), row[place]) == 1;
  return once ? row[place] : row[place] + " (" + std::to_string(place + 1) + ")";
}

std::string words_of(const document::ComputedAttention& attention, const attention::Cell& cell) {
  return cell_words(attention, {cell.tensor, cell.index});
}

/// " + 0.5 × −0.2", or " − 0.5 × …" for a first factor below zero.
void append(std::string& sum, const Term& term) {
  const bool minus = std::signbit(term.a.value) && term.a.value != 0.0F && !sum.empty();
  if (!sum.empty()) sum += minus ? " − " : " + ";
  sum += said(static_cast<double>(minus ? -term.a.value : term.a.value));
  if (term.has_b) sum += " × " + said(static_cast<double>(term.b.value));
}

std::string sum_of(const Provenance& made) {
  std::string sum;
  const std::size_t count = made.terms.size();
  const bool folded = count > most_spoken_terms;
  const std::size_t first = folded ? most_spoken_terms - 1 : count;
  for (std::size_t i = 0; i < first; ++i) append(sum, made.terms[i]);
  if (folded) {
    sum += " + … (" + std::to_string(count - first - 1) + " terms left out) …";
    append(sum, made.terms.back());
  }
  if (made.has_bias) sum += ", plus the bias " + said(static_cast<double>(made.bias.value));
  return sum;
}

std::string softmax_of(const document::ComputedAttention& attention, const Provenance& made) {
  const bool along_queries =
      attention.trace.interventions.mistake == attention::Mistake::softmax_over_queries;
  const Term& own = made.terms[made.selected];
  return "exp(" + said(static_cast<double>(own.a.value)) + " − " + said(made.maximum) +
         ") divided by the sum of " + std::to_string(made.terms.size()) +
         " such exponentials, one for each " + (along_queries ? "query" : "key") + ": " +
         said(own.value) + " / " + said(made.denominator);
}

std::string given(const document::ComputedAttention& attention, TensorId tensor) {
  const bool by_layer = (tensor == TensorId::query_input && attention.query_is_computed) ||
                        ((tensor == TensorId::key_input || tensor == TensorId::value_input) &&
                         attention.key_is_computed);
  return by_layer ? "computed by the layer before" : "given";
}

}  // namespace

std::string cell_words(const document::ComputedAttention& attention,
                       const document::CellRef& cell) {
  const auto axes = attention::axes_of(cell.tensor);
  const bool has = [&] {
    return std::find(axes.begin(), axes.end(), "Lk") != axes.end() &&
           std::find(axes.begin(), axes.end(), "Lq") != axes.end();
  }();
  const bool weight = axes.size() == 2 && axes[0] == "E";
  const std::size_t sample = axes[0] == "B" ? cell.index[0] : 0;
  std::string text(attention::name_of(cell.tensor));
  for (std::size_t axis = 0; axis < cell.index.rank() && axis < axes.size(); ++axis) {
    const std::size_t at = cell.index[axis];
    if (axes[axis] == "B") {
      if (attention.trace.config.batch > 1) text += ", sample " + std::to_string(at + 1);
    } else if (axes[axis] == "H") {
      text += ", head " + std::to_string(at + 1);
    } else if (axes[axis] == "Lq") {
      text += (has ? ", query " : ", token ") + word(attention.query_tokens, sample, at);
    } else if (axes[axis] == "Lk") {
      text += (has ? ", key " : ", token ") + word(attention.key_tokens, sample, at);
    } else if (weight) {
      text += (axis == 0 ? ", row " : ", column ") + std::to_string(at);
    } else {
      text += ", dimension " + std::to_string(at);
    }
  }
  return text;
}

std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell) {
  const Provenance made = attention::provenance(attention.trace, cell.tensor, cell.index);
  const std::string start =
      words_of(attention, made.cell) + ": " + said(static_cast<double>(made.cell.value));
  switch (made.rule) {
    case Rule::dot_product:
    case Rule::sum:
    case Rule::product:
      return start + " = " + sum_of(made);
    case Rule::divided:
      return start + " = " + said(static_cast<double>(made.terms[0].a.value)) + " / " +
             said(made.divisor);
    case Rule::softmax:
      return start + " = " + softmax_of(attention, made);
    case Rule::same_number:
      return start + ", the same number as " + words_of(attention, made.terms[0].a) +
             ", read through another shape";
    case Rule::copied:
      return start + ", copied from " + words_of(attention, made.terms[0].a);
    case Rule::fully_masked:
      return start + ", because the mask hides every key from this query";
    case Rule::ablated:
      return start + ", because this head is switched off";
    case Rule::overwritten:
      return start + ", written in place of what was computed: this key is hidden";
    case Rule::given_by_hand:
      return start + ", set by hand instead of computed";
    case Rule::position:
      return start + ", a " + (cell.index.back() % 2 == 0 ? "sine" : "cosine") +
             " of the position divided by " + said(made.divisor);
    case Rule::given:
      break;
  }
  return start + ", " + given(attention, cell.tensor);
}

}  // namespace app
