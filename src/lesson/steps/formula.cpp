#include "lesson/steps/formula.hpp"

#include <cstdio>

namespace lesson {

namespace {

using model::Scale;
using model::TensorId;
using model::Trace;

/// " / √D", or nothing if scores are not divided.
std::string division(const Scale& scale) {
  switch (scale.kind) {
    case Scale::Kind::none:
      return "";
    case Scale::Kind::sqrt_head_dim:
      return " / √D";
    case Scale::Kind::sqrt_keys:
      return " / √Lk";
    case Scale::Kind::number:
      break;
  }
  char number[32];
  std::snprintf(number, sizeof number, "%.4g", static_cast<double>(scale.number));
  return std::string(" / ") + (number[0] == '-' ? "−" + std::string(number + 1) : number);
}

/// " · Wᵀ + b", or the part of it whose tensors are given.
std::string linear(const Trace& trace, TensorId weight, TensorId bias) {
  return (trace.has(weight) ? " · Wᵀ" : "") + std::string(trace.has(bias) ? " + b" : "");
}

}  // namespace

std::string formula_for(const Step& step, const Trace& trace, bool rightly) {
  // Under the mistake no_scale nothing is divided, whatever scale was chosen.
  const bool forgotten = !rightly && trace.overrides.mistake == model::Mistake::no_scale;
  const Scale scale = forgotten ? Scale{Scale::Kind::none, 1.0F} : trace.config.scale;
  const bool masked = trace.has("mask");
  const std::string out = linear(trace, "out_proj_weight", "out_proj_bias");
  switch (step.id) {
    case StepId::overview:
      return "output = merge(softmax(Q · Kᵀ" + division(scale) + (masked ? " + mask" : "") +
             ") · V)" + out;
    case StepId::input:
      if (trace.has("token_embedding")) break;
      return "query_input is the embedding itself: no position encoding is added";
    case StepId::project:
      if (trace.has("q_proj_weight")) break;
      return "q = query_input,   k = key_input,   v = value_input";
    case StepId::split:
      if (!trace.config.is_grouped()) break;
      return std::string(step.formula) + ",   k_split[l, g, d] = k[l, g·D + d]";
    case StepId::transpose:
      if (!trace.config.is_grouped()) break;
      return std::string(step.formula) + ",   k_heads[g·R + r, l, d] = k_split[l, g, d]";
    case StepId::scale:
      return "scaled_scores = scores" + division(scale);
    case StepId::mask:
      if (masked) break;
      return "masked_scores = scaled_scores: nothing is masked";
    case StepId::output:
      return "output = merged" + out;
    default:
      break;
  }
  return std::string(step.formula);
}

}  // namespace lesson
