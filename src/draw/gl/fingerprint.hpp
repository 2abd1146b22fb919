// A number that stands for everything a frame is drawn from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace draw {

/// Two lists of the same bytes, added in the same order, give the same number; others the same one
/// by a chance of 1 in 2^64 or so. For bytes of our own making, not against somebody who looks for
/// two that agree.
class Fingerprint {
 public:
  void add(const void* bytes, std::size_t size) {
    const auto* from = static_cast<const unsigned char*>(bytes);
    const std::size_t all = size;
    std::uint64_t last = 0;
    if (size >= 4 * word_size) {
      // Four numbers side by side: one would wait for its own product with each word.
      std::uint64_t a = value_;
      std::uint64_t b = 1;
      std::uint64_t c = 2;
      std::uint64_t d = 3;
      for (; size >= 4 * word_size; size -= 4 * word_size, from += 4 * word_size) {
        mix(a, word_at(from));
        mix(b, word_at(from + word_size));
        mix(c, word_at(from + 2 * word_size));
        mix(d, word_at(from + 3 * word_size));
      }
      value_ = a;
      // Once more each: their last words would otherwise meet in one place.
      for (std::uint64_t part : {b, c, d}) {
        mix(part, all);
        mix(value_, part);
      }
    }
    for (; size >= word_size; size -= word_size, from += word_size) mix(value_, word_at(from));
    for (; size > 0; --size) last = last << 8U | *from++;
    mix(value_, last);
    mix(value_, all);
  }
  /// Of a type without padding; of a pointer, where it points.
  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void add(const Value& value) {
    add(&value, sizeof value);  // NOLINT(bugprone-sizeof-expression): a pointer's own, too
  }
  template <typename Value>
  void add(const std::vector<Value>& values) {
    add(values.data(), values.size() * sizeof(Value));
  }

  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::size_t word_size = sizeof(std::uint64_t);

  static std::uint64_t word_at(const unsigned char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  /// As FNV-1a does with bytes (G. Fowler, L. C. Noll, K.-P. Vo), but eight at a time, and with the
  /// upper half folded back, which the product never brings down.
  static void mix(std::uint64_t& value, std::uint64_t word) {
    value = (value ^ word) * 0x9e3779b97f4a7c15U;
    value ^= value >> 32U;
  }

  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace draw
