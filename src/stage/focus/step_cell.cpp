#include "stage/focus/step_cell.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/scene/drawing.hpp"

namespace stage {

using document::CellRef;
using lesson::StepId;
using model::TensorId;
using tensor::Index;

namespace {

/// These steps show one projection, since the other two work alike.
bool is_about_projection(StepId step) {
  return step == StepId::project || step == StepId::split || step == StepId::transpose;
}

/// The query's largest weight in the mean over the heads.
CellRef largest_mean(const document::ComputedAttention& attention,
                     const document::ViewState& view_state) {
  const std::vector<float> weights = attention.trace.at_query("mean_weights", view_state.query)
                                         .select(0, view_state.sample)
                                         .values();
  const auto largest = std::max_element(weights.begin(), weights.end());
  return {
      "mean_weights",
      {view_state.sample, view_state.query, static_cast<std::size_t>(largest - weights.begin())}};
}

}  // namespace

Way way_of(const model::Trace& trace, const document::ViewState& view_state) {
  if (document::draws_mean(trace, view_state)) return {{"attention_weights"}, "mean_weights"};
  std::vector<TensorId> shown;
  for (const TensorId tensor : lesson::shown_in(lesson::step(view_state.step), trace)) {
    const bool weight = model::is_given(tensor) && !model::axes_of(tensor).has(model::Axis::B);
    const bool other =
        is_about_projection(view_state.step) && projection_of(tensor) != view_state.projection;
    if (trace.has(tensor) && !weight && !other) shown.push_back(tensor);
  }
  const auto is_made_here = [&](TensorId tensor) {
    const model::Node* row = trace.made_by(tensor);
    return row != nullptr && std::find(shown.begin(), shown.end(), row->of[0]) != shown.end();
  };
  // An input that the step merely shows is not what it is about.
  auto last = std::find_if(shown.rbegin(), shown.rend(), is_made_here);
  if (last == shown.rend()) --last;
  shown.erase(last.base(), shown.end());
  Way way;
  way.to = shown.back();
  shown.pop_back();
  if (view_state.step == StepId::overview) shown.resize(1);
  way.from = std::move(shown);
  return way;
}

CellRef step_cell(const document::ComputedAttention& attention,
                  const document::ViewState& view_state) {
  if (document::draws_mean(attention.trace, view_state)) return largest_mean(attention, view_state);
  const TensorId tensor = way_of(attention.trace, view_state).to;
  Index index = document::chosen_index(attention.trace, tensor, view_state);
  // Rows of k and v follow the chosen key. In self-attention they follow the query, which is a row
  // of the same tokens.
  const bool self = attention.trace.config.query_len == attention.trace.config.key_len;
  const ops::Axes axes = attention.trace.axes_of(tensor);
  if (is_about_projection(view_state.step) && axes.has(model::Axis::Lk) && self)
    index[axes.place_of(model::Axis::Lk)] = view_state.query;
  const StepId step = view_state.step;
  // What a mask does is seen at a key that it hides: the first of the row.
  if (step == StepId::mask) {
    const tensor::Tensor& made = attention.trace[tensor];
    const std::size_t last = index.rank() - 1;
    Index other = index;
    for (other[last] = 0; other[last] < made.dim(last); ++other[last]) {
      if (!std::isinf(made.at(other))) continue;
      if (!std::isinf(made.at(index))) index = other;
      break;
    }
  }
  // That two axes were swapped is seen by jumps along both, so not in head 0 where all heads are
  // there, nor in token 0; and no jump leads to the memory's very first float. While cards are
  // dealt, it is their turn.
  if (step == StepId::transpose && view_state.progress >= 1.0F) {
    const tensor::Tensor& made = attention.trace[tensor];
    const auto second = [&](std::size_t axis) {
      if (index[axis] == 0) index[axis] = std::min<std::size_t>(1, made.dim(axis) - 1);
    };
    if (view_state.all_heads) second(1);
    second(2);
    if (index[1] + index[2] == 0) second(3);
  }
  // A sum is most instructive where its terms are large, so take the row's largest number.
  if (step == StepId::sentence || step == StepId::project || step == StepId::reweight ||
      step == StepId::output || step == StepId::overview) {
    const tensor::Tensor& made = attention.trace[tensor];
    const std::size_t last = index.rank() - 1;
    const std::size_t first = index[last];
    std::size_t end =
        ops::joins_heads(axes[last]) ? first + attention.trace.config.head_dim() : made.dim(last);
    if (step == StepId::sentence) end = std::min(end, first + explained_in_sentence);
    Index other = index;
    for (other[last] = first; other[last] < end; ++other[last]) {
      if (std::fabs(made.at(other)) > std::fabs(made.at(index))) index = other;
    }
  }
  return {tensor, index};
}

std::string shape_text(const model::Trace& trace, TensorId tensor, bool with_batch) {
  std::string text = "[";
  for (const model::Axis axis : trace.axes_of(tensor)) {
    if (axis == model::Axis::B && !with_batch) continue;
    text += (text == "[" ? "" : ", ") + std::string(name_of(axis, trace.lengths)) + " " +
            std::to_string(trace.lengths[axis]);
  }
  return text + "]";
}

std::string shapes_of(const document::ComputedAttention& attention,
                      const document::ViewState& view_state) {
  const Way way = way_of(attention.trace, view_state);
  const model::Trace& trace = attention.trace;
  const auto shape = [&](TensorId tensor) {
    return std::string(model::name_of(tensor)) + " " + shape_text(trace, tensor, false);
  };
  std::vector<TensorId> from = way.from;
  // The weights that it is multiplied by belong to it, though they are no way from anywhere.
  if (const model::Node* row = trace.made_by(way.to)) {
    for (const TensorId tensor : row->of) {
      if (model::is_given(tensor) && trace.has(tensor) &&
          !model::axes_of(tensor).has(model::Axis::B))
        from.push_back(tensor);
    }
  }
  std::string text;
  for (const TensorId tensor : from) text += (text.empty() ? "" : ", ") + shape(tensor);
  text += (text.empty() ? "" : " → ") + shape(way.to);
  const std::size_t batch = trace.config.batch;
  return batch > 1 ? base::text("stage.shapes.batched", {{"shapes", text}, {"batch", batch}})
                   : text;
}

}  // namespace stage
