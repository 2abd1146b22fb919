// Σ a·b over the letters that the result lacks, + bias: linear layers, scores, sums of values, and
// the gradients of all of these.
#include "kernels/matmul.hpp"
#include "ops/operation.hpp"

namespace ops {
namespace {

using kernels::MatrixView;
using tensor::Extents;
using tensor::Index;
using tensor::Shape;
using tensor::Tensor;

/// The letters that are summed over: both operands have them, the result does not.
Axes summed_letters(const Use& use) {
  Axes summed;
  for (const Axis letter : use[0].axes) {
    if (!use.axes.has(letter)) summed.push_back(letter);
  }
  return summed;
}

/// x · weightᵀ + bias for a weight [out,in]: all tokens of all samples are the rows of one matrix.
bool is_linear(const Use& use) {
  const Axes& weight = use[1].axes;
  return weight.rank() == 2 && weight[0] == use.axes.back() && weight[1] == use[0].axes.back();
}

Tensor linear(const Use& use) {
  const Tensor x = use[0].tensor.contiguous();
  const Tensor& weight = use[1].tensor;
  const std::size_t in = weight.dim(1);
  const Tensor bias = use.count < 3 ? Tensor() : use[2].tensor.contiguous();
  Tensor result = Tensor::uninitialized(use.shape);
  kernels::multiply({x.data(), x.size() / in, in, in}, kernels::packed_transpose(weight),
                    result.mutable_data(), bias.defined() ? bias.data() : nullptr);
  return result;
}

/// The distance between neighbours along several axes of a tensor read as one, or nothing if they
/// are not evenly spaced.
std::optional<std::size_t> joint_stride(const Tensor& tensor, std::size_t first,
                                        std::size_t count) {
  std::size_t stride = 0;
  std::size_t cells = 1;
  for (std::size_t axis = first + count; axis-- > first;) {
    if (tensor.dim(axis) == 1) continue;
    if (cells == 1) stride = tensor.strides()[axis];
    if (tensor.strides()[axis] != stride * cells) return std::nullopt;
    cells *= tensor.dim(axis);
  }
  return stride;
}

/// An operand as a stack of matrices, whose rows and columns may each be several axes.
struct Stack {
  Tensor tensor;  ///< the axes of the stack first, then those of rows, then those of columns
  std::size_t depth;
  std::size_t rows;
  std::size_t columns;
  std::size_t row_stride;
  std::size_t column_stride;

  MatrixView matrix(const Index& at) const {
    Index cell = Index::filled(tensor.rank(), 0);
    for (std::size_t axis = 0; axis < depth; ++axis) cell[axis] = at[axis];
    return {tensor.cell(cell), rows, columns, row_stride, column_stride};
  }
};

Stack stack_of(const Operand& operand, const Axes& leading, const Axes& rows, const Axes& columns) {
  Extents order;
  Shape lengths;
  for (const Axes* letters : {&leading, &rows, &columns}) {
    for (const Axis letter : *letters) {
      order.push_back(operand.axes.place_of(letter));
      lengths.push_back(operand.tensor.dim(order.back()));
    }
  }
  Stack stack{operand.tensor.arrange(order, lengths), leading.rank(), 1, 1, 0, 0};
  const std::size_t first_column = leading.rank() + rows.rank();
  for (std::size_t axis = leading.rank(); axis < lengths.rank(); ++axis)
    (axis < first_column ? stack.rows : stack.columns) *= lengths[axis];
  auto row_stride = joint_stride(stack.tensor, leading.rank(), rows.rank());
  auto column_stride = joint_stride(stack.tensor, first_column, columns.rank());
  if (!row_stride || !column_stride) {
    stack.tensor = stack.tensor.clone();
    row_stride = stack.columns;
    column_stride = 1;
  }
  stack.row_stride = *row_stride;
  stack.column_stride = *column_stride;
  return stack;
}

/// A matrix product for each index of the letters that all three tensors have.
Tensor batched(const Use& use) {
  const bool swapped = use[0].axes.has(use.axes.back());  // a gives the columns of the result
  const Operand& a = use[swapped ? 1 : 0];
  const Operand& b = use[swapped ? 0 : 1];
  const Axes summed = summed_letters(use);
  Axes leading;
  Axes rows;
  Axes columns;
  for (const Axis letter : use.axes)
    (!a.axes.has(letter) ? columns : b.axes.has(letter) ? leading : rows).push_back(letter);
  const Stack left = stack_of(a, leading, rows, summed);
  const Stack right = stack_of(b, leading, summed, columns);

  // The matrices one after another, whose letters may have another order than those of the result.
  Shape stack;
  Shape shape;
  Axes made;
  for (const Axes* letters : {&leading, &rows, &columns}) {
    for (const Axis letter : *letters) {
      made.push_back(letter);
      shape.push_back(use.shape[use.axes.place_of(letter)]);
      if (letters == &leading) stack.push_back(shape.back());
    }
  }
  Tensor result = Tensor::uninitialized(shape);
  float* matrix = result.mutable_data();
  kernels::PackedMatrix packed;
  Index at = Index::filled(stack.rank(), 0);
  const bool is_weight = right.tensor.rank() == 2 && right.tensor.shares_storage_with(b.tensor) &&
                         !b.axes.has(Axis::B);
  do {
    if (!is_weight) kernels::pack(right.matrix(at), packed);
    kernels::multiply(left.matrix(at),
                      is_weight ? kernels::packed_weight(right.tensor, right.matrix(at)) : packed,
                      matrix);
    matrix += left.rows * right.columns;
  } while (next_index(at, stack));
  if (made == use.axes) return result;
  Extents order;
  for (const Axis letter : use.axes) order.push_back(made.place_of(letter));
  return result.arrange(order, use.shape).contiguous();
}

Tensor forward(const Use& use) { return is_linear(use) ? linear(use) : batched(use); }

void explain(const Use& use, Explanation& made) {
  const Axes summed = summed_letters(use);
  const Index& at = made.cell.index;
  if (summed.rank() == 0) {
    made.rule = Rule::product;
    made.terms = {term_of(cell_of(use, 0, at), cell_of(use, 1, at))};
    return made.add_up();
  }
  made.rule = Rule::dot_product;
  // The last summed letter is walked along, the others are counted through.
  const std::size_t last = summed.rank() - 1;
  Shape lengths;
  for (const Axis letter : summed)
    lengths.push_back(use[0].tensor.dim(use[0].axes.place_of(letter)));
  lengths[last] = 1;
  Index place = Index::filled(lengths.rank(), 0);
  do {
    std::size_t next = made.terms.size();
    const auto first_of = [&](const Operand& operand) {
      Index first = index_of(operand.axes, use.axes, at);
      for (std::size_t i = 0; i < last; ++i) first[operand.axes.place_of(summed[i])] = place[i];
      return first;
    };
    walk(use[0], first_of(use[0]), use[0].axes.place_of(summed[last]),
         [&](const Cell& a) { made.terms.push_back(term_of(a)); });
    walk(use[1], first_of(use[1]), use[1].axes.place_of(summed[last]), [&](const Cell& b) {
      made.terms[next] = term_of(made.terms[next].a, b);
      ++next;
    });
  } while (next_index(place, lengths));
  if (use.count > 2) made.bias = cell_of(use, 2, at);
  made.add_up();
}

}  // namespace

constinit const Operation product{.name = "product",
                                  .needs = 2,
                                  .forward = forward,
                                  .explain = explain,
                                  .backward = {{{product, {Source::d_result, Source::operand1}},
                                                {product, {Source::d_result, Source::operand0}},
                                                {sum, {Source::d_result}}}}};

}  // namespace ops
