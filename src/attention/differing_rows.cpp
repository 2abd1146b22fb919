#include "attention/differing_rows.hpp"

#include "attention/scan.hpp"

namespace attention {
namespace {

/// same_bits for `count` numbers, so far apart.
bool same_run(const float* a, std::size_t a_step, const float* b, std::size_t b_step,
              std::size_t count) {
  if (a_step == 1 && b_step == 1) return first_difference(a, b, count) == count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!same_bits(a[i * a_step], b[i * b_step])) return false;
  }
  return true;
}

}  // namespace

std::optional<Marks> rows_that_may_differ(const Tensor& a, const Tensor& b) {
  if (a.strides() != b.strides() || a.offset() != b.offset()) return std::nullopt;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    // A position would be that of several cells.
    if (a.strides()[axis] == 0 && a.dim(axis) > 1) return std::nullopt;
  }
  const auto positions = a.may_differ_at(b);
  if (!positions) return std::nullopt;
  Shape rows = a.shape();
  rows[a.rank() - 1] = 1;
  Marks differ(rows.product());
  for (const std::size_t position : *positions) {
    const std::optional<Index> index = a.index_at(position);
    if (!index) continue;  // outside of what these see
    std::size_t row = 0;
    for (std::size_t axis = 0; axis + 1 < a.rank(); ++axis)
      row = row * a.dim(axis) + (*index)[axis];
    differ.mark(row);
  }
  return differ;
}

Marks rows_that_differ(const Tensor& a, const Tensor& b) {
  const std::size_t length = a.shape().back();
  const std::size_t last = a.rank() - 1;
  Shape rows = a.shape();
  rows[last] = 1;
  const std::optional<Marks> may = rows_that_may_differ(a, b);
  Marks differ(rows.product());
  if (may && !may->any()) return differ;
  Index index = Extents::filled(a.rank(), 0);
  std::size_t row = 0;
  do {
    const float* of_a = a.storage().data() + a.position(index);
    const float* of_b = b.storage().data() + b.position(index);
    const bool look = !may || (*may)[row];
    if (look && !same_run(of_a, a.strides()[last], of_b, b.strides()[last], length))
      differ.mark(row);
    ++row;
  } while (next_index(index, rows));
  return differ;
}

}  // namespace attention
