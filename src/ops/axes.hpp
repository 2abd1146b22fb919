// The letters of axes. They decide what meets what: a product sums over the letter that its result
// lacks, a permutation carries each letter to its new place, a sum repeats what is missing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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
class Axes {
 public:
  constexpr Axes() = default;
  constexpr Axes(std::initializer_list<Axis> letters) {
    for (const Axis letter : letters) letters_[rank_++] = letter;
  }

  constexpr void push_back(Axis letter) { letters_[rank_++] = letter; }
  constexpr std::size_t rank() const { return rank_; }
  constexpr Axis operator[](std::size_t place) const { return letters_[place]; }
  constexpr const Axis* begin() const { return letters_.data(); }
  constexpr const Axis* end() const { return letters_.data() + rank_; }

  /// Where a letter stands; rank() where it does not.
  constexpr std::size_t place_of(Axis letter) const {
    for (std::size_t place = 0; place < rank_; ++place) {
      if (letters_[place] == letter) return place;
    }
    return rank_;
  }
  constexpr bool has(Axis letter) const { return place_of(letter) < rank_; }

  friend constexpr bool operator==(const Axes&, const Axes&) = default;

 private:
  std::array<Axis, tensor::Extents::max_rank> letters_{};
  std::size_t rank_ = 0;
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
