#include "stage/wording/cell/layer_words.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "model/roles.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace stage {

namespace {

using model::Cell;
using model::Explanation;
using model::Rule;
using model::TensorId;
using model::Term;
using model::Trace;

struct Made {
  const Trace* layer;
  TensorId tensor;
};

/// The part that computed these numbers, and what they are called there: both share the storage.
std::optional<Made> where_made(const document::Computed& computed, const tensor::Tensor& numbers) {
  for (const Trace& part : computed.parts) {
    for (const TensorId id : part.present()) {
      const tensor::Tensor& other = part[id];
      if (part.made_by(id) != nullptr && other.data() == numbers.data() &&
          other.shape() == numbers.shape())
        return Made{&part, id};
    }
  }
  return std::nullopt;
}

std::string three_decimals(double value) { return number_text(static_cast<float>(value), 3); }
std::string three_decimals(float value) { return number_text(value, 3); }

std::string named(const Cell& cell) {
  return std::string(model::name_of(cell.tensor)) + " " + three_decimals(cell.value);
}

std::string norm_line(const Explanation& made) {
  const Term& own = made.terms[made.selected];
  return base::text("stage.layer.norm", {{"tensor", model::name_of(made.cell.tensor)},
                                         {"number", three_decimals(made.cell.value)},
                                         {"source", named(own.a)},
                                         {"mean", three_decimals(made.mean)},
                                         {"deviation", three_decimals(made.divisor)},
                                         {"weight", named(*made.weight)},
                                         {"bias", named(*made.bias)},
                                         {"count", made.terms.size()}});
}

/// A product of a network's second matrix, whose factors have been through its activation.
std::string product_line(const Trace& layer, const Explanation& made) {
  const Cell& first = made.terms.front().a;
  const model::Node* activation = layer.made_by(first.tensor);
  const auto zeros = std::count_if(made.terms.begin(), made.terms.end(),
                                   [](const Term& term) { return term.a.value == 0.0F; });
  std::string line =
      base::text("stage.layer.product", {{"tensor", model::name_of(made.cell.tensor)},
                                         {"number", three_decimals(made.cell.value)},
                                         {"count", made.terms.size()},
                                         {"factors", model::name_of(first.tensor)}});
  const auto off = std::find_if(made.terms.begin(), made.terms.end(),
                                [](const Term& term) { return term.a.value == 0.0F; });
  if (activation == nullptr || activation->operation != &ops::relu || off == made.terms.end())
    return line;
  const Cell before = model::explain(layer, off->a.tensor, off->a.index).terms.front().a;
  return line + " " +
         base::text("stage.layer.relu", {{"zeros", zeros},
                                         {"count", made.terms.size()},
                                         {"before", three_decimals(before.value)}});
}

}  // namespace

std::vector<std::string> layer_lines(const document::Computed& computed,
                                     const document::ComputedAttention& attention,
                                     const document::CellRef& cell) {
  if (!attention.has_computed_inputs || !model::roles::is_input(cell.tensor)) return {};
  const auto made_there = where_made(computed, attention.trace[cell.tensor]);
  if (!made_there) return {};
  const Trace& layer = *made_there->layer;
  std::vector<std::string> lines;
  std::vector<TensorId> next{made_there->tensor};
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Explanation made = model::explain(layer, next[i], cell.index);
    if (made.rule == Rule::layer_norm && made.weight && made.bias) {
      lines.push_back(norm_line(made));
      next.push_back(made.terms[made.selected].a.tensor);
    } else if (made.rule == Rule::sum) {
      // The nearer one last: what was added to the row, then the row itself.
      lines.push_back(base::text("stage.layer.sum", {{"tensor", model::name_of(next[i])},
                                                     {"number", three_decimals(made.cell.value)},
                                                     {"row", named(made.terms[0].a)},
                                                     {"added", named(made.terms[1].a)}}));
      next.push_back(made.terms[1].a.tensor);
      next.push_back(made.terms[0].a.tensor);
    } else if (made.rule == Rule::dot_product) {
      lines.push_back(product_line(layer, made));
    }
  }
  return lines;
}

std::string whole_explanation(const document::Computed& computed,
                              const document::ComputedAttention& attention,
                              const document::CellRef& cell) {
  std::string text = explanation(attention, cell);
  for (const std::string& line : layer_lines(computed, attention, cell)) text += ". " + line;
  return text;
}

}  // namespace stage
