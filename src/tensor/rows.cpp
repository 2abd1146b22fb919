#include "tensor/rows.hpp"

#include <cassert>

namespace tensor {

Tensor make_rows(std::span<const Tensor* const> inputs, VisitRow* visit, void* context) {
  constexpr std::size_t most = 3;
  assert(inputs.size() <= most);
  const Shape& shape = inputs.front()->shape();
  Tensor result = Tensor::uninitialized(shape);
  if (result.size() == 0) return result;
  std::array<Tensor, most> side_by_side;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    side_by_side[i] = inputs[i]->has_contiguous_rows() ? *inputs[i] : inputs[i]->clone();
  const std::size_t length = shape.back();
  Shape rows = shape;
  rows[rows.rank() - 1] = 1;
  Index index = Extents::filled(rows.rank(), 0);
  float* to = result.mutable_data();
  std::array<const float*, most> from{};
  do {
    for (std::size_t i = 0; i < inputs.size(); ++i) from[i] = side_by_side[i].cell(index);
    visit(context, to, from.data(), length);
    to += length;
  } while (next_index(index, rows));
  return result;
}

}  // namespace tensor
