// A short list of sizes, strides or indices, one per axis, held in place: no allocation.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>

namespace tensor {

/// One integer per axis, outermost axis first. At most `max_rank` axes (`weighted_values` has
/// five).
class Extents {
 public:
  static constexpr std::size_t max_rank = 6;

  constexpr Extents() = default;
  constexpr Extents(std::initializer_list<std::size_t> values) {
    for (const std::size_t value : values) push_back(value);
  }

  /// `rank` axes, each with the same value.
  static constexpr Extents filled(std::size_t rank, std::size_t value) {
    Extents extents;
    for (std::size_t axis = 0; axis < rank; ++axis) extents.push_back(value);
    return extents;
  }

  constexpr std::size_t rank() const { return rank_; }
  constexpr bool empty() const { return rank_ == 0; }

  constexpr std::size_t& operator[](std::size_t axis) {
    assert(axis < rank_);
    return values_[axis];
  }
  constexpr std::size_t operator[](std::size_t axis) const {
    assert(axis < rank_);
    return values_[axis];
  }
  constexpr std::size_t back() const { return (*this)[rank_ - 1]; }

  constexpr void push_back(std::size_t value) {
    assert(rank_ < max_rank);
    values_[rank_++] = value;
  }

  constexpr const std::size_t* begin() const { return values_.data(); }
  constexpr const std::size_t* end() const { return values_.data() + rank_; }

  /// The product of all entries; 1 for rank 0.
  constexpr std::size_t product() const {
    std::size_t result = 1;
    for (const std::size_t value : *this) result *= value;
    return result;
  }

  friend constexpr bool operator==(const Extents&, const Extents&) = default;

 private:
  std::array<std::size_t, max_rank> values_{};  ///< 0 behind the last axis
  std::size_t rank_ = 0;
};

using Shape = Extents;    ///< Length of each axis.
using Strides = Extents;  ///< Distance in floats between neighbours along each axis; 0 repeats.
using Index = Extents;    ///< Position along each axis, counted from 0.

}  // namespace tensor
