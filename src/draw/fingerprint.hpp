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
    for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, from, sizeof word);
      from += sizeof word;
      mix(word);
    }
    std::uint64_t rest = size;
    for (; size > 0; --size) rest = rest << 8U | *from++;
    mix(rest);
  }
  /// Of a type without padding.
  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void add(const Value& value) { add(&value, sizeof value); }
  template <typename Value>
  void add(const std::vector<Value>& values) {
    add(values.data(), values.size() * sizeof(Value));
  }

  std::uint64_t value() const { return value_; }

 private:
  /// As FNV-1a does with bytes (G. Fowler, L. C. Noll, K.-P. Vo), but eight at a time, and with the
  /// upper half folded back, which the product never brings down.
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 32U;
  }

  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace draw
