#include "base/random.hpp"

namespace base {

Random::Random(std::uint32_t seed, std::string_view name) {
  // FNV-1a turns the name into 64 bits; the seed goes in first so that it reaches all of them.
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto mix = [&hash](unsigned byte) { hash = (hash ^ (byte & 0xffU)) * 0x100000001b3U; };
  for (unsigned shift = 0; shift < 32; shift += 8) mix(seed >> shift);
  for (const char c : name) mix(static_cast<unsigned char>(c));
  state_ = hash;
}

std::uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::int32_t Random::whole(std::int32_t limit) {
  const std::uint32_t count = 2 * static_cast<std::uint32_t>(limit) + 1;
  return static_cast<std::int32_t>(static_cast<std::int64_t>(below(count)) - limit);
}

std::uint32_t Random::below(std::uint32_t count) {
  // The upper half of a 32 × 32 bit product: evenly spread, without the bias towards small numbers
  // that % has.
  return static_cast<std::uint32_t>(((bits() >> 32U) * count) >> 32U);
}

}  // namespace base
