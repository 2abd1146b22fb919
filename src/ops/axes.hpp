// The letters of axes. They decide what meets what: a product sums over the letter that its result
// lacks, a permutation carries each letter to its new place, a sum repeats what is missing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tensor/extents.hpp"

namespace ops {

/// What an axis counts.
enum class Axis : std::uint8_t {
  none,
  B,     ///< samples of the batch
  Lq,    ///< query tokens
  Lk,    ///< key tokens
  L,     ///< tokens where there are no queries and keys: between attentions
  E,     ///< embed_dim: numbers of a token
  A,     ///< the numbers of all heads side by side, H · D; as many as E, and written so
  H,     ///< heads
  D,     ///< head_dim
  kdim,  ///< numbers of a token of key_input
  vdim,  ///< numbers of a token of value_input
  F,     ///< width of the feed-forward layer
  G,     ///< heads of keys and values, where several query heads share one
  R,     ///< query heads that share one
  K,     ///< the numbers of all key heads side by side, G · D
};
inline constexpr std::size_t axis_count = static_cast<std::size_t>(Axis::K) + 1;

/// How an axis is written on screen, in files and in errors: "B", "Lq", … ("E" for A).
constexpr std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, axis_count> names = {
      "", "B", "Lq", "Lk", "L", "E", "E", "H", "D", "kdim", "vdim", "F", "G", "R", "G·D"};
  return names[static_cast<std::size_t>(axis)];
}

/// The letters of a tensor's axes, outermost first.
class Axes : public tensor::PerAxis<Axis> {
 public:
  using PerAxis::PerAxis;

  /// Where a letter stands; rank() where it does not.
  constexpr std::size_t place_of(Axis letter) const {
    return static_cast<std::size_t>(std::find(begin(), end(), letter) - begin());
  }
  constexpr bool has(Axis letter) const { return place_of(letter) < rank(); }
};

/// How long each axis is; 0 where nobody has said yet.
class Lengths {
 public:
  constexpr std::size_t& operator[](Axis axis) { return lengths_[static_cast<std::size_t>(axis)]; }
  constexpr std::size_t operator[](Axis axis) const {
    return lengths_[static_cast<std::size_t>(axis)];
  }
  tensor::Shape shape_of(const Axes& axes) const {
    tensor::Shape shape;
    for (const Axis axis : axes) shape.push_back((*this)[axis]);
    return shape;
  }
  friend constexpr bool operator==(const Lengths&, const Lengths&) = default;

 private:
  std::array<std::size_t, axis_count> lengths_{};
};

}  // namespace ops
