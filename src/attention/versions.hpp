// What something was computed from, without keeping it.
#pragma once

#include <cstdint>
#include <vector>

#include "attention/tensor.hpp"

namespace attention {

/// Two are equal where the same was added in the same order: a tensor is the same while it is the
/// same view of the same storage and nobody has written into that.
class Versions {
 public:
  void add(const Tensor& tensor);
  void add(float number);
  void add(bool choice);

  friend bool operator==(const Versions&, const Versions&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace attention
