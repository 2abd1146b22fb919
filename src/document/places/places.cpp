#include "document/places/places.hpp"

namespace document {

using model::Axis;
using tensor::Index;

Index chosen_index(const model::Trace& trace, model::TensorId tensor, const ViewState& view_state) {
  const std::size_t head = view_state.head / trace.sharing(tensor);
  Index index;
  for (const Axis axis : trace.axes_of(tensor)) {
    std::size_t place = 0;
    if (axis == Axis::B) place = view_state.sample;
    if (axis == Axis::Lq) place = view_state.query;
    if (axis == Axis::Lk) place = view_state.key;
    if (ops::counts_heads(axis)) place = head;
    if (ops::joins_heads(axis)) place = head * trace.config.head_dim();
    index.push_back(place);
  }
  return index;
}

ViewState at_places_of(ViewState view_state, const model::Trace& trace, const CellRef& cell) {
  const Index chosen = chosen_index(trace, cell.tensor, view_state);
  const ops::Axes axes = trace.axes_of(cell.tensor);
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    const std::size_t place = cell.index[axis];
    if (axes[axis] == Axis::B) view_state.sample = place;
    if (axes[axis] == Axis::Lq) view_state.query = place;
    if (axes[axis] == Axis::Lk) view_state.key = place;
    // The chosen head stays where this number is one of its own, or one that it shares.
    const bool joined = ops::joins_heads(axes[axis]);
    const std::size_t width = joined ? trace.config.head_dim() : 1;
    const bool of_a_head = joined || ops::counts_heads(axes[axis]);
    if (of_a_head && place / width != chosen[axis] / width)
      view_state.head = place / width * trace.sharing(cell.tensor);
  }
  return view_state;
}

bool draws_mean(const model::Trace& trace, const ViewState& view_state) {
  return view_state.mean_heads && view_state.step == lesson::StepId::sentence &&
         view_state.show != Show::matrices && !view_state.gradients && trace.config.num_heads > 1;
}

CellRef moved_along(CellRef cell, const model::Trace& trace, const ViewState& before,
                    const ViewState& now) {
  const ops::Axes axes = trace.axes_of(cell.tensor);
  const Index old = chosen_index(trace, cell.tensor, before);
  const Index index = chosen_index(trace, cell.tensor, now);
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    std::size_t& place = cell.index[axis];
    const std::size_t in_head = ops::joins_heads(axes[axis]) ? place % trace.config.head_dim() : 0;
    if (index[axis] != old[axis]) place = index[axis] + in_head;
  }
  return cell;
}

}  // namespace document
