#include "model/attention/mask.hpp"

#include <algorithm>

#include "model/attention/config.hpp"
#include "tensor/rows.hpp"

namespace model {

namespace {

/// [Lq,Lk] → [1,1,Lq,Lk], [B,Lq,Lk] → [B,1,Lq,Lk]; undefined for any other rank.
Tensor with_all_axes(const Tensor& mask) {
  if (mask.rank() == 4) return mask;
  if (mask.rank() == 3) return mask.reshape({mask.dim(0), 1, mask.dim(1), mask.dim(2)});
  return mask.rank() == 2 ? mask.reshape({1, 1, mask.dim(0), mask.dim(1)}) : Tensor();
}

}  // namespace

Tensor padding_mask(std::span<const std::size_t> lengths, std::size_t key_len) {
  Tensor mask({lengths.size(), 1, 1, key_len});
  float* row = mask.mutable_data();
  for (std::size_t sample = 0; sample < lengths.size(); ++sample, row += key_len)
    std::fill(row + std::min(lengths[sample], key_len), row + key_len, hidden);
  return mask;
}

Tensor look_ahead_mask(std::size_t query_len, std::size_t key_len) {
  Tensor mask({query_len, key_len});
  float* row = mask.mutable_data();
  for (std::size_t query = 0; query < query_len; ++query, row += key_len)
    std::fill(row + std::min(query + 1, key_len), row + key_len, hidden);
  return mask;
}

Tensor window_mask(std::size_t query_len, std::size_t key_len, std::size_t window) {
  Tensor mask = look_ahead_mask(query_len, key_len);
  float* row = mask.mutable_data();
  for (std::size_t query = 0; query < query_len; ++query, row += key_len) {
    const std::size_t first = query + 1 - std::min(window, query + 1);
    std::fill(row, row + std::min(first, key_len), hidden);
  }
  return mask;
}

Tensor window_mask_both_ways(std::size_t query_len, std::size_t key_len, std::size_t window) {
  Tensor mask({query_len, key_len});
  float* cell = mask.mutable_data();
  for (std::size_t query = 0; query < query_len; ++query) {
    for (std::size_t key = 0; key < key_len; ++key)
      *cell++ = std::max(query, key) - std::min(query, key) < window ? 0.0F : hidden;
  }
  return mask;
}

Tensor combine_masks(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  if (!b.defined()) return a;
  const Tensor all_a = with_all_axes(a);
  const Tensor all_b = with_all_axes(b);
  if (!all_a.defined() || !all_b.defined()) return {};
  Shape shape;
  for (std::size_t axis = 0; axis < 4; ++axis) {
    shape.push_back(all_a.dim(axis) == 1 ? all_b.dim(axis) : all_a.dim(axis));
  }
  const Tensor wide_a = all_a.expand(shape);
  const Tensor wide_b = all_b.expand(shape);
  if (!wide_a.defined() || !wide_b.defined() || !within_limits(shape)) return {};

  Tensor sum =
      tensor::by_rows([](auto& cells, const auto& x, const auto& y) { xt::noalias(cells) = x + y; },
                      wide_a, wide_b);
  // No more axes than the two masks had: [Lq,Lk] + [Lq,Lk] stays [Lq,Lk].
  while (sum.rank() > std::max(a.rank(), b.rank())) sum = sum.select(sum.rank() - 3, 0);
  return sum;
}

Tensor expand_mask(const Tensor& mask, const Shape& shape) {
  const Tensor all_axes = with_all_axes(mask);
  return all_axes.defined() ? all_axes.expand(shape) : Tensor();
}

}  // namespace model
