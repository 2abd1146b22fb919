#include "attention/scan.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "attention/lanes.hpp"

namespace attention {
namespace {

constexpr std::int32_t all_but_the_sign = 0x7FFFFFFF;
constexpr std::int32_t bits_of_infinity = 0x7F800000;

FourBits differing(const float* a, const float* b) {
  return bits_of(load_four(a)) ^ bits_of(load_four(b));
}

bool any(const FourBits& bits) { return (bits[0] | bits[1] | bits[2] | bits[3]) != 0; }

/// The larger magnitudes, place by place, by their bits: they order as the numbers do, finite ones
/// before ∞ and NaN.
FourBits larger_magnitudes(const FourBits& most, Four numbers) {
  FourBits bits = bits_of(numbers) & all_but_the_sign;
  bits &= bits < bits_of_infinity;
  const FourBits larger = bits > most;
  return (bits & larger) | (most & ~larger);
}

}  // namespace

bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

std::size_t first_difference(const float* a, const float* b, std::size_t count) {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    if (any(differing(a + i, b + i) | differing(a + i + 4, b + i + 4) |
            differing(a + i + 8, b + i + 8) | differing(a + i + 12, b + i + 12))) {
      break;
    }
  }
  while (i < count && same_bits(a[i], b[i])) ++i;
  return i;
}

std::size_t first_agreement(const float* a, const float* b, std::size_t count) {
  const auto equal = [&](std::size_t place) { return differing(a + place, b + place) == 0; };
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    if (any(equal(i) | equal(i + 4) | equal(i + 8) | equal(i + 12))) break;
  }
  while (i < count && !same_bits(a[i], b[i])) ++i;
  return i;
}

float largest_finite(const float* x, std::size_t count) {
  FourBits most{};
  FourBits others{};  // two chains: one would wait for itself
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    most = larger_magnitudes(most, load_four(x + i));
    others = larger_magnitudes(others, load_four(x + i + 4));
  }
  for (; i + 4 <= count; i += 4) most = larger_magnitudes(most, load_four(x + i));
  if (i < count) most = larger_magnitudes(most, load_some(x + i, count - i, 0.0F));
  const FourBits all = larger_magnitudes(most, from_bits<Four>(others));
  const Four numbers = from_bits<Four>(all);
  return std::max({numbers[0], numbers[1], numbers[2], numbers[3]});
}

}  // namespace attention
