// What training makes small: one number that says how far a result is from what it should be.
#pragma once

#include "model/row.hpp"

namespace model::tables {

using enum ops::Axis;
using ops::half_squares, ops::subtract;

// clang-format off
/// Half the squared distance to a target: its gradient is the difference itself.
inline constexpr Row squared_distance[] = {
    {"target",     {B, Lq, E}},
    {"difference", {B, Lq, E}, subtract,     {"output", "target"}},
    {"loss",       {},         half_squares, {"difference"}},
};
// clang-format on

}  // namespace model::tables
