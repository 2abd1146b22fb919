#include "app/input/number_drag.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "document/edits/given.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"

namespace app {

double drag_step(float range) {
  constexpr double pixels = 100.0;
  const double wanted = static_cast<double>(range) / pixels;
  if (!(wanted > 0.0)) return 1.0 / pixels;
  const auto exponent = static_cast<int>(std::floor(std::log10(wanted)));
  double power = 1.0;
  for (int i = std::abs(exponent); i > 0; --i) power *= 10.0;
  if (exponent < 0) power = 1.0 / power;
  const double leading = wanted / power;
  // `almost`, because rounding may make the leading digit slightly less than 5.
  constexpr double almost = 1.0 - 1e-6;
  if (leading >= 10.0 * almost) return 10.0 * power;
  return (leading >= 5.0 * almost ? 5.0 : leading >= 2.0 * almost ? 2.0 : 1.0) * power;
}

float NumberDrag::moved(float pixels, bool fine) {
  constexpr double fine_part = 0.1;
  const double step = fine ? step_ * fine_part : step_;
  exact_ += static_cast<double>(pixels) * step;
  const bool weight = cell_.tensor == model::roles::weights;
  const double high = weight ? 1.0 : static_cast<double>(document::largest_value);
  const double low = weight ? 0.0 : -high;
  exact_ = std::clamp(exact_, low, high);
  return static_cast<float>(std::clamp(std::round(exact_ / step) * step, low, high));
}

MaskStroke::MaskStroke(const stage::Block& block, const stage::Hit& first, stage::Point plane)
    : value_(block.value(first.row, first.column) < 0.0F ? 0.0F : model::hidden),
      last_(plane),
      touched_(block.rows() * block.columns(), false) {}

std::vector<document::Edit> MaskStroke::moved_to(const stage::Block& block, stage::Point plane) {
  std::vector<document::Edit> edits;
  if (touched_.size() != block.rows() * block.columns()) return edits;
  const float cell_width = block.cells.width / static_cast<float>(block.columns());
  const float cell_height = block.cells.height / static_cast<float>(block.rows());
  // Sample the line densely enough that no cell is skipped.
  const float cells = std::max(std::fabs(plane.x - last_.x) / cell_width,
                               std::fabs(plane.y - last_.y) / cell_height);
  constexpr float most_points = 4096.0F;
  const int points = 1 + static_cast<int>(std::min(cells * 3.0F, most_points));
  for (int i = 0; i <= points; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(points);
    const stage::Point at{last_.x + (plane.x - last_.x) * t, last_.y + (plane.y - last_.y) * t};
    if (!block.cells.contains(at)) continue;
    const std::size_t row =
        std::min(static_cast<std::size_t>((at.y - block.cells.y) / cell_height), block.rows() - 1);
    const std::size_t column = std::min(
        static_cast<std::size_t>((at.x - block.cells.x) / cell_width), block.columns() - 1);
    const std::size_t cell = row * block.columns() + column;
    if (touched_[cell]) continue;
    touched_[cell] = true;
    if (block.value(row, column) == value_) continue;
    edits.push_back({{block.attention, block.tensor, block.index_of(row, column)}, value_});
  }
  last_ = plane;
  return edits;
}

}  // namespace app
