// Operations that compute nothing: the same numbers with another shape or order of axes.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Extents;
using tensor::Index;
using tensor::Tensor;

Tensor pass_on(const Use& use) { return use[0].tensor; }

Tensor permuted(const Use& use) { return spread(use[0], use); }

// model::explain answers for views itself, so these two are called only where numbers were copied.
void explain_permuted(const Use& use, Explanation& made) {
  made.copy_of(cell_of(use, 0, made.cell.index), Rule::copied);
}

/// Splitting an axis is always possible as a view. Otherwise a tensor that is not contiguous is
/// copied, so that the result is.
Tensor reshaped(const Use& use) {
  const Tensor& x = use[0].tensor;
  if (x.is_contiguous() || use.shape.rank() > x.rank()) return x.reshape(use.shape);
  return tensor::by_rows([](auto& to, const auto& from) { xt::noalias(to) = from; }, x)
      .reshape(use.shape);
}

void explain_reshaped(const Use& use, Explanation& made) {
  std::size_t place = 0;  // in index order, which a reshape keeps
  for (std::size_t axis = 0; axis < use.shape.rank(); ++axis)
    place = place * use.shape[axis] + made.cell.index[axis];
  const tensor::Shape& shape = use[0].tensor.shape();
  Index source = Extents::filled(shape.rank(), 0);
  for (std::size_t axis = shape.rank(); axis-- > 0; place /= shape[axis])
    source[axis] = place % shape[axis];
  made.copy_of({use[0].id, source, use[0].tensor.at(source)}, Rule::copied);
}

}  // namespace

// The gradient goes the way back.
constinit const Operation same{.name = "same",
                               .needs = 1,
                               .forward = pass_on,
                               .explain = explain_reshaped,
                               .backward = {{{reshape, {Source::d_result}}}}};
constinit const Operation detach{
    .name = "detach", .needs = 1, .forward = pass_on, .explain = explain_reshaped};
constinit const Operation permute{.name = "permute",
                                  .needs = 1,
                                  .forward = permuted,
                                  .explain = explain_permuted,
                                  .backward = {{{sum, {Source::d_result}}}}};
constinit const Operation reshape{.name = "reshape",
                                  .needs = 1,
                                  .forward = reshaped,
                                  .explain = explain_reshaped,
                                  .backward = {{{reshape, {Source::d_result}}}}};

}  // namespace ops
