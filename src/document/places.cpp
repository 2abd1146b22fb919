#include "document/places.hpp"

namespace document {

using model::Axis;
using tensor::Index;

ViewState at_places_of(ViewState view_state, const model::Trace& trace, const CellRef& cell) {
  // Several heads of queries may share this one: the chosen one stays where it is one of them.
  const auto choose_head = [&](std::size_t own) {
    if (chosen_head(trace, cell.tensor, view_state) != own)
      view_state.head = own * trace.sharing(cell.tensor);
  };
  const ops::Axes axes = trace.axes_of(cell.tensor);
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    const std::size_t place = cell.index[axis];
    if (axes[axis] == Axis::B) view_state.sample = place;
    if (axes[axis] == Axis::Lq) view_state.query = place;
    if (axes[axis] == Axis::Lk) view_state.key = place;
    if (ops::counts_heads(axes[axis])) choose_head(place);
    if (ops::joins_heads(axes[axis])) choose_head(place / trace.config.head_dim());
  }
  return view_state;
}

std::size_t chosen_head(const model::Trace& trace, model::TensorId tensor,
                        const ViewState& view_state) {
  return view_state.head / trace.sharing(tensor);
}

Index chosen_index(const model::Trace& trace, model::TensorId tensor, const ViewState& view_state) {
  const std::size_t head = chosen_head(trace, tensor, view_state);
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
