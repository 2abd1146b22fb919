#include "stage/figures/weights/other_scale.hpp"

#include "ops/operation.hpp"
#include "ops/softmax.hpp"
#include "stage/figures/contributions.hpp"

namespace stage {

using model::Scale;

std::vector<float> weights_with(const QueryRow& row, const Scale& scale) {
  const model::Trace& trace = row.trace();
  if (trace.fully_masked(row.sample(), row.head(), row.query()))
    return std::vector<float>(row.keys(), 0.0F);
  tensor::Tensor scores = row.view("scores");
  if (scale.kind != Scale::Kind::none) {
    const float divisor = scale.divisor(trace.config.head_dim(), row.keys());
    scores = apply(ops::divide, {scores}, {.divisor = divisor});
  }
  if (trace.config.variants.softcap > 0.0F)
    scores = apply(ops::soft_cap, {scores}, {.softcap = trace.config.variants.softcap});
  if (trace.has("biased_scores")) {
    const model::TensorId biases = trace.made_by("biased_scores")->of[1];
    const tensor::Tensor bias = trace[biases].select(0, row.head()).narrow(0, row.query(), 1);
    scores = apply(ops::add, {scores, bias.contiguous()});
  }
  if (trace.has("mask")) scores = apply(ops::add, {scores, row.view("mask")});
  if (!trace.has("sinks")) return apply(ops::softmax, {scores}).values();
  const tensor::Tensor sinks =
      tensor::Tensor::full(scores.shape(), trace["sinks"].at({row.head()}));
  return apply(ops::softmax_with_sinks, {scores, sinks}).values();
}

Scale scale_in_use(const QueryRow& row) {
  const model::Trace& trace = row.trace();
  Scale chosen = trace.config.scale;
  if (!row.is_guessed() && trace["scaled_scores"].shares_storage_with(trace["scores"]))
    chosen.kind = Scale::Kind::none;
  return chosen;
}

}  // namespace stage
