#include "files/layers/attention_weights.hpp"

#include "base/text.hpp"
#include "files/numbers/finite.hpp"
#include "files/quote.hpp"

namespace files {

using base::fail;
using tensor::Tensor;

std::uint64_t bytes_of(const FoundAttention& found) {
  std::uint64_t bytes = 0;
  for (const HeaderEntry& entry : found.tensors) bytes += entry.end - entry.begin;
  return bytes;
}

base::Result<model::Tensors> weights_of(const FoundAttention& found,
                                        std::span<const std::byte> data) {
  if (!found.problem.empty()) return fail(found.problem);
  if (data.size() != bytes_of(found)) {
    return fail(
        base::text("files.layer.bytes", {{"bytes", data.size()}, {"wanted", bytes_of(found)}}));
  }
  std::vector<Tensor> tensors;
  for (const HeaderEntry& entry : found.tensors) {
    const auto bytes = static_cast<std::size_t>(entry.end - entry.begin);
    const auto tensor = to_float32({entry.name, entry.dtype, entry.shape, data.first(bytes)});
    if (!tensor) return fail(tensor.error());
    const auto checked = check_numbers(in_quotes(entry.name), *tensor, Numbers::finite);
    if (!checked) return fail(checked.error());
    tensors.push_back(*tensor);
    data = data.subspan(bytes);
  }
  model::Tensors weights;
  for (const WeightPlace& place : found.weights) {
    const Tensor& tensor = tensors[place.tensor];
    const bool turned = found.transposed && tensor.rank() == 2;
    const Tensor part = tensor.narrow(turned ? 1 : 0, place.first, place.rows);
    weights[place.id] = turned ? part.transpose(0, 1).contiguous() : part;
  }
  return weights;
}

}  // namespace files
