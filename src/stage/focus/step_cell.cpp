#include "stage/focus/step_cell.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace stage {

using document::CellRef;
using lesson::StepId;
using model::TensorId;
using tensor::Index;

namespace {

TensorId one_of(document::Projection projection, TensorId q, TensorId k, TensorId v) {
  return std::array{q, k, v}[static_cast<std::size_t>(projection)];
}

/// What a step reads and makes, in reading order.
struct Way {
  std::vector<TensorId> from;
  std::vector<TensorId> to;
};

Way way_of(const model::Trace& trace, const document::ViewState& view_state) {
  const auto p = view_state.projection;
  const TensorId input = one_of(p, "query_input", "key_input", "value_input");
  const TensorId whole = one_of(p, "q", "k", "v");
  const TensorId split = one_of(p, "q_split", "k_split", "v_split");
  const TensorId heads = trace.has("k_groups") ? one_of(p, "q_heads", "k_groups", "v_groups")
                                               : one_of(p, "q_heads", "k_heads", "v_heads");
  switch (view_state.step) {
    case StepId::sentence:
      return {{"attention_weights", "v_heads"}, {"head_outputs"}};
    case StepId::overview:
      return {{"query_input"}, {"output"}};
    case StepId::input:
      return {{"token_embedding", "position_encoding"}, {"query_input"}};
    case StepId::project:
      return {{input}, {whole}};
    case StepId::split:
      return {{whole}, {split}};
    case StepId::transpose:
      return {{split}, {heads}};
    case StepId::scores:
      return {{"q_heads", "k_heads"}, {"scores"}};
    case StepId::scale:
      return {{"scores"}, {"scaled_scores"}};
    case StepId::mask:
      return {{"scaled_scores", "mask"}, {"masked_scores"}};
    case StepId::softmax:
      return {{"masked_scores"}, {"attention_weights"}};
    case StepId::reweight:
      return {{"attention_weights", "v_heads"}, {"head_outputs"}};
    case StepId::merge:
      return {{"head_outputs", "merged_split"}, {"merged"}};
    case StepId::output:
      break;
  }
  return {{"merged"}, {"output"}};
}

/// The chosen place along an axis of that letter.
std::size_t place_on(model::Axis axis, const document::ViewState& view_state) {
  if (axis == model::Axis::B) return view_state.sample;
  if (axis == model::Axis::H) return view_state.head;
  if (axis == model::Axis::Lq) return view_state.query;
  if (axis == model::Axis::Lk) return view_state.key;
  return 0;
}

}  // namespace

CellRef step_cell(const document::ComputedAttention& attention,
                  const document::ViewState& view_state) {
  const Way way = way_of(attention.trace, view_state);
  const TensorId tensor = way.to.front();
  Index index;
  const std::size_t head = attention.trace.head_in(tensor, view_state.head);
  for (const model::Axis axis : attention.trace.axes_of(tensor))
    index.push_back(axis == model::Axis::G ? head : place_on(axis, view_state));
  // Where heads lie side by side, the chosen head's first number.
  const bool side_by_side = tensor == "q" || tensor == "k" || tensor == "v" || tensor == "merged";
  if (side_by_side) index[2] = head * attention.trace.config.head_dim();
  // A key's or a value's row is that of the chosen key; of a self-attention, of the query's token.
  const bool self = attention.trace.config.query_len == attention.trace.config.key_len;
  const bool about_keys = view_state.step == StepId::project || view_state.step == StepId::split ||
                          view_state.step == StepId::transpose;
  if (about_keys && view_state.projection != document::Projection::q && self) {
    const auto axes = attention.trace.axes_of(tensor);
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
      if (axes[axis] == model::Axis::Lk) index[axis] = view_state.query;
    }
  }
  // A sum is best seen where there is something to add: the largest number of the row.
  const StepId step = view_state.step;
  if (step == StepId::sentence || step == StepId::project || step == StepId::reweight ||
      step == StepId::output) {
    const tensor::Tensor& made = attention.trace[tensor];
    const std::size_t last = index.rank() - 1;
    const std::size_t first = index[last];
    const std::size_t end =
        side_by_side ? first + attention.trace.config.head_dim() : made.dim(last);
    Index other = index;
    for (other[last] = first; other[last] < end; ++other[last]) {
      if (std::fabs(made.at(other)) > std::fabs(made.at(index))) index = other;
    }
  }
  return {tensor, index};
}

std::string shapes_of(const document::ComputedAttention& attention,
                      const document::ViewState& view_state) {
  const Way way = way_of(attention.trace, view_state);
  const model::Trace& trace = attention.trace;
  const auto shape = [&](TensorId tensor) {
    std::string text = std::string(model::name_of(tensor)) + " [";
    const auto axes = trace.axes_of(tensor);
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
      if (axes[axis] == model::Axis::B) continue;
      text += (text.back() == '[' ? "" : ", ") + std::string(name_of(axes[axis])) + " " +
              std::to_string(trace[tensor].dim(axis));
    }
    return text + "]";
  };
  const auto shapes = [&](const std::vector<TensorId>& tensors) {
    std::string text;
    for (const TensorId tensor : tensors) {
      if (trace.has(tensor)) text += (text.empty() ? "" : ", ") + shape(tensor);
    }
    return text;
  };
  const std::string read = shapes(way.from);
  const std::string text = read.empty() ? shapes(way.to) : read + " → " + shapes(way.to);
  const std::size_t batch = trace.config.batch;
  return batch > 1 ? text + ", for each of B " + std::to_string(batch) + " samples" : text;
}

}  // namespace stage
