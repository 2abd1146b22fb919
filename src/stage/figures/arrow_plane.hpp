// Vectors of many dimensions in a plane through the query: exact along it, a projection across it.
#pragma once

#include <cstddef>
#include <vector>

#include "stage/layout/geometry.hpp"
#include "tensor/tensor.hpp"

namespace stage {

/// How the arrows of one query and its keys lie in the plane.
struct ArrowPlane {
  /// True where the plane has all dimensions there are (D ≤ 2): its axes are the dimensions.
  bool exact = false;
  Point query;              ///< its tip
  std::vector<Point> keys;  ///< [Lk] their tips
  double query_length = 0.0;
  std::vector<double> key_lengths;  ///< [Lk]
  std::vector<double> dots;         ///< [Lk] q · k
};

/// `query` [D], `keys` [Lk,D]. With more than two dimensions the first axis is along the query (the
/// direction of the largest spread of the keys, where the query is 0), so that the first coordinate
/// of a key times |q| is its score; the second is the direction in which what is left of the keys
/// spreads most, by power iteration. Its sign is such that the key that lies farthest out on it
/// lies on the positive side.
ArrowPlane arrow_plane(const tensor::Tensor& query, const tensor::Tensor& keys);

}  // namespace stage
