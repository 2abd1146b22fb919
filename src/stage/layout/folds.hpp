// Parts of the map that are one card until the reader opens them.
#pragma once

#include <vector>

#include "document/computed.hpp"
#include "stage/motion/flow.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// How high the part of a card is that stands for one group, logical pixels.
inline constexpr float card_height = 40.0F;
/// ... and how wide.
constexpr float card_width(const Place& place) { return has_lanes(place.column) ? 76.0F : 100.0F; }
/// How far the frame around what is open reaches out, and the button over it that closes it.
inline constexpr float around_open = 2.0F;
inline constexpr float over_open = 16.0F;

/// Which fold a tensor at this place belongs to.
Fold fold_of(const Place& place);

/// Whether the map shows a card in place of this fold.
bool is_closed(Fold fold, const document::ViewState& view_state);

/// Where a tensor stands on the map, or nothing where another one stands for it in a card: the last
/// of its lane does.
std::optional<Place> place_on_map(const Place& place, const document::ViewState& view_state);

/// Whether the map shows the numbers of a tensor, of those that an attention has.
bool is_on_map(model::TensorId tensor, const document::ViewState& view_state);

/// Makes a group and its blocks a part of a card.
void fold(Group& group, std::vector<Block>& blocks);

/// Puts the cards over the groups that are parts of them, and a frame around those that are open.
void put_cards(Stage& stage, const model::Trace& trace, const document::ViewState& view_state);

}  // namespace stage
