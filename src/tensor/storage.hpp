// The run of floats that tensors share: an xtensor container. Included where numbers are made or
// handed to xtensor; everybody else sees a std::span of it (tensor.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tensor/aligned.hpp"
#include "tensor/xtensor.hpp"

namespace tensor {

struct Storage {
  /// xt::uvector leaves its floats unwritten until somebody fills them.
  xt::uvector<float, AlignedAllocator<float>> values;
  std::uint64_t id = 0;
  std::optional<float> largest_finite = {};   ///< once somebody asked
  std::shared_ptr<const void> prepared = {};  ///< Tensor::prepared
};

}  // namespace tensor
