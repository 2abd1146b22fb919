// The transition to the map, or to the maps of all heads, and back, as one zoom: what both stages show moves to its new place,
// and the rest comes in from outside the picture or leaves it.
#pragma once

#include "stage/motion/routes.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Whether exactly one of the two stages is the map, or has the maps of all heads.
bool is_zoom(const Stage& from, const Stage& to);

/// The picture at t in 0 … 1, eased, of a transition for which is_zoom holds. Blocks that only
/// `from` has come last, so that those of `to` keep their indices; they are left out where `to` has
/// travelling pieces.
Stage zoomed(const Stage& from, const Stage& to, float t);
/// The lines during the transition: those of `from` fade out, then those of `to` fade in.
std::vector<Route> zoomed_routes(const Stage& from, const Stage& to, float t);

}  // namespace stage
