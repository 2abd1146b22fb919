// Table of contents: 1. which cell; 2. arithmetic in words; 3. shapes.
#include "draw/panels/worked.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stage/scene/number_text.hpp"

namespace draw {

using attention::Index;
using attention::Provenance;
using attention::Rule;
using attention::TensorId;
using attention::Term;
using lesson::StepId;
using stage::number_text;

namespace {

constexpr int digits = 3;

TensorId one_of(document::Projection projection, TensorId q, TensorId k, TensorId v) {
  switch (projection) {
    case document::Projection::k:
      return k;
    case document::Projection::v:
      return v;
    case document::Projection::q:
      break;
  }
  return q;
}

/// What a step reads and makes, in reading order.
struct Way {
  std::vector<TensorId> from;
  std::vector<TensorId> to;
};

Way way_of(const document::Look& look) {
  const auto p = look.projection;
  const TensorId input =
      one_of(p, TensorId::query_input, TensorId::key_input, TensorId::value_input);
  const TensorId whole = one_of(p, TensorId::q, TensorId::k, TensorId::v);
  const TensorId split = one_of(p, TensorId::q_split, TensorId::k_split, TensorId::v_split);
  const TensorId heads = one_of(p, TensorId::q_heads, TensorId::k_heads, TensorId::v_heads);
  switch (look.step) {
    case StepId::overview:
      return {{TensorId::query_input}, {TensorId::output}};
    case StepId::input:
      return {{TensorId::token_embedding, TensorId::position_encoding}, {TensorId::query_input}};
    case StepId::project:
      return {{input}, {whole}};
    case StepId::split:
      return {{whole}, {split}};
    case StepId::transpose:
      return {{split}, {heads}};
    case StepId::scores:
      return {{TensorId::q_heads, TensorId::k_heads}, {TensorId::scores}};
    case StepId::scale:
      return {{TensorId::scores}, {TensorId::scaled_scores}};
    case StepId::mask:
      return {{TensorId::scaled_scores, TensorId::mask}, {TensorId::masked_scores}};
    case StepId::softmax:
      return {{TensorId::masked_scores}, {TensorId::attention_weights}};
    case StepId::reweight:
      return {{TensorId::attention_weights, TensorId::v_heads}, {TensorId::head_outputs}};
    case StepId::merge:
      return {{TensorId::head_outputs, TensorId::merged_split}, {TensorId::merged}};
    case StepId::output:
      break;
  }
  return {{TensorId::merged}, {TensorId::output}};
}

// 1. Which cell. ----------------------------------------------------------------------------------

/// The chosen place along an axis of that letter.
std::size_t place_on(std::string_view axis, const document::Look& look) {
  if (axis == "B") return look.sample;
  if (axis == "H") return look.head;
  if (axis == "Lq") return look.query;
  if (axis == "Lk") return look.key;
  return 0;
}

// 2. Arithmetic in words. -------------------------------------------------------------------------

/// " + 0.5 × −0.2", or " − 0.5 × …" for a first factor below zero.
void append(std::string& text, const Term& term) {
  const double first = static_cast<double>(term.a.value);
  const bool minus = std::signbit(first) && !text.empty();
  if (!text.empty()) text += minus ? " − " : " + ";
  text += number_text(minus ? -term.a.value : term.a.value, digits);
  if (term.has_b) text += " × " + number_text(term.b.value, digits);
}

std::string sum_of(const Provenance& made, std::size_t most) {
  std::string text;
  const std::size_t count = made.terms.size();
  const bool folded = count > most;
  const std::size_t shown = folded ? std::max<std::size_t>(1, most - 1) : count;
  for (std::size_t i = 0; i < shown; ++i) append(text, made.terms[i]);
  if (folded) {
    text += " + …";
    append(text, made.terms.back());
  }
  if (made.has_bias) append(text, Term{made.bias, false, {}, 0.0});
  return text;
}

std::string softmax_of(const Provenance& made, std::size_t most) {
  const auto exponential = [&](const Term& term) {
    return number_text(static_cast<float>(term.value), digits);
  };
  std::string sum;
  const std::size_t count = made.terms.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > most && i + 1 >= most && i + 1 < count) {
      if (i + 1 == most) sum += " + …";
      continue;
    }
    sum += (i == 0 ? "" : " + ") + exponential(made.terms[i]);
  }
  const Term& own = made.terms[made.selected];
  return "exp(" + number_text(own.a.value, digits) + " − " +
         number_text(static_cast<float>(made.maximum), digits) + ") / Σ exp = " + exponential(own) +
         " / (" + sum + ")";
}

}  // namespace

CellRef worked_cell(const document::ComputedAttention& attention, const document::Look& look,
                    const std::optional<CellRef>& explained) {
  const Way way = way_of(look);
  const auto among = [&](const std::vector<TensorId>& tensors) {
    return explained &&
           std::find(tensors.begin(), tensors.end(), explained->tensor) != tensors.end();
  };
  if (among(way.to) || (explained && explained->tensor == TensorId::merged_split))
    return *explained;
  const TensorId tensor = way.to.front();
  Index index;
  for (const std::string_view axis : attention::axes_of(tensor))
    index.push_back(place_on(axis, look));
  // Where heads lie side by side, the chosen head's first number.
  const bool side_by_side = tensor == TensorId::q || tensor == TensorId::k ||
                            tensor == TensorId::v || tensor == TensorId::merged;
  if (side_by_side) index[2] = look.head * attention.trace.config.head_dim();
  // A key's or a value's row is that of the chosen key; of a self-attention, of the query's token.
  const bool self = attention.trace.config.query_len == attention.trace.config.key_len;
  const bool about_keys =
      look.step == StepId::project || look.step == StepId::split || look.step == StepId::transpose;
  if (about_keys && look.projection != document::Projection::q && self) {
    const auto axes = attention::axes_of(tensor);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis] == "Lk") index[axis] = look.query;
    }
  }
  return {tensor, index};
}

std::string worked(const document::ComputedAttention& attention, const Provenance& made,
                   std::size_t most_terms) {
  const std::string name = address_text(attention, made.cell.tensor, made.cell.index);
  const std::string value = number_text(made.cell.value, digits);
  const auto first = [&] {
    return address_text(attention, made.terms[0].a.tensor, made.terms[0].a.index);
  };
  switch (made.rule) {
    case Rule::dot_product:
    case Rule::sum:
    case Rule::product:
      return name + " = " + sum_of(made, most_terms) + " = " + value;
    case Rule::divided:
      return name + " = " + number_text(made.terms[0].a.value, digits) + " / " +
             number_text(static_cast<float>(made.divisor), digits) + " = " + value;
    case Rule::softmax:
      return name + " = " + softmax_of(made, most_terms) + " = " + value;
    case Rule::same_number:
      return name + " = " + first() + " = " + value + ", the same float";
    case Rule::copied:
      return name + " = " + first() + " = " + value + ", copied";
    case Rule::fully_masked:
      return name + " = 0: every key is hidden";
    default:
      break;
  }
  return name + " = " + value;
}

// 3. Shapes. --------------------------------------------------------------------------------------

std::string shapes_of(const document::ComputedAttention& attention, const document::Look& look) {
  const Way way = way_of(look);
  const attention::Trace& trace = attention.trace;
  const auto shape = [&](TensorId tensor) {
    std::string text = std::string(attention::name_of(tensor)) + " [";
    const auto axes = attention::axes_of(tensor);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      text += (axis == 0 ? "" : ", ") + std::string(axes[axis]) + " " +
              std::to_string(trace[tensor].dim(axis));
    }
    return text + "]";
  };
  std::string text;
  for (const TensorId tensor : way.from) {
    if (trace.has(tensor)) text += (text.empty() ? "" : ", ") + shape(tensor);
  }
  std::string made;
  for (const TensorId tensor : way.to) {
    if (trace.has(tensor)) made += (made.empty() ? "" : ", ") + shape(tensor);
  }
  return text.empty() ? made : text + " → " + made;
}

}  // namespace draw
