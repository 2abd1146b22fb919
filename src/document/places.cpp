#include "document/places.hpp"

namespace document {

namespace {

using model::Axis;

/// Along these the heads lie side by side.
bool is_side_by_side(Axis axis) { return axis == Axis::A || axis == Axis::K; }

}  // namespace

ViewState at_places_of(ViewState view_state, const model::Trace& trace, const CellRef& cell) {
  const std::size_t heads = trace.heads_in(cell.tensor);
  // Several heads of queries may share this one: the chosen one stays where it is one of them.
  const auto choose_head = [&](std::size_t own) {
    if (trace.head_in(cell.tensor, view_state.head) != own)
      view_state.head = own * (trace.config.num_heads / heads);
  };
  const ops::Axes axes = trace.axes_of(cell.tensor);
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    const std::size_t place = cell.index[axis];
    if (axes[axis] == Axis::B) view_state.sample = place;
    if (axes[axis] == Axis::Lq) view_state.query = place;
    if (axes[axis] == Axis::Lk) view_state.key = place;
    if (axes[axis] == Axis::H) view_state.head = place;
    if (axes[axis] == Axis::G) choose_head(place);
    if (is_side_by_side(axes[axis])) choose_head(place / trace.config.head_dim());
  }
  return view_state;
}

CellRef moved_along(CellRef cell, const model::Trace& trace, const ViewState& before,
                    const ViewState& now) {
  const ops::Axes axes = trace.axes_of(cell.tensor);
  const std::size_t width = trace.config.head_dim();
  const bool other_head = now.head != before.head;
  const std::size_t head = trace.head_in(cell.tensor, now.head);
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    std::size_t& place = cell.index[axis];
    if (axes[axis] == Axis::B && now.sample != before.sample) place = now.sample;
    if (axes[axis] == Axis::Lq && now.query != before.query) place = now.query;
    if (axes[axis] == Axis::Lk && now.key != before.key) place = now.key;
    if (!other_head) continue;
    if (axes[axis] == Axis::H) place = now.head;
    if (axes[axis] == Axis::G) place = head;
    if (is_side_by_side(axes[axis])) place = head * width + place % width;
  }
  return cell;
}

}  // namespace document
