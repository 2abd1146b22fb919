// All that a frame is drawn from.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace draw {

/// Bytes side by side: where those of two frames are the same, so are their pixels.
class FrameBytes {
 public:
  /// Room for as many bytes as `last` has: growing step by step takes 0.1 ms a frame.
  void reserve(const FrameBytes& last) { bytes_.reserve(last.bytes_.size()); }
  void add(const void* bytes, std::size_t size) {
    bytes_.append(static_cast<const char*>(bytes), size);
  }
  /// Of a type without padding; of a pointer, where it points.
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
