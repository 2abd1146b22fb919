#include "stage/focus/focus.hpp"

#include <algorithm>
#include <array>

#include "document/places/places.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/highlight/gradients.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/motion/motion.hpp"

namespace stage {

using document::CellRef;
using document::ComputedAttention;
using document::ViewState;

namespace {

/// The cell whose sum grows with every key, in the dimension of the chosen cell if there is one.
std::optional<Focus> growing(const ComputedAttention& attention, const ViewState& view_state) {
  const std::size_t keys = attention.trace.config.key_len;
  const std::size_t added = view_state.step == lesson::StepId::reweight
                                ? keys_added(view_state.progress, keys)
                                : sentence::arrived(view_state.progress, keys);
  if (document::draws_mean(attention.trace, view_state))
    return Focus{step_cell(attention, view_state), FocusBy::moving, {}};
  Focus focus{step_cell(attention, view_state), FocusBy::moving, added};
  if (view_state.cell && view_state.cell->tensor == focus.cell.tensor)
    focus.cell.index[focus.cell.index.rank() - 1] = view_state.cell->index.back();
  return focus;
}

/// The first cell of a travelling piece: of those under way, the one that left first; if none is,
/// the last to arrive. Pieces of the chosen head come first.
std::optional<CellRef> travelling(const Stage& whole, float progress, std::size_t head) {
  const Tween* found = nullptr;
  const auto rank = [&](const Tween& tween) {
    const bool under_way = progress < tween.end;
    const bool own = !tween.piece.head || *tween.piece.head == head;
    return std::array{under_way ? 1.0F : 0.0F, own ? 1.0F : 0.0F,
                      under_way ? -tween.begin : tween.end};
  };
  for (const Tween& tween : whole.tweens) {
    if (progress < tween.begin) continue;
    if (found == nullptr || rank(tween) > rank(*found)) found = &tween;
  }
  if (found == nullptr) return std::nullopt;
  // Where it arrives: of a sum, the parts come from other tensors.
  const Block& into = whole.blocks[found->into];
  if (found->piece.tensor == into.tensor) return CellRef{into.tensor, found->piece.corner};
  const float rows = (found->piece.cells.y - into.cells.y) / into.cell(0, 0).height;
  return CellRef{into.tensor, into.index_of(static_cast<std::size_t>(rows + 0.5F), 0)};
}

}  // namespace

std::optional<Focus> moving_focus(const ComputedAttention& attention, const ViewState& view_state,
                                  const Stage& whole) {
  if (view_state.progress >= 1.0F) return std::nullopt;
  const bool of_keys =
      view_state.step == lesson::StepId::sentence || view_state.step == lesson::StepId::reweight;
  if (of_keys && !view_state.gradients && !whole.figures.empty())
    return growing(attention, view_state);
  if (whole.growing) return Focus{whole.growing->cell, FocusBy::moving, whole.growing->added};
  if (const auto last = computed_last(whole, view_state.progress, view_state.head)) {
    const Block& block = whole.blocks[last->block];
    return Focus{{block.tensor, block.index_of(last->row, last->column)}, FocusBy::moving, {}};
  }
  if (auto cell = travelling(whole, view_state.progress, view_state.head))
    return Focus{*cell, FocusBy::moving, {}};
  return std::nullopt;
}

Focus focus_of(const ComputedAttention& attention, const ViewState& view_state, const Stage& whole,
               const Attention& reader) {
  const std::optional<Focus> moving = moving_focus(attention, view_state, whole);
  if (moving && reader.moves) return *moving;
  if (reader.pointed) return {*reader.pointed, FocusBy::pointed, {}};
  if (moving) return *moving;
  if (view_state.cell) return {*view_state.cell, FocusBy::chosen, {}};
  const CellRef cell = step_cell(attention, view_state);
  return {view_state.gradients ? gradient_cell(attention, view_state, cell, whole) : cell,
          FocusBy::step,
          {}};
}

ViewState focused(const ViewState& view_state, const ComputedAttention& attention,
                  const Focus& focus) {
  ViewState result = at_places_of(view_state, attention.trace, focus.cell);
  result.cell = focus.cell;
  return result;
}

void keep_readable(Stage& stage, const model::Trace& trace, const Focus& focus) {
  std::vector<CellRange> read =
      sources_on(stage, trace, model::explain(trace, focus.cell.tensor, focus.cell.index));
  if (const auto own = find_cell(stage, focus.cell.tensor, focus.cell.index))
    read.push_back({own->block, own->row, own->column, own->row, own->column});
  for (const CellRange& range : read) stage.blocks[range.block].opacity = 1.0F;
}

}  // namespace stage
