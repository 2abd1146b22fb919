#include "tensor/describe.hpp"

#include <algorithm>

namespace tensor {

std::string describe(const Extents& extents) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < extents.rank(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(extents[axis]);
  }
  return text + ']';
}

std::string describe_divisors(std::size_t number, std::size_t limit) {
  std::string text;
  for (std::size_t divisor = 1; divisor <= std::min(number, limit); ++divisor) {
    if (number % divisor != 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(divisor);
  }
  return text;
}

}  // namespace tensor
