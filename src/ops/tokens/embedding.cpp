// A token's row of the embedding matrix: "Attention Is All You Need", section 3.4.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

std::size_t token_at(const float* token) { return static_cast<std::size_t>(*token); }

Tensor forward(const Use& use) {
  const Tensor tokens = use[0].tensor.contiguous();
  const Tensor weight = use[1].tensor.contiguous();
  const std::size_t width = weight.dim(1);
  const float factor = use.constants.embedding_factor;
  Tensor made = Tensor::uninitialized(use.shape);
  float* to = made.mutable_data();
  for (std::size_t i = 0; i < tokens.size(); ++i, to += width) {
    auto row = tensor::run(to, width);
    const float* from = weight.data() + token_at(tokens.data() + i) * width;
    xt::noalias(row) = tensor::run(from, width) * factor;
  }
  return made;
}

void explain(const Use& use, Explanation& made) {
  const float token = cell_of(use, 0, made.cell.index).value;
  const Index row{static_cast<std::size_t>(token), made.cell.index.back()};
  made.rule = Rule::scaled;
  made.terms = {term_of(Cell{use[1].id, row, use[1].tensor.at(row)})};
  made.factor = static_cast<double>(use.constants.embedding_factor);
  made.result = made.terms[0].value * made.factor;
}

/// Adds the gradient of each token to the row that it was read from. [V,E]
Tensor gradient(const Use& use) {
  const Tensor tokens = use[0].tensor.contiguous();
  const Tensor gradients = use[1].tensor.contiguous();
  const std::size_t width = use.shape[1];
  Tensor total(use.shape);
  float* first = total.mutable_data();
  const float* from = gradients.data();
  for (std::size_t i = 0; i < tokens.size(); ++i, from += width) {
    auto row = tensor::run(first + token_at(tokens.data() + i) * width, width);
    xt::noalias(row) = row + tensor::run(from, width) * use.constants.embedding_factor;
  }
  return total;
}

void explain_gradient(const Use& use, Explanation& made) {
  made.rule = Rule::sum;
  Index at = Index::filled(use[0].tensor.rank(), 0);
  const auto factor = static_cast<double>(use.constants.embedding_factor);
  do {
    if (static_cast<std::size_t>(use[0].tensor.at(at)) != made.cell.index[0]) continue;
    Index cell = at;
    cell.push_back(made.cell.index[1]);
    made.terms.push_back(term_of(Cell{use[1].id, cell, use[1].tensor.at(cell)}));
    made.terms.back().value *= factor;
  } while (next_index(at, use[0].tensor.shape()));
  if (factor != 1.0) made.rule = Rule::scaled_sum;
  made.factor = factor;
  made.add_up();
}

}  // namespace

constinit const Operation embedding{
    .name = "embedding",
    .needs = 2,
    .forward = forward,
    .explain = explain,
    .backward = {{{}, {embedding_gradient, {Source::operand0, Source::d_result}}}},
    .reads_constants = true};
constinit const Operation embedding_gradient{.name = "embedding_gradient",
                                             .needs = 2,
                                             .forward = gradient,
                                             .explain = explain_gradient,
                                             .reads_constants = true};

}  // namespace ops
