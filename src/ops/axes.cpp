#include "ops/axes.hpp"

namespace ops {

std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, axis_count> names = {
      "", "B", "Lq", "Lk", "L", "E", "E", "H", "D", "kdim", "vdim", "F", "G", "R", "G·D"};
  return names[static_cast<std::size_t>(axis)];
}

}  // namespace ops
