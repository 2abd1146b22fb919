// Tensors by name.
#pragma once

#include <array>
#include <vector>

#include "model/names.hpp"
#include "tensor/tensor.hpp"

namespace model {

/// A tensor, defined or not, for each name. Cheap to copy: tensors share their storage.
class Tensors {
 public:
  bool has(TensorId id) const { return tensors_[id.place()].defined(); }
  const tensor::Tensor& operator[](TensorId id) const { return tensors_[id.place()]; }
  tensor::Tensor& operator[](TensorId id) { return tensors_[id.place()]; }

  /// The names of those that are defined, in the order of the tables.
  std::vector<TensorId> present() const {
    std::vector<TensorId> ids;
    for (std::size_t place = 0; place < tensor_count; ++place) {
      if (tensors_[place].defined()) ids.push_back(TensorId::at(place));
    }
    return ids;
  }

 private:
  std::array<tensor::Tensor, tensor_count> tensors_;
};

}  // namespace model
