#include "document/places/settle.hpp"

#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/first_error.hpp"
#include "document/learning/learn.hpp"
#include "document/learning/target.hpp"
#include "document/places/places.hpp"
#include "document/state/text.hpp"
#include "tensor/tensor.hpp"

namespace document {

using base::fail;
using base::Result;
using model::TensorId;

namespace {

/// `wanted`, or the last one if it is not less than `count`; an error if it was asked for just now,
/// which is when it differs from `before`. `key`: the text of that.
Result<std::size_t> settle_place(std::string_view key, std::size_t wanted, std::size_t before,
                                 std::size_t count) {
  if (wanted < count) return wanted;
  if (wanted == before) return count - 1;
  return fail(base::text(key, {{"wanted", wanted}, {"last", count - 1}}));
}

/// The shape of a tensor that can be looked at; nothing where this attention has none.
std::optional<tensor::Shape> shape_of(const ComputedAttention& attention, TensorId tensor) {
  const model::Trace& trace = attention.trace;
  if (!trace.offers(tensor)) return std::nullopt;
  return trace.lengths.shape_of(trace.axes_of(tensor));
}

bool is_there(const ComputedAttention& attention, const CellRef& cell) {
  const auto shape = shape_of(attention, cell.tensor);
  return shape && tensor::contains(*shape, cell.index);
}

tl::unexpected<base::Error> no_cell(const ComputedAttention& attention, const CellRef& cell) {
  const std::string_view name = model::name_of(cell.tensor);
  const auto shape = shape_of(attention, cell.tensor);
  if (!shape) return fail(base::text("document.place.no_tensor", {{"tensor", name}}));
  return fail(base::text("document.place.no_cell",
                         {{"tensor", name}, {"shape", tensor::describe(*shape)}}));
}

Result<void> check_framing(const std::optional<Framing>& framing) {
  if (!framing) return {};
  const auto inside = [](float value, float low, float high) {
    return value >= low && value <= high;  // false for NaN
  };
  if (inside(framing->x, -1.0F, 2.0F) && inside(framing->y, -1.0F, 2.0F) &&
      inside(framing->zoom, smallest_zoom, largest_zoom)) {
    return {};
  }
  return fail(base::text("document.place.framing", {{"smallest", number_text(smallest_zoom)},
                                                    {"largest", number_text(largest_zoom)}}));
}

}  // namespace

Result<ViewState> settle(const ViewState& wanted, const ViewState& before,
                         const Computed& computed) {
  ViewState view_state = wanted;
  if (auto there = attention_of(computed, wanted.attention); !there) {
    if (wanted.attention != before.attention) return fail(there.error());
    view_state.attention = computed.attentions.front().id;
  }
  const model::Config& config = computed.find(view_state.attention).trace.config;
  FirstError wrong;
  wrong.store(settle_place("document.place.head", wanted.head, before.head, config.num_heads),
              view_state.head);
  wrong.store(settle_place("document.place.query", wanted.query, before.query, config.query_len),
              view_state.query);
  wrong.store(settle_place("document.place.sample", wanted.sample, before.sample, config.batch),
              view_state.sample);
  wrong.store(settle_place("document.place.key", wanted.key, before.key, config.key_len),
              view_state.key);
  if (wrong) return fail(*wrong);
  if (!(wanted.progress >= 0.0F && wanted.progress <= 1.0F))
    return fail(base::text("document.place.scrub", {{"number", number_text(wanted.progress)}}));
  if (auto rate = check_learning_rate(wanted.learning_rate); !rate) return fail(rate.error());
  if (auto framed = check_framing(wanted.framing); !framed) return fail(framed.error());
  const ComputedAttention& attention = computed.find(view_state.attention);
  if (!loss_of(computed)) {
    if (wanted.gradients && !before.gradients)
      return fail(base::text("document.place.no_gradients"));
    view_state.gradients = false;
  }
  if (!view_state.cell) return view_state;
  // A gradient stands where its tensor stands.
  const bool was_gradient = view_state.cell->tensor.is_gradient();
  if (was_gradient && !view_state.gradients && before.gradients)
    view_state.cell->tensor = view_state.cell->tensor.value();
  if (!was_gradient && view_state.gradients && !before.gradients &&
      attention.trace.has(view_state.cell->tensor.gradient()))
    view_state.cell->tensor = view_state.cell->tensor.gradient();
  const bool asked_for = wanted.cell != before.cell;
  if (asked_for && !is_there(attention, *view_state.cell))
    return no_cell(attention, *view_state.cell);
  // The chosen cell and the chosen places say the same: what was chosen last counts.
  if (!asked_for && is_there(attention, *view_state.cell))
    view_state.cell = moved_along(*view_state.cell, attention.trace, before, view_state);
  if (!is_there(attention, *view_state.cell)) {
    view_state.cell.reset();
    return view_state;
  }
  return at_places_of(view_state, attention.trace, *view_state.cell);
}

}  // namespace document
