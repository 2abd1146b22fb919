// What the tests of the computation share: made-up numbers, and comparison of tensors with plain
// arrays of doubles.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tensor/tensor.hpp"

namespace test {

using tensor::Index;
using tensor::Shape;
using tensor::Tensor;

/// Repeatable numbers from −1 to 1, the same on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : state_(seed * 2654435761U + 1U) {}

  std::uint32_t bits() {
    state_ = state_ * 1664525U + 1013904223U;
    return state_ >> 8U;
  }
  float next() { return static_cast<float>(bits()) / 8388608.0F - 1.0F; }
  /// From 0 to below `limit`.
  std::size_t below(std::size_t limit) { return bits() % limit; }

  Tensor tensor(const Shape& shape) {
    Tensor result(shape);
    float* cell = result.mutable_data();
    for (std::size_t i = 0; i < result.size(); ++i) cell[i] = next();
    return result;
  }
  Index index(const Shape& shape) {
    Index result;
    for (const std::size_t length : shape) result.push_back(below(length));
    return result;
  }

 private:
  std::uint32_t state_;
};

/// 1, 2, 3, …
inline Tensor counting(const Shape& shape) {
  Tensor result(shape);
  float* cell = result.mutable_data();
  for (std::size_t i = 0; i < result.size(); ++i) cell[i] = static_cast<float>(i + 1);
  return result;
}

/// A plain array of doubles in index order: what references are computed in, without views or
/// strides.
struct Array {
  Shape shape;
  std::vector<double> values;

  Array() = default;
  explicit Array(const Shape& sizes) : shape(sizes), values(sizes.product()) {}
  explicit Array(const Tensor& tensor) : shape(tensor.shape()) {
    for (const float value : tensor.values()) values.push_back(static_cast<double>(value));
  }

  std::size_t place(const Index& index) const {
    std::size_t result = 0;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      result = result * shape[axis] + index[axis];
    }
    return result;
  }
  double& operator[](const Index& index) { return values[place(index)]; }
  double operator[](const Index& index) const { return values[place(index)]; }
};

/// The largest |ours − theirs|; two equal infinities and two NaN differ by 0, any other pair of
/// these by ∞.
inline double largest_difference(const Tensor& ours, const Array& theirs) {
  if (ours.shape() != theirs.shape) return HUGE_VAL;
  const std::vector<float> values = ours.values();
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = static_cast<double>(values[i]);
    const double b = theirs.values[i];
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    const double difference = std::fabs(a - b);
    largest = std::isfinite(difference) ? std::fmax(largest, difference) : HUGE_VAL;
  }
  return largest;
}

inline void expect_close(const Tensor& ours, const Array& theirs, double tolerance,
                         const std::string& what) {
  ASSERT_TRUE(ours.defined()) << what;
  EXPECT_EQ(describe(ours.shape()), describe(theirs.shape)) << what;
  EXPECT_LE(largest_difference(ours, theirs), tolerance) << what;
}

inline void expect_values(const Tensor& tensor, const std::vector<float>& values) {
  EXPECT_EQ(tensor.values(), values);
}

}  // namespace test
