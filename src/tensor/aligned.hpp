// Memory for floats that begins where a cache line does: a vector that is loaded across two lines
// takes twice as long.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace tensor {

inline constexpr std::align_val_t cache_line{64};

/// So many values may be read behind the last one, whatever is there: four can be loaded from the
/// place of any.
inline constexpr std::size_t readable_behind = 3;

/// For the containers of the standard library.
template <typename Value>
struct AlignedAllocator {
  using value_type = Value;

  AlignedAllocator() = default;
  template <typename Other>
  explicit AlignedAllocator(const AlignedAllocator<Other>&) {}

  Value* allocate(std::size_t count) {
    const std::size_t bytes = (count + readable_behind) * sizeof(Value);
    return static_cast<Value*>(::operator new(bytes, cache_line));
  }
  void deallocate(Value* values, std::size_t) { ::operator delete(values, cache_line); }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

using AlignedFloats = std::vector<float, AlignedAllocator<float>>;

}  // namespace tensor
