#include "files/numbers/finite.hpp"

#include <cmath>

#include "base/text.hpp"
#include "model/attention/mask.hpp"

namespace files {

using base::fail;
using base::Result;
using tensor::Tensor;

Result<void> check_numbers(const std::string& name, const Tensor& tensor, Numbers allowed) {
  const float* cells = tensor.data();
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const float cell = cells[i];
    if (std::isfinite(cell) || (allowed == Numbers::mask && cell == model::hidden)) continue;
    tensor::Index index = tensor::Extents::filled(tensor.rank(), 0);
    std::size_t rest = i;
    for (std::size_t axis = tensor.rank(); axis-- > 0; rest /= tensor.dim(axis)) {
      index[axis] = rest % tensor.dim(axis);
    }
    const std::string what = std::isnan(cell) ? "NaN" : cell > 0.0F ? "∞" : "−∞";
    const char* key = allowed == Numbers::mask ? "files.number.in_mask" : "files.number.not_finite";
    return fail(
        base::text(key, {{"name", name}, {"number", what}, {"place", tensor::describe(index)}}));
  }
  return {};
}

Result<Tensor> to_finite(const StoredTensor& stored) {
  if (stored.dtype == "BOOL") {
    return fail(base::text("files.attention.bool", {{"name", stored.name}}));
  }
  Result<Tensor> tensor = to_float32(stored);
  if (!tensor) return tensor;
  const Result<void> checked = check_numbers(stored.name, *tensor, Numbers::finite);
  if (!checked) return fail(checked.error());
  return tensor;
}

}  // namespace files
