#include "stage/figures/contributions.hpp"

namespace stage {

using model::Trace;
using tensor::Index;
using tensor::Tensor;
HeadContributions head_contributions(const Trace& trace, const Index& index) {
  const std::size_t D = trace.config.head_dim();
  HeadContributions made{std::vector<double>(trace.config.num_heads, 0.0), 0.0};
  if (!trace.has("out_proj_weight")) {
    made.heads[index[2] / D] = static_cast<double>(trace["output"].at(index));
    return made;
  }
  for (std::size_t column = 0; column < trace.config.inner_dim(); ++column) {
    const float merged = trace["merged"].at({index[0], index[1], column});
    const float weight = trace["out_proj_weight"].at({index[2], column});
    made.heads[column / D] += static_cast<double>(merged) * static_cast<double>(weight);
  }
  if (trace.has("out_proj_bias")) {
    made.bias = static_cast<double>(trace["out_proj_bias"].at({index[2]}));
  }
  return made;
}

Tensor project_head(const Trace& trace, model::TensorId whole, std::size_t head) {
  const model::Node& row = *trace.made_by(whole);
  const std::size_t D = trace.config.head_dim();
  ops::Use use = trace.use_of(row);
  if (row.operation == &ops::same) return use[0].tensor.narrow(2, head * D, D);
  // The head owns D rows of the weight and D numbers of the bias.
  for (std::size_t i = 1; i < use.count; ++i)
    use.operands[i].tensor = use[i].tensor.narrow(0, head * D, D);
  use.shape[2] = D;
  return row.operation->forward(use);  // [B,L,D]
}

double key_product(const Trace& trace, const Index& weight, std::size_t d) {
  const std::size_t sample = weight[0];
  const std::size_t head = weight[1];
  const bool nothing_to_see = trace.fully_masked(sample, head, weight[2]) &&
                              !trace.overrides.gives(sample, head, weight[2]);
  if (nothing_to_see || trace.overrides.ablates(head)) return 0.0;
  const float value = trace["v_heads"].at({sample, head, weight[3], d});
  return static_cast<double>(trace["attention_weights"].at(weight)) * static_cast<double>(value);
}

Tensor running_sums(const Trace& trace, std::size_t sample, std::size_t head, std::size_t query) {
  const std::size_t Lk = trace.config.key_len;
  const std::size_t D = trace.config.head_dim();
  Tensor sums({Lk, D});
  float* cell = sums.mutable_data();
  std::vector<double> sum(D, 0.0);
  for (std::size_t key = 0; key < Lk; ++key) {
    for (std::size_t d = 0; d < D; ++d) {
      sum[d] += key_product(trace, {sample, head, query, key}, d);
      *cell++ = static_cast<float>(sum[d]);
    }
  }
  return sums;
}

Tensor apply(const ops::Operation& operation, std::initializer_list<Tensor> operands,
             const ops::Constants& constants) {
  using enum ops::Axis;
  ops::Use use;
  use.shape = operands.begin()->shape();
  use.constants = constants;
  constexpr ops::Axes letters{B, H, Lq, Lk, D};
  for (std::size_t axis = 0; axis < use.shape.rank(); ++axis) use.axes.push_back(letters[axis]);
  for (const Tensor& operand : operands) use.operands[use.count++] = {operand, use.axes, {}};
  return operation.forward(use);
}

}  // namespace stage
