#include "stage/figures/arrow_plane.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace stage {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool is_finite(const Vector& vector) {
  return std::all_of(vector.begin(), vector.end(), [](double x) { return std::isfinite(x); });
}

Vector vector_of(const tensor::Tensor& tensor) {
  const std::vector<float> values = tensor.values();
  return {values.begin(), values.end()};
}

/// The unit vector along which `rows` spread most from 0; the zero vector if all of them are 0.
/// `rows` must be finite.
Vector largest_spread(const std::vector<Vector>& rows, std::size_t size) {
  Vector direction(size, 0.0);
  double largest = 0.0;
  for (const Vector& row : rows) {
    const double length = dot(row, row);
    if (length <= largest) continue;
    largest = length;
    direction = row;
  }
  if (largest == 0.0) return direction;
  const double first = std::sqrt(largest);
  for (double& x : direction) x /= first;
  // Power iteration until it converges, but for no longer than a frame can afford.
  const std::size_t cells = std::max<std::size_t>(1, rows.size() * size);
  const std::size_t turns = std::clamp<std::size_t>(4'000'000 / cells, 2, 200);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    Vector next(size, 0.0);
    for (const Vector& row : rows) {
      const double along = dot(row, direction);
      for (std::size_t i = 0; i < size; ++i) next[i] += along * row[i];
    }
    const double length = std::sqrt(dot(next, next));
    if (!(length > 0.0) || !std::isfinite(length)) break;
    double change = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      next[i] /= length;
      change = std::max(change, std::fabs(next[i] - direction[i]));
    }
    direction = std::move(next);
    if (change < 1e-9) break;
  }
  return direction;
}

/// Removes the component along a unit direction from each vector.
std::vector<Vector> across(std::vector<Vector> rows, const Vector& direction) {
  for (Vector& row : rows) {
    const double along = dot(row, direction);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along * direction[i];
  }
  return rows;
}

/// The direction in which the keys spread most; `out`: what they have across the first axis.
Vector widest_axis(const std::vector<Vector>& out) {
  std::vector<Vector> finite;
  std::copy_if(out.begin(), out.end(), std::back_inserter(finite), is_finite);
  Vector direction = largest_spread(finite, out.front().size());
  double farthest = 0.0;
  for (const Vector& row : finite) {
    const double along = dot(row, direction);
    if (std::fabs(along) > std::fabs(farthest)) farthest = along;
  }
  if (farthest < 0.0)
    for (double& x : direction) x = -x;
  return direction;
}

/// Sets how far keys lie from the first axis, so that the view stays when another key is chosen.
void set_reach(ArrowPlane& plane, const std::vector<Vector>& out) {
  for (const Vector& row : out)
    if (is_finite(row)) plane.above = std::max(plane.above, std::sqrt(dot(row, row)));
  constexpr std::size_t many = 64;
  plane.below = out.size() > many ? plane.above : 0.0;
  if (out.size() > many) return;
  for (const Vector& chosen : out) {
    const double length = std::sqrt(dot(chosen, chosen));
    if (!(length > 0.0) || !std::isfinite(length)) continue;
    for (const Vector& row : out) {
      const double along = dot(row, chosen) / length;
      if (std::isfinite(along)) plane.below = std::max(plane.below, -along);
    }
  }
}

Point point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

}  // namespace

ArrowPlane arrow_plane(const tensor::Tensor& query, const tensor::Tensor& keys,
                       std::size_t chosen) {
  const Vector q = vector_of(query);
  const std::size_t size = q.size();
  std::vector<Vector> rows;
  for (std::size_t key = 0; key < keys.dim(0); ++key)
    rows.push_back(vector_of(keys.select(0, key)));
  ArrowPlane plane;
  plane.exact = size <= 2;
  plane.query_length = std::sqrt(dot(q, q));
  for (const Vector& row : rows) {
    plane.key_lengths.push_back(std::sqrt(dot(row, row)));
    plane.dots.push_back(dot(q, row));
  }
  if (plane.exact) {
    const auto at = [](const Vector& v) { return point(v[0], v.size() > 1 ? v[1] : 0.0); };
    plane.query = at(q);
    for (const Vector& row : rows) plane.keys.push_back(at(row));
    return plane;
  }
  std::vector<Vector> finite;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(finite), is_finite);
  Vector first = q;
  const bool has_direction = plane.query_length > 0.0 && std::isfinite(plane.query_length);
  if (has_direction)
    for (double& x : first) x /= plane.query_length;
  else
    first = largest_spread(finite, size);
  const std::vector<Vector> out = across(rows, first);
  // Off the first axis by more than rounding.
  const double off = std::sqrt(dot(out[chosen], out[chosen]));
  plane.towards_chosen = std::isfinite(off) && off > 1e-4 * plane.key_lengths[chosen];
  Vector second = plane.towards_chosen ? out[chosen] : widest_axis(out);
  if (plane.towards_chosen)
    for (double& x : second) x /= off;
  set_reach(plane, out);
  for (const Vector& row : out) {
    const double height = dot(row, second);
    if (std::isfinite(height)) plane.below = std::max(plane.below, -height);
  }
  plane.query = point(has_direction ? plane.query_length : 0.0, 0.0);
  for (const Vector& row : rows) plane.keys.push_back(point(dot(row, first), dot(row, second)));
  return plane;
}

}  // namespace stage
