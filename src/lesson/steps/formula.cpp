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

/// The scale that is really used: under the mistake no_scale none, whatever was chosen.
Scale scale_of(const Trace& trace, bool rightly) {
  const bool forgotten = !rightly && trace.overrides.mistake == model::Mistake::no_scale;
  return forgotten ? Scale{Scale::Kind::none, 1.0F} : trace.config.scale;
}

}  // namespace

std::string scaling_of(const Trace& trace, bool rightly) {
  return division(scale_of(trace, rightly)) + (trace.has("mask") ? " + mask" : "");
}

std::string formula_for(const Step& step, const Trace& trace, bool rightly) {
  const std::string out = linear(trace, "out_proj_weight", "out_proj_bias");
  switch (step.id) {
    case StepId::overview:
      return "output = merge(softmax(Q · Kᵀ" + scaling_of(trace, rightly) + ") · V)" + out;
    case StepId::input:
      if (trace.has("token_embedding")) break;
      return "query_input is the embedding itself: no position encoding is added";
    case StepId::project:
      if (trace.has("q_proj_weight")) break;
      return "q = query_input,   k = key_input,   v = value_input";
    case StepId::split:
      if (!trace.config.is_grouped()) break;
      return std::string(step.formula()) + ",   k_split[l, g, d] = k[l, g·D + d]";
    case StepId::transpose:
      if (!trace.config.is_grouped()) break;
      return std::string(step.formula()) + ",   k_heads[g·R + r, l, d] = k_split[l, g, d]";
    case StepId::scale:
      return "scaled_scores = scores" + division(scale_of(trace, rightly));
    case StepId::mask:
      if (trace.has("mask")) break;
      return "masked_scores = scaled_scores: nothing is masked";
    case StepId::output:
      return "output = merged" + out;
    default:
      break;
  }
  return std::string(step.formula());
}

std::string_view sentence_for(const Step& step, const Trace& trace) {
  if (step.id == StepId::project && !trace.has("q_proj_weight"))
    return "Without weight matrices, the input itself is all three.";
  if (step.id == StepId::output && !trace.has("out_proj_weight"))
    return "Without an output matrix, the merged rows are the output.";
  return step.sentence();
}

}  // namespace lesson
