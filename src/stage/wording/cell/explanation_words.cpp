#include "stage/wording/cell/explanation_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/order.hpp"
#include "base/text.hpp"
#include "model/roles.hpp"
#include "stage/motion/products_back.hpp"
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
    sum += " + " + base::text("stage.explained.left_out", {{"count", count - first - 1}});
    append(sum, made.terms.back());
  }
  if (!made.bias) return sum;
  return base::text("stage.explained.with_bias",
                    {{"sum", sum}, {"bias", number(static_cast<double>(made.bias->value))}});
}

std::string softmax_of(const document::ComputedAttention& attention, const Explanation& made) {
  const Term& own = made.terms[made.selected];
  const bool along_queries = runs_down_columns(attention);
  return base::text(along_queries ? "stage.explained.softmax_over_queries"
                    : made.bias   ? "stage.explained.softmax_with_sink"
                                  : "stage.explained.softmax_over_keys",
                    {{"exponent", number(static_cast<double>(own.a.value)) +
                                      (made.maximum ? " − " + number(*made.maximum) : "")},
                     {"count", made.terms.size()},
                     {"own", number(own.value)},
                     {"sum", number(made.denominator)}});
}

std::string softmax_gradient_of(const Explanation& made) {
  double mean = 0.0;
  for (const Term& term : made.terms) mean += term.value;
  return base::text("stage.explained.softmax_gradient",
                    {{"weight", number(made.factor)},
                     {"gradient", number(static_cast<double>(made.terms[made.selected].a.value))},
                     {"sum", number(mean)}});
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
    case Rule::mean:
      return "(" + sum_of(made) + ") / " + number(made.divisor);
    case Rule::softmax:
      return softmax_of(attention, made);
    case Rule::difference:
      return number(static_cast<double>(made.terms[0].a.value)) + " − " +
             number(static_cast<double>(made.terms[1].a.value));
    case Rule::half_squares:
      return base::text("stage.explained.half_squares", {{"count", made.terms.size()}});
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
    case Rule::sink_gradient:
      return base::text("stage.explained.products", {{"count", made.terms.size()}});
    case Rule::cross_entropy:
      return base::text("stage.explained.cross_entropy", {{"count", made.terms.size()}});
    case Rule::cross_entropy_gradient:
      return "(" + number(made.factor) + " − " + number(made.mean) + ") / " + number(made.divisor);
    case Rule::rotated:
      return number(static_cast<double>(made.terms[0].a.value)) + " × " + number(made.cosine) +
             " + " + number(static_cast<double>(made.terms[1].a.value)) + " × " +
             number(made.factor);
    case Rule::distance:
      return base::text("stage.explained.distance",
                        {{"slope", number(made.factor)}, {"distance", number(made.distance)}});
    case Rule::rms_norm:
      return number(made.terms[made.selected].value) + " / " + number(made.divisor) +
             (made.weight ? " × " + number(static_cast<double>(made.weight->value)) : "");
    case Rule::capped:
      return number(made.divisor) + " · tanh(" +
             number(static_cast<double>(made.terms[0].a.value)) + " / " + number(made.divisor) +
             ")";
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
  return std::string(base::text(by_layer ? "stage.given.by_layer" : "stage.rule.given"));
}

std::string words_for(const document::ComputedAttention& attention, model::Axis axis,
                      std::size_t sample, std::size_t index) {
  const auto token = [&](const std::vector<std::vector<std::string>>& tokens) {
    return sample < tokens.size() && index < tokens[sample].size() ? tokens[sample][index]
                                                                   : std::to_string(index);
  };
  if (axis == model::Axis::B) return base::text("stage.index.sample", {{"index", index}});
  if (axis == model::Axis::H) return base::text("stage.index.head", {{"index", index}});
  if (axis == model::Axis::G) return base::text("stage.index.group", {{"index", index}});
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
  const auto add = [&text](const std::string& words) {
    text += (text.empty() ? "" : ", ") + words;
  };
  std::size_t head = 0;
  for (std::size_t axis = 0; axis < cell.index.rank() && axis < axes.rank(); ++axis) {
    const std::size_t at = cell.index[axis];
    if (axes[axis] == model::Axis::B) {
      if (attention.trace.config.batch > 1) add(words_for(attention, axes[axis], sample, at));
    } else if (ops::counts_heads(axes[axis])) {
      add(head_words(attention.trace, cell.tensor, at));
      head = at;
    } else if (axes[axis] == model::Axis::Lq) {
      add(base::text(both ? "stage.index.query" : "stage.index.token",
                     {{"token", word(attention.query_tokens, sample, at)}}));
    } else if (axes[axis] == model::Axis::Lk) {
      add(base::text(both ? "stage.index.key" : "stage.index.token",
                     {{"token", word(attention.key_tokens, sample, at)}}));
    } else if (weight) {
      add(base::text(axis == 0 ? "stage.index.row" : "stage.index.column", {{"index", at}}));
    } else {
      const auto feature = document::feature_name(attention, axes[axis], head, at);
      const std::string dimension = base::text("stage.index.dimension", {{"index", at}});
      add(feature.empty() ? dimension : dimension + " (" + std::string(feature) + ")");
    }
  }
  return text;
}

std::string cell_words(const document::ComputedAttention& attention,
                       const document::CellRef& cell) {
  const std::string place = place_words(attention, cell);  // empty for a single number: the loss
  return std::string(model::name_of(cell.tensor)) + (place.empty() ? "" : ", " + place);
}

std::string axis_words(std::string_view shape) {
  struct Letter {
    std::string_view letter;
    std::string_view key;
  };
  constexpr std::array letters = {
      Letter{"B", "stage.axis.batch"},        Letter{"H", "stage.axis.heads"},
      Letter{"G", "stage.axis.groups"},       Letter{"Lq", "stage.axis.queries"},
      Letter{"Lk", "stage.axis.keys"},        Letter{"L", "stage.axis.tokens"},
      Letter{"E", "stage.axis.embedding"},    Letter{"D", "stage.axis.head"},
      Letter{"G·D", "stage.axis.all_groups"}, Letter{"kdim", "stage.axis.key_input"},
      Letter{"H·D", "stage.axis.all_heads"},  Letter{"vdim", "stage.axis.value_input"},
      Letter{"F", "stage.axis.feed_forward"},
  };
  std::string text;
  for (const Letter& each : letters) {
    const std::string sized = std::string(each.letter) + " ";
    const bool named = shape.find("[" + sized) != std::string_view::npos ||
                       shape.find(" " + sized) != std::string_view::npos;
    if (!named) continue;
    text += (text.empty() ? "" : ", ") + std::string(each.letter) + ": " +
            std::string(base::text(each.key));
  }
  return text;
}

ShortenedSum shortened(std::span<const model::Term> terms, std::size_t count) {
  std::vector<base::SortKey> keys;
  for (const model::Term& term : terms) {
    const double size = std::fabs(term.value);
    keys.push_back({std::isnan(size) ? -std::numeric_limits<double>::infinity() : -size});
  }
  ShortenedSum sum;
  sum.shown = base::order_of(keys);
  const auto first_left_out =
      sum.shown.begin() + static_cast<std::ptrdiff_t>(std::min(count, terms.size()));
  for (auto left_out = first_left_out; left_out != sum.shown.end(); ++left_out)
    sum.rest += terms[*left_out].value;
  sum.shown.erase(first_left_out, sum.shown.end());
  std::sort(sum.shown.begin(), sum.shown.end());
  return sum;
}

bool runs_down_columns(const document::ComputedAttention& attention) {
  return attention.trace.overrides.mistake == model::Mistake::softmax_over_queries;
}

std::string made_by(const document::ComputedAttention& attention, const Explanation& made,
                    bool guessing) {
  if (made.rule == Rule::given) return given_words(attention, made.cell.tensor);
  if (made.rule == Rule::softmax && !guessing && runs_down_columns(attention))
    return std::string(base::text("stage.rule.softmax_over_queries"));
  return std::string(base::text("stage.rule." + std::string(ops::name_of(made.rule))));
}

std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell) {
  const Explanation made = model::explain(attention.trace, cell.tensor, cell.index);
  const std::string name = cell_words(attention, {made.cell.tensor, made.cell.index});
  const std::string value = number(static_cast<double>(made.cell.value));
  const std::string sum = arithmetic(attention, made);
  if (!sum.empty()) return name + ": " + value + " = " + sum;
  const auto say = [&](std::string_view key) {
    return base::text(key, {{"cell", name}, {"number", value}});
  };
  const auto from = [&](std::string_view key) {
    const model::Cell& source = made.terms[0].a;
    return base::text(key, {{"cell", name},
                            {"number", value},
                            {"source", cell_words(attention, {source.tensor, source.index})}});
  };
  switch (made.rule) {
    case Rule::same_number:
      return from("stage.explained.same_number");
    case Rule::copied:
      return from("stage.explained.copied");
    case Rule::fully_masked:
      return say("stage.explained.fully_masked");
    case Rule::ablated:
      return say("stage.explained.ablated");
    case Rule::overwritten:
      return say("stage.explained.overwritten");
    case Rule::given_by_hand:
      return say("stage.explained.by_hand");
    case Rule::position:
      return base::text(
          cell.index.back() % 2 == 0 ? "stage.explained.sine" : "stage.explained.cosine",
          {{"cell", name}, {"number", value}, {"divisor", number(made.divisor)}});
    default:
      return name + ": " + value + ", " + given_words(attention, cell.tensor);
  }
}

std::string term_words(const document::ComputedAttention& attention, const Explanation& made,
                       const Term& term) {
  const model::Cell& cell = term.a;
  if (cell.index.rank() == 0) return std::string(model::name_of(cell.tensor));
  const auto axes = attention.trace.axes_of(cell.tensor);
  const auto made_axes = attention.trace.axes_of(made.cell.tensor);
  // A sum runs along the last axis that the result lacks.
  std::size_t along = cell.index.rank() - 1;
  while (along > 0 && made_axes.has(axes[along])) --along;
  const bool lacks = !made_axes.has(axes[along]);
  if (made.rule == Rule::sum && !lacks) {
    const bool is_part = cell.tensor.is_gradient() && !cell.tensor.is_whole_gradient();
    const std::string way = is_part ? words_of_part(attention.trace, cell.tensor) : std::string();
    return way.empty() ? std::string(model::name_of(cell.tensor)) : way;
  }
  if (!lacks) {
    // A softmax runs along the axis in which its terms differ: the keys, unless by mistake.
    along = cell.index.rank() - 1;
    const tensor::Index& first = made.terms.front().a.index;
    const tensor::Index& last = made.terms.back().a.index;
    for (std::size_t axis = 0; axis < first.rank() && axis < last.rank(); ++axis)
      if (first[axis] != last[axis]) along = axis;
  }
  const std::size_t sample = axes.has(model::Axis::B) ? cell.index[0] : 0;
  return words_for(attention, axes[along], sample, cell.index[along]);
}

std::string_view hidden_words() { return base::text("stage.guessing.hidden"); }

}  // namespace stage
