// Everything that a frame's pixels depend on, to find out whether a frame has to be drawn at all.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace draw {

/// A sequence of bytes. Two frames with equal sequences have equal pixels.
class FrameBytes {
 public:
  /// Reserves the size of the last frame: growing step by step would cost 0.1 ms per frame.
  void reserve(const FrameBytes& last) { bytes_.reserve(last.bytes_.size()); }
  void add(const void* bytes, std::size_t size) {
    bytes_.append(static_cast<const char*>(bytes), size);
  }
  /// Adds a value of a type without padding; of a pointer, the address.
  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void add(const Value& value) {
    add(&value, sizeof value);  // NOLINT(bugprone-sizeof-expression): a pointer's own, too
  }
  template <typename Value>
  void add(const std::vector<Value>& values) {
    add(values.size());
    add(values.data(), values.size() * sizeof(Value));
  }

  friend bool operator==(const FrameBytes&, const FrameBytes&) = default;

 private:
  std::string bytes_;
};

}  // namespace draw
