// The parts of the map that stay closed as one card until the reader opens them.
#pragma once

#include <vector>

#include "document/computed.hpp"
#include "stage/motion/flow.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The height of the part of a card that stands for one group, logical pixels.
inline constexpr float card_height = 40.0F;
/// The width of that part, which is smaller in columns with lanes.
constexpr float card_width(const Place& place) { return has_lanes(place.column) ? 76.0F : 100.0F; }
/// How far the frame around an open fold reaches beyond it, and the height of the button above it
/// that closes it; logical pixels.
inline constexpr float around_open = 2.0F;
inline constexpr float over_open = 16.0F;

/// The fold that a tensor at this place belongs to, if any.
Fold fold_of(const Place& place);

/// Whether the map shows this fold as a card. False for Fold::none.
bool is_closed(Fold fold, const document::ViewState& view_state);

/// Where a tensor stands on the map. Empty if it is inside a card, where only the last tensor of
/// each lane keeps its place.
std::optional<Place> place_on_map(const Place& place, const document::ViewState& view_state);

/// Whether the map shows this tensor's numbers, provided that the attention has it.
bool is_on_map(model::TensorId tensor, const document::ViewState& view_state);

/// Turns a group and its blocks into a part of a card.
void fold(Group& group, std::vector<Block>& blocks);

/// Links the groups along the flow; a part of a card stands for the tensors that it hides.
void link_groups(Stage& stage, const model::Trace& trace);

/// Adds the cards, and a dashed frame around each open fold, each with the button that opens or
/// closes it.
void put_cards(Stage& stage, const model::Trace& trace, const document::ViewState& view_state);

}  // namespace stage
