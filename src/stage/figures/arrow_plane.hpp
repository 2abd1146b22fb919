// Projects vectors onto the plane of a query and a key: these two as they are, the others from the
// side.
#pragma once

#include <cstddef>
#include <vector>

#include "stage/layout/geometry.hpp"
#include "tensor/tensor.hpp"

namespace stage {

/// How the arrows of a query and its keys lie in the plane.
struct ArrowPlane {
  /// The plane has all the dimensions (D ≤ 2), and its axes are those dimensions.
  bool exact = false;
  /// The second axis leads to the chosen key, which is then not on the first.
  bool towards_chosen = false;
  Point query;              ///< its tip
  std::vector<Point> keys;  ///< [Lk] their tips
  double query_length = 0.0;
  std::vector<double> key_lengths;  ///< [Lk]
  std::vector<double> dots;         ///< [Lk] q · k
  /// How far keys lie above and below the first axis at most, whichever is chosen; D > 2.
  double above = 0.0;
  double below = 0.0;
};

/// `query` [D], `keys` [Lk,D]. If D > 2, the first axis is the direction of the query (if that is
/// 0, the direction of the keys' largest spread), so that a key's first coordinate times |q| is its
/// score. The second axis leads to the chosen key. If that is on the first axis, it is the
/// direction in which the rest of the keys spreads most, found by power iteration; its sign puts
/// the key that lies farthest out on the positive side.
ArrowPlane arrow_plane(const tensor::Tensor& query, const tensor::Tensor& keys, std::size_t chosen);

}  // namespace stage
