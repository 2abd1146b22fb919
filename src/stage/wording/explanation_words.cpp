#include "stage/wording/explanation_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/roles.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::Explanation;
using model::Rule;
using model::TensorId;
using model::Term;

namespace {

/// With enough digits to tell numbers apart.
std::string number(double value) { return number_text_telling(static_cast<float>(value)); }

/// The word at a position, followed by the position if the sentence has the same word twice.
std::string word(const std::vector<std::vector<std::string>>& tokens, std::size_t sample,
                 std::size_t place) {
  if (sample >= tokens.size() || place >= tokens[sample].size()) return std::to_string(place);
  const std::vector<std::string>& row = tokens[sample];
  const bool once = std::count(row.begin(), row.end(), row[place]) == 1;
  return once ? row[place] : row[place] + " (" + std::to_string(place) + ")";
}

/// Adds " + 0.5 × −0.2", or " − 0.5 × …" where the first factor is negative.
void append(std::string& sum, const Term& term) {
  const bool minus = std::signbit(term.a.value) && term.a.value != 0.0F && !sum.empty();
  if (!sum.empty()) sum += minus ? " − " : " + ";
  sum += number(static_cast<double>(minus ? -term.a.value : term.a.value));
  if (term.has_b) sum += " × " + number(static_cast<double>(term.b.value));
}

/// The sum in words, which say how many terms of a long one are left out.
std::string sum_of(const Explanation& made) {
  std::string sum;
  const std::size_t count = made.terms.size();
  const bool folded = count > most_spoken_terms;
  const std::size_t first = folded ? most_spoken_terms - 1 : count;
  for (std::size_t i = 0; i < first; ++i) append(sum, made.terms[i]);
  if (folded) {
    sum += " + … (" + std::to_string(count - first - 1) + " terms left out) …";
    append(sum, made.terms.back());
  }
  if (!made.bias) return sum;
  return sum + ", plus the bias " + number(static_cast<double>(made.bias->value));
}

std::string softmax_of(const document::ComputedAttention& attention, const Explanation& made) {
  const Term& own = made.terms[made.selected];
  const bool along_queries =
      attention.trace.overrides.mistake == model::Mistake::softmax_over_queries;
  return "exp(" + number(static_cast<double>(own.a.value)) +
         (made.maximum ? " − " + number(*made.maximum) : "") + ") divided by the sum of " +
         std::to_string(made.terms.size()) + " such exponentials, one for each " +
         (along_queries ? "query" : "key") + ": " + number(own.value) + " / " +
         number(made.denominator);
}

std::string softmax_gradient_of(const Explanation& made) {
  double mean = 0.0;
  for (const Term& term : made.terms) mean += term.value;
  return number(made.factor) + ", the weight, × (" +
         number(static_cast<double>(made.terms[made.selected].a.value)) + " − " + number(mean) +
         "), where " + number(mean) + " is the sum of gradient × weight over the row";
}

/// The arithmetic that made the number; empty if it was not computed by any.
std::string arithmetic(const document::ComputedAttention& attention, const Explanation& made) {
  switch (made.rule) {
    case Rule::dot_product:
    case Rule::sum:
    case Rule::product:
      return sum_of(made);
    case Rule::divided:
      return number(static_cast<double>(made.terms[0].a.value)) + " / " + number(made.divisor);
    case Rule::softmax:
      return softmax_of(attention, made);
    case Rule::difference:
      return number(static_cast<double>(made.terms[0].a.value)) + " − " +
             number(static_cast<double>(made.terms[1].a.value));
    case Rule::half_squares:
      return "half the sum of " + std::to_string(made.terms.size()) + " squared differences";
    case Rule::softmax_gradient:
      return softmax_gradient_of(made);
    case Rule::layer_norm_gradient:
      return "(" + number(made.terms[made.selected].value) + " − " + number(made.mean) + " − " +
             number(made.factor) + " × " + number(made.denominator) + ") / " + number(made.divisor);
    case Rule::function_gradient:
    case Rule::scaled:
      return number(static_cast<double>(made.terms[0].a.value)) + " × " + number(made.factor);
    case Rule::scaled_sum:
    case Rule::normed_products:
      return "the sum of " + std::to_string(made.terms.size()) + " products";
    case Rule::cross_entropy:
      return "the mean of −log of the probability of the right token, over " +
             std::to_string(made.terms.size()) + " tokens";
    case Rule::cross_entropy_gradient:
      return "(" + number(made.factor) + " − " + number(made.mean) + ") / " + number(made.divisor);
    case Rule::rotated:
      return number(static_cast<double>(made.terms[0].a.value)) + " × " +
             number(std::cos(made.angle)) + " + " +
             number(static_cast<double>(made.terms[1].a.value)) + " × " + number(made.factor);
    case Rule::distance:
      return number(made.factor) + " × the distance " + number(made.distance);
    case Rule::rms_norm:
      return number(made.terms[made.selected].value) + " / " + number(made.divisor) +
             (made.weight ? " × " + number(static_cast<double>(made.weight->value)) : "");
    case Rule::rms_norm_gradient:
      return "(" + number(made.terms[made.selected].value) + " − " + number(made.factor) + " × " +
             number(made.denominator) + ") / " + number(made.divisor);
    default:
      return "";
  }
}

}  // namespace

std::string given_words(const document::ComputedAttention& attention, TensorId tensor) {
  const bool by_layer = attention.has_computed_inputs && model::roles::is_input(tensor);
  return by_layer ? "computed by the previous layer" : "an input";
}

std::string words_for(const document::ComputedAttention& attention, model::Axis axis,
                      std::size_t sample, std::size_t index) {
  const auto token = [&](const std::vector<std::vector<std::string>>& tokens) {
    return sample < tokens.size() && index < tokens[sample].size() ? tokens[sample][index]
                                                                   : std::to_string(index);
  };
  if (axis == model::Axis::B) return "sample " + std::to_string(index);
  if (axis == model::Axis::H) return "head " + std::to_string(index);
  if (axis == model::Axis::G) return "group " + std::to_string(index);
  if (axis == model::Axis::Lq) return token(attention.query_tokens);
  if (axis == model::Axis::Lk) return token(attention.key_tokens);
  return std::to_string(index);
}

std::string address_text(const document::ComputedAttention& attention, model::TensorId tensor,
                         const tensor::Index& index) {
  const auto axes = attention.trace.axes_of(tensor);
  std::string text(model::name_of(tensor));
  text += '[';
  for (std::size_t axis = 0; axis < index.rank(); ++axis) {
    if (axis < axes.rank() && axes[axis] == model::Axis::B) continue;
    if (text.back() != '[') text += ", ";
    text += std::to_string(index[axis]);
  }
  return text + "]";
}

std::string place_words(const document::ComputedAttention& attention,
                        const document::CellRef& cell) {
  const auto axes = attention.trace.axes_of(cell.tensor);
  const bool both = axes.has(model::Axis::Lk) && axes.has(model::Axis::Lq);
  const bool weight = axes.rank() == 2 && !axes.has(model::Axis::Lq);
  const std::size_t sample = axes.has(model::Axis::B) ? cell.index[0] : 0;
  std::string text;
  std::size_t head = 0;
  for (std::size_t axis = 0; axis < cell.index.rank() && axis < axes.rank(); ++axis) {
    const std::size_t at = cell.index[axis];
    if (axes[axis] == model::Axis::B) {
      if (attention.trace.config.batch > 1) text += ", sample " + std::to_string(at);
    } else if (ops::counts_heads(axes[axis])) {
      text += ", " + head_words(attention.trace, cell.tensor, at);
      head = at;
    } else if (axes[axis] == model::Axis::Lq) {
      text += (both ? ", query " : ", token ") + word(attention.query_tokens, sample, at);
    } else if (axes[axis] == model::Axis::Lk) {
      text += (both ? ", key " : ", token ") + word(attention.key_tokens, sample, at);
    } else if (weight) {
      text += (axis == 0 ? ", row " : ", column ") + std::to_string(at);
    } else {
      const auto feature = document::feature_name(attention, axes[axis], head, at);
      text += ", dimension " + std::to_string(at);
      if (!feature.empty()) text += " (" + std::string(feature) + ")";
    }
  }
  return text.empty() ? text : text.substr(2);
}

std::string cell_words(const document::ComputedAttention& attention,
                       const document::CellRef& cell) {
  const std::string place = place_words(attention, cell);  // empty for a single number: the loss
  return std::string(model::name_of(cell.tensor)) + (place.empty() ? "" : ", " + place);
}

std::string axis_words(std::string_view shape) {
  struct Letter {
    std::string_view letter;
    std::string_view words;
  };
  constexpr std::array letters = {
      Letter{"B", "samples in the batch"},
      Letter{"H", "heads"},
      Letter{"G", "key/value heads"},
      Letter{"Lq", "query tokens"},
      Letter{"Lk", "key tokens"},
      Letter{"L", "tokens"},
      Letter{"E", "numbers per token"},
      Letter{"D", "numbers per head"},
      Letter{"G·D", "numbers of all key/value heads"},
      Letter{"kdim", "numbers per token of the key input"},
      Letter{"vdim", "numbers per token of the value input"},
      Letter{"F", "width of the feed-forward layer"},
  };
  std::string text;
  for (const Letter& each : letters) {
    const std::string sized = std::string(each.letter) + " ";
    const bool named = shape.find("[" + sized) != std::string_view::npos ||
                       shape.find(" " + sized) != std::string_view::npos;
    if (!named) continue;
    text += (text.empty() ? "" : ", ") + std::string(each.letter) + ": " + std::string(each.words);
  }
  return text;
}

const char* made_by(Rule rule) {
  // In the order of Rule's values.
  constexpr std::array words = {
      "an input of this attention",
      "the same number in memory as",
      "sum of",
      "dot product: sum of",
      "weight × value",
      "divided by the scale",
      "exp of this score, divided by the sum over its row",
      "0 by definition: every key is hidden, and 0/0 would be NaN, as in PyTorch.",
      "copied in memory from",
      "set by hand instead of computed",
      "sine or cosine of the position",
      "0, because this head is switched off.",
      "computed, then set to 0: this key is hidden.",
      "layer norm",
      "a function of",
      "difference of",
      "half the sum of the squares of",
      "weight × (its gradient − the row's gradients, each times its weight, added up)",
      "gradient of a layer norm",
      "gradient × slope of the function",
      "sum of gradient × normalised number",
      "a number times a factor",
      "sum of numbers times a factor",
      "mean of −log of the probability of the right token",
      "probability − wanted probability, divided by the number of tokens",
      "turned by its position: sum of",
      "slope of the head × distance of query and key",
      "divided by the root of the mean square of",
      "gradient of an RMS norm",
  };
  static_assert(words.size() == static_cast<std::size_t>(Rule::rms_norm_gradient) + 1);
  return words[static_cast<std::size_t>(rule)];
}

std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell) {
  const Explanation made = model::explain(attention.trace, cell.tensor, cell.index);
  const std::string start = cell_words(attention, {made.cell.tensor, made.cell.index}) + ": " +
                            number(static_cast<double>(made.cell.value));
  const std::string sum = arithmetic(attention, made);
  if (!sum.empty()) return start + " = " + sum;
  const auto source = [&] {
    return cell_words(attention, {made.terms[0].a.tensor, made.terms[0].a.index});
  };
  switch (made.rule) {
    case Rule::same_number:
      return start + ", the same number in memory as " + source();
    case Rule::copied:
      return start + ", copied from " + source();
    case Rule::fully_masked:
      return start + " by definition, because every key is hidden from this query";
    case Rule::ablated:
      return start + ", because this head is switched off";
    case Rule::overwritten:
      return start + ", computed and then set to 0: this key is hidden";
    case Rule::given_by_hand:
      return start + ", set by hand instead of computed";
    case Rule::position:
      return start + ", a " + (cell.index.back() % 2 == 0 ? "sine" : "cosine") +
             " of the position divided by " + number(made.divisor);
    default:
      return start + ", " + given_words(attention, cell.tensor);
  }
}

}  // namespace stage
