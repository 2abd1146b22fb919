#include "files/layers/attention_weights.hpp"

#include "base/text.hpp"
#include "files/numbers/finite.hpp"
#include "files/quote.hpp"

namespace files {

using base::fail;
using tensor::Tensor;

namespace {

/// The rows of q, k or v where each head of keys has its own beside those of the queries that share
/// it: [G, H/G + 2, D, …].
Tensor unpacked(const FoundAttention& found, const Tensor& packed, std::size_t part) {
  const std::size_t heads = usual_heads(found);
  const std::size_t groups = kv_heads(found, heads);
  const std::size_t sharing = heads / groups;
  const std::size_t head_dim = found.inner_dim / heads;
  const std::size_t width = packed.rank() == 2 ? packed.dim(1) : 1;
  const Tensor split = packed.reshape({groups, sharing + 2, head_dim, width});
  const std::size_t first = part == 0 ? 0 : sharing + part - 1;
  const std::size_t count = part == 0 ? sharing : 1;
  const Tensor rows = split.narrow(1, first, count).contiguous();
  const std::size_t all = groups * count * head_dim;
  return packed.rank() == 2 ? rows.reshape({all, width}) : rows.reshape({all});
}

/// A tensor of the file, or its part, as [out,in].
Tensor weight_of(const FoundAttention& found, const WeightPlace& place, const Tensor& tensor) {
  if (place.part < 3) return unpacked(found, tensor, place.part);
  const bool is_norm =
      place.id == model::TensorId("q_norm_weight") || place.id == model::TensorId("k_norm_weight");
  if (is_norm && found.norm_adds_one) {
    const std::vector<float> numbers = tensor.values();
    Tensor made(tensor.shape());
    for (std::size_t i = 0; i < numbers.size(); ++i) made.mutable_data()[i] = 1.0F + numbers[i];
    return made;
  }
  if (found.by_matrices && tensor.rank() == 3) {
    const bool is_out = place.id == model::TensorId("out_proj_weight");
    if (!is_out) {
      return tensor.transpose(1, 2).contiguous().reshape(
          {tensor.dim(0) * tensor.dim(2), tensor.dim(1)});
    }
    return tensor.reshape({tensor.dim(0) * tensor.dim(1), tensor.dim(2)})
        .transpose(0, 1)
        .contiguous();
  }
  if (found.by_matrices) return tensor.reshape({tensor.size()});
  const bool turned = found.transposed && tensor.rank() == 2;
  const Tensor part = tensor.narrow(turned ? 1 : 0, place.first, place.rows);
  return turned ? part.transpose(0, 1).contiguous() : part;
}

}  // namespace

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
  for (const WeightPlace& place : found.weights)
    weights[place.id] = weight_of(found, place, tensors[place.tensor]);
  return weights;
}

}  // namespace files
