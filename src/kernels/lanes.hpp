// What one SIMD instruction works on, as GCC's and Clang's vector types have it.
//
// Included by files that are compiled for several processors (matmul_tile_body.hpp), so everything
// is inlined always: a function of its own, compiled for one of them, could be taken for that of
// another.
#pragma once

#include <cstddef>

namespace kernels {

/// Four floats, in every build: what is summed in four parts is summed in the same four parts
/// whether the machine has SIMD or not, and gives the same numbers.
using f32x4 = float __attribute__((vector_size(16)));

/// How many floats a vector has.
template <typename Vector>
inline constexpr std::size_t width_of = sizeof(Vector) / sizeof(float);

[[gnu::always_inline]] inline f32x4 all_four(float value) {
  return f32x4{value, value, value, value};
}

[[gnu::always_inline]] inline f32x4 load_four(const float* values) {
  f32x4 four;
  __builtin_memcpy(&four, values, sizeof four);
  return four;
}

[[gnu::always_inline]] inline void store_four(f32x4 four, float* values) {
  __builtin_memcpy(values, &four, sizeof four);
}

/// The first `count` < 4 floats, and `rest` for the others. (A memcpy of no fixed length is a
/// call.)
[[gnu::always_inline]] inline f32x4 load_some(const float* values, std::size_t count, float rest) {
  f32x4 four = all_four(rest);
  if (count > 0) four[0] = values[0];
  if (count > 1) four[1] = values[1];
  if (count > 2) four[2] = values[2];
  return four;
}

/// Writes the first `count` < 4 floats.
[[gnu::always_inline]] inline void store_some(f32x4 four, std::size_t count, float* values) {
  if (count > 0) values[0] = four[0];
  if (count > 1) values[1] = four[1];
  if (count > 2) values[2] = four[2];
}

}  // namespace kernels
