// Each axis of a tensor has a letter, as in an einsum. Operations match axes by letter: a product
// sums over the letter that its result lacks, a permutation moves each letter to its new place, a
// sum repeats an operand along the letters that it lacks.
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
  L,     ///< tokens, outside attentions, where they are neither queries nor keys
  E,     ///< embed_dim: numbers of a token
  A,     ///< the numbers of all heads side by side, H · D; mostly equals E and is shown as "E"
  H,     ///< heads
  D,     ///< head_dim
  kdim,  ///< numbers of a token of key_input
  vdim,  ///< numbers of a token of value_input
  F,     ///< width of the feed-forward layer
  G,     ///< heads of keys and values, where several query heads share one
  R,     ///< query heads that share one
  K,     ///< the numbers of all key heads side by side, G · D
  V,     ///< tokens of the vocabulary
  P,     ///< pairs of numbers of a head that rotary positions turn
  N,     ///< differences of places that have a bias of their own
};

/// How axes are written on screen, in files and in errors, in the order of Axis.
inline constexpr auto axis_names =
    std::to_array<std::string_view>({"", "B", "Lq", "Lk", "L", "E", "E", "H", "D", "kdim", "vdim",
                                     "F", "G", "R", "G·D", "V", "P", "N"});
inline constexpr std::size_t axis_count = axis_names.size();

constexpr std::string_view name_of(Axis axis) { return axis_names[static_cast<std::size_t>(axis)]; }

/// True for an axis that counts heads, each with a matrix of its own.
constexpr bool counts_heads(Axis axis) { return axis == Axis::H || axis == Axis::G; }
/// True for an axis along which the numbers of all heads lie side by side.
constexpr bool joins_heads(Axis axis) { return axis == Axis::A || axis == Axis::K; }

/// The letters of a tensor's axes, outermost first.
class Axes : public tensor::PerAxis<Axis> {
 public:
  using PerAxis::PerAxis;

  /// The axis that has this letter; rank() if none has.
  constexpr std::size_t place_of(Axis letter) const {
    return static_cast<std::size_t>(std::find(begin(), end(), letter) - begin());
  }
  constexpr bool has(Axis letter) const { return place_of(letter) < rank(); }
};

/// How long the axis of each letter is; 0 for letters that are not in use.
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

/// How an axis is written where axes are so long: "H·D" for A where that is another width than E.
constexpr std::string_view name_of(Axis axis, const Lengths& lengths) {
  return axis == Axis::A && lengths[axis] != lengths[Axis::E] ? "H·D" : name_of(axis);
}

}  // namespace ops
