// Σ a·b over the letter that the result lacks, + bias: linear layers, scores, and the sums of
// values.
#include "kernels/matmul.hpp"
#include "ops/operation.hpp"

namespace ops {
namespace {

using kernels::MatrixView;
using tensor::Index;
using tensor::Shape;
using tensor::Tensor;

/// The letter that is summed over: a has it, the result does not.
Axis summed_letter(const Use& use) {
  for (const Axis letter : use[0].axes) {
    if (!use.axes.has(letter)) return letter;
  }
  return Axis::none;
}

/// x · weightᵀ + bias for a weight [out,in]. All tokens of all samples are the rows of one matrix.
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

/// A matrix product over the last two axes of the result for each index of the axes before them.
Tensor batched(const Use& use) {
  const Axis k = summed_letter(use);
  const std::size_t last = use.axes.rank() - 1;
  Tensor a = use[0].tensor;
  if (!a.has_contiguous_rows()) a = a.clone();
  const Tensor& b = use[1].tensor;
  const std::size_t k_of_b = use[1].axes.place_of(k);
  const std::size_t column_of_b = use[1].axes.place_of(use.axes[last]);
  const std::size_t rows = use.shape[last - 1];
  const std::size_t columns = use.shape[last];

  Tensor result = Tensor::uninitialized(use.shape);
  float* matrix = result.mutable_data();
  kernels::PackedMatrix packed;
  Shape leading = use.shape;
  leading[last - 1] = leading[last] = 1;
  Index at = Index::filled(use.shape.rank(), 0);
  do {
    const Index of_a = index_of(use[0].axes, use.axes, at);
    const Index of_b = index_of(use[1].axes, use.axes, at);
    kernels::pack(
        {b.cell(of_b), b.dim(k_of_b), columns, b.strides()[k_of_b], b.strides()[column_of_b]},
        packed);
    const std::size_t row_stride = a.strides()[use[0].axes.place_of(use.axes[last - 1])];
    kernels::multiply({a.cell(of_a), rows, b.dim(k_of_b), row_stride}, packed, matrix);
    matrix += rows * columns;
  } while (next_index(at, leading));
  return result;
}

Tensor forward(const Use& use) { return use[1].axes.rank() == 2 ? linear(use) : batched(use); }

void explain(const Use& use, Explanation& made) {
  const Axis k = summed_letter(use);
  const Index& at = made.cell.index;
  made.rule = Rule::dot_product;
  walk(use[0], index_of(use[0].axes, use.axes, at), use[0].axes.place_of(k),
       [&](const Cell& a) { made.terms.push_back(term_of(a)); });
  std::size_t place = 0;
  walk(use[1], index_of(use[1].axes, use.axes, at), use[1].axes.place_of(k), [&](const Cell& b) {
    made.terms[place] = term_of(made.terms[place].a, b);
    ++place;
  });
  if (use.count > 2) made.bias = cell_of(use, 2, at);
  made.add_up();
}

}  // namespace

constinit const Operation product{"product", 2, forward, explain};

}  // namespace ops
