// Σ over the letters that the result lacks: the gradient of a bias, and of whatever was repeated.
// And the mean: what heads have in common.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Extents;
using tensor::Index;
using tensor::Shape;
using tensor::Tensor;

/// The operand with the letters of the result first, then those that are summed over.
struct Arranged {
  Extents order;
  Shape lengths;
  std::size_t kept = 0;  ///< how many letters the result has
};

Arranged arrange(const Use& use) {
  const Operand& x = use[0];
  Arranged made;
  for (const Axis letter : use.axes) {
    made.order.push_back(x.axes.place_of(letter));
    made.lengths.push_back(use.shape[use.axes.place_of(letter)]);
  }
  made.kept = made.order.rank();
  for (std::size_t axis = 0; axis < x.axes.rank(); ++axis) {
    if (use.axes.has(x.axes[axis])) continue;
    made.order.push_back(axis);
    made.lengths.push_back(x.tensor.dim(axis));
  }
  return made;
}

/// Adds whole rows: the last axis is kept, as for a bias.
Tensor sum_of_rows(const Use& use) {
  const Operand& x = use[0];
  const Tensor& source = x.tensor.has_contiguous_rows() ? x.tensor : x.tensor.clone();
  Tensor total(use.shape);
  const std::size_t length = source.shape().back();
  Shape rows = source.shape();
  rows[rows.rank() - 1] = 1;
  Index at = Index::filled(rows.rank(), 0);
  float* const first = total.mutable_data();
  do {
    Index of_total = index_of(use.axes, x.axes, at);
    auto sum = tensor::run(first + total.position(of_total), length);
    xt::noalias(sum) = sum + tensor::run(source.cell(at), length);
  } while (next_index(at, rows));
  return total;
}

/// Adds single numbers. `mean`: divides by how many they are.
Tensor sum_of_cells(const Use& use, const Arranged& arranged, bool mean) {
  const Tensor view = use[0].tensor.arrange(arranged.order, arranged.lengths).contiguous();
  Tensor total = Tensor::uninitialized(use.shape);
  float* cell = total.mutable_data();
  const std::size_t length = view.size() / total.size();
  const double divisor = mean ? static_cast<double>(length) : 1.0;
  for (std::size_t i = 0; i < total.size(); ++i) {
    const double sum = xt::sum<double>(tensor::run(view.data() + i * length, length))();
    cell[i] = static_cast<float>(sum / divisor);
  }
  return total;
}

Tensor forward(const Use& use) {
  const Operand& x = use[0];
  const Arranged arranged = arrange(use);
  if (arranged.order.rank() == arranged.kept) return spread(x, use);  // a view
  if (arranged.kept > 0 && use.axes.back() == x.axes.back()) return sum_of_rows(use);
  return sum_of_cells(use, arranged, false);
}

Tensor forward_average(const Use& use) { return sum_of_cells(use, arrange(use), true); }

void explain(const Use& use, Explanation& made) {
  const Operand& x = use[0];
  const Arranged arranged = arrange(use);
  if (arranged.order.rank() == arranged.kept)
    return made.copy_of(cell_of(use, 0, made.cell.index), Rule::copied);
  made.rule = Rule::sum;
  Shape summed = arranged.lengths;
  for (std::size_t axis = 0; axis < arranged.kept; ++axis) summed[axis] = 1;
  Index at = Index::filled(summed.rank(), 0);
  do {
    Index index = index_of(x.axes, use.axes, made.cell.index);
    for (std::size_t axis = arranged.kept; axis < at.rank(); ++axis)
      index[arranged.order[axis]] = at[axis];
    made.terms.push_back(term_of(Cell{x.id, index, x.tensor.at(index)}));
  } while (next_index(at, summed));
  made.add_up();
}

void explain_average(const Use& use, Explanation& made) {
  explain(use, made);
  made.rule = Rule::mean;
  made.divisor = static_cast<double>(made.terms.size());
  made.result /= made.divisor;
}

}  // namespace

constinit const Operation sum{.name = "sum", .needs = 1, .forward = forward, .explain = explain};
constinit const Operation average{
    .name = "average", .needs = 1, .forward = forward_average, .explain = explain_average};

}  // namespace ops
