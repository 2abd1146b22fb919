// The way through memory from the first float of a sample to another, by strides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/trace.hpp"
#include "stage/figures/figure.hpp"

namespace stage {

/// A jump along one axis, or several at once.
struct Jump {
  std::size_t from = 0;  ///< index in the sample
  std::size_t to = 0;
  std::size_t count = 1;  ///< how often the axis' stride is jumped
  std::string axis;       ///< token, head or column
};

/// The jumps to the cell `index` of a tensor, along the first axis first; [B] is left out.
std::vector<Jump> jumps_to(const model::Trace& trace, model::TensorId id,
                           const tensor::Index& index);

/// The same with all jumps along an axis in one.
std::vector<Jump> in_one(const std::vector<Jump>& jumps);

/// The height of an arc with its label; logical pixels, as all lengths here.
constexpr float arc_room(float arc_height) { return arc_height + 22.0F; }

/// Draws the jumps as arcs of this height with their strides, `over` the line y or below it; those
/// too short to be seen are left out. `x_of`: where the float of this index in the sample lies.
void put_arcs(Figure& figure, const std::vector<Jump>& jumps,
              const std::function<float(std::size_t)>& x_of, float y, bool over, float arc_height);

}  // namespace stage
