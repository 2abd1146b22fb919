// Tensors by name.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "model/names.hpp"
#include "tensor/tensor.hpp"

namespace model {

/// A tensor, defined or not, for each name. Cheap to copy: tensors share their storage.
class Tensors {
 public:
  bool has(TensorId id) const { return (*this)[id].defined(); }
  const tensor::Tensor& operator[](TensorId id) const {
    if (!id.is_gradient()) return tensors_[id.place()];
    static const tensor::Tensor none;
    const auto found = gradients_.find(id);
    return found == gradients_.end() ? none : found->second;
  }
  tensor::Tensor& operator[](TensorId id) {
    return id.is_gradient() ? gradients_[id] : tensors_[id.place()];
  }

  /// The names of those that are defined, in the order in which they are computed: that of the
  /// tables, then gradients the other way round.
  std::vector<TensorId> present() const {
    std::vector<TensorId> ids;
    for (std::size_t place = 0; place < tensor_count; ++place) {
      if (tensors_[place].defined()) ids.push_back(TensorId::at(place));
    }
    for (auto entry = gradients_.rbegin(); entry != gradients_.rend(); ++entry) {
      if (entry->second.defined()) ids.push_back(entry->first);
    }
    return ids;
  }

 private:
  std::array<tensor::Tensor, tensor_count> tensors_;
  std::map<TensorId, tensor::Tensor> gradients_;  ///< few traces have any
};

}  // namespace model
