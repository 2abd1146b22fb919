// To the map and back: one zoom, in which what both stages show goes from place to place, and what
// only one of them shows comes from outside the picture or leaves for it.
#pragma once

#include "stage/motion/routes.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// True between a step and the map.
bool is_zoom(const Stage& from, const Stage& to);

/// The picture at t in 0…1, eased, for two stages that are a zoom. What only `from` shows comes
/// last, so that every block of `to` keeps its number; it is left out where `to` has pieces under
/// way.
Stage zoomed(const Stage& from, const Stage& to, float t);
/// The lines of both on the way: those of `from` fade, then those of `to` appear.
std::vector<Route> zoomed_routes(const Stage& from, const Stage& to, float t);

}  // namespace stage
