// A short list with an entry for each axis, held in place: no allocation.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>

namespace tensor {

/// One entry per axis, outermost axis first. At most `max_rank` axes (`weighted_values` has five).
template <typename Entry>
class PerAxis {
 public:
  static constexpr std::size_t max_rank = 6;

  constexpr PerAxis() = default;
  constexpr PerAxis(std::initializer_list<Entry> values) {
    for (const Entry value : values) push_back(value);
  }

  /// `rank` axes, each with the same value.
  static constexpr PerAxis filled(std::size_t rank, Entry value) {
    PerAxis filled;
    for (std::size_t axis = 0; axis < rank; ++axis) filled.push_back(value);
    return filled;
  }

  constexpr std::size_t rank() const { return rank_; }

  constexpr Entry& operator[](std::size_t axis) {
    assert(axis < rank_);
    return values_[axis];
  }
  constexpr Entry operator[](std::size_t axis) const {
    assert(axis < rank_);
    return values_[axis];
  }
  constexpr Entry back() const { return (*this)[rank_ - 1]; }

  constexpr void push_back(Entry value) {
    assert(rank_ < max_rank);
    values_[rank_++] = value;
  }

  constexpr const Entry* begin() const { return values_.data(); }
  constexpr const Entry* end() const { return values_.data() + rank_; }

  /// The product of all entries; 1 for rank 0.
  constexpr Entry product() const {
    Entry result = 1;
    for (const Entry value : *this) result *= value;
    return result;
  }

  friend constexpr bool operator==(const PerAxis&, const PerAxis&) = default;

 private:
  std::array<Entry, max_rank> values_{};  ///< 0 behind the last axis
  std::size_t rank_ = 0;
};

using Extents = PerAxis<std::size_t>;
using Shape = Extents;    ///< Length of each axis.
using Strides = Extents;  ///< Distance in floats between neighbours along each axis; 0 repeats.
using Index = Extents;    ///< Position along each axis, counted from 0.

}  // namespace tensor
