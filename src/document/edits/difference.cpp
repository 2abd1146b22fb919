#include "document/edits/difference.hpp"

#include <cmath>

namespace document {

attention::Tensor difference(const attention::Tensor& a, const attention::Tensor& b) {
  if (!a.defined() || !b.defined() || a.shape() != b.shape()) return {};
  attention::Tensor result(a.shape());
  if (result.size() == 0) return result;
  float* cell = result.mutable_data();
  attention::Index index = attention::Extents::filled(a.rank(), 0);
  do {
    const float left = a.at(index);
    const float right = b.at(index);
    const bool same = left == right || (std::isnan(left) && std::isnan(right));
    *cell++ = same ? 0.0F : left - right;
  } while (attention::next_index(index, a.shape()));
  return result;
}

}  // namespace document
