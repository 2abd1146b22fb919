// What one SIMD instruction works on, as GCC's and Clang's vector types have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace attention {

/// Four floats, in every build: what is summed in four parts is summed in the same four parts
/// whether the machine has SIMD or not, and gives the same numbers.
using Four = float __attribute__((vector_size(16)));
/// Four 32-bit integers: what a comparison of `Four`s gives (0 or −1), and the bits of floats.
using FourBits = std::int32_t __attribute__((vector_size(16)));

inline Four all_four(float value) { return Four{value, value, value, value}; }

inline Four load_four(const float* values) {
  Four four;
  std::memcpy(&four, values, sizeof four);
  return four;
}

inline void store_four(Four four, float* values) { std::memcpy(values, &four, sizeof four); }

/// The first `count` < 4 floats, and `rest` for the others. (A memcpy of no fixed length is a
/// call.)
inline Four load_some(const float* values, std::size_t count, float rest) {
  Four four = all_four(rest);
  if (count > 0) four[0] = values[0];
  if (count > 1) four[1] = values[1];
  if (count > 2) four[2] = values[2];
  return four;
}

/// Writes the first `count` < 4 floats.
inline void store_some(Four four, std::size_t count, float* values) {
  if (count > 0) values[0] = four[0];
  if (count > 1) values[1] = four[1];
  if (count > 2) values[2] = four[2];
}

inline FourBits bits_of(Four four) {
  FourBits bits;
  std::memcpy(&bits, &four, sizeof bits);
  return bits;
}

inline Four from_bits(FourBits bits) {
  Four four;
  std::memcpy(&four, &bits, sizeof four);
  return four;
}

}  // namespace attention
