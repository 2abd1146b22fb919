// Seeded random bits, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

/// A stream of random bits that depends on a seed and a name only. Each tensor and each word has a
/// stream of its own, so that what one of them draws does not depend on what was drawn before it.
/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
class Random {
 public:
  Random(std::uint32_t seed, std::string_view name);

  std::uint64_t bits();
  /// A whole number from −limit to limit, all equally likely. limit < 2^31.
  std::int32_t whole(std::int32_t limit);
  /// A whole number from 0 to count − 1, all equally likely. 0 < count < 2^32.
  std::uint32_t below(std::uint32_t count);

 private:
  std::uint64_t state_;
};

}  // namespace base
