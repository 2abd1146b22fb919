// What something was computed from, without keeping it.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "attention/tensor.hpp"

namespace attention {

/// Two are equal where the same was added in the same order: a tensor is the same while it is the
/// same view of the same storage and nobody has written into that.
class Versions {
 public:
  void add(const Tensor& tensor) {
    words_.insert(words_.end(), {tensor.storage_version(), tensor.offset(), tensor.rank()});
    words_.insert(words_.end(), tensor.shape().begin(), tensor.shape().end());
    words_.insert(words_.end(), tensor.strides().begin(), tensor.strides().end());
  }
  void add(float number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    words_.push_back(bits);
  }
  void add(bool choice) { words_.push_back(choice ? 1 : 0); }

  friend bool operator==(const Versions&, const Versions&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace attention
