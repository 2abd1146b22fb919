#include "lesson/steps/formula.hpp"

#include <cstdio>

#include "base/text.hpp"

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
      return base::text("lesson.formula.map",
                        {{"scaling", scaling_of(trace, rightly)}, {"projection", out}});
    case StepId::input:
      if (trace.has("token_embedding")) break;
      return std::string(base::text("lesson.formula.no_positions"));
    case StepId::project:
      if (trace.has("q_proj_weight")) break;
      return std::string(base::text("lesson.formula.no_weights"));
    case StepId::split:
      if (!trace.config.is_grouped()) break;
      return base::text("lesson.formula.split_groups", {{"formula", step.formula()}});
    case StepId::transpose:
      if (!trace.config.is_grouped()) break;
      return base::text("lesson.formula.transpose_groups", {{"formula", step.formula()}});
    case StepId::scale:
      return base::text("lesson.formula.scale", {{"division", division(scale_of(trace, rightly))}});
    case StepId::mask:
      if (trace.has("mask")) break;
      return std::string(base::text("lesson.formula.no_mask"));
    case StepId::output:
      return base::text("lesson.formula.output", {{"projection", out}});
    default:
      break;
  }
  return std::string(step.formula());
}

std::string_view title_for(const Step& step, const Trace& trace) {
  if (step.id == StepId::output && !trace.has("out_proj_weight"))
    return base::text("lesson.step.output.title_without_weights");
  return step.title();
}

std::string_view sentence_for(const Step& step, const Trace& trace) {
  if (step.id == StepId::project && !trace.has("q_proj_weight"))
    return base::text("lesson.step.project.sentence_without_weights");
  if (step.id == StepId::output && !trace.has("out_proj_weight"))
    return base::text("lesson.step.output.sentence_without_weights");
  return step.sentence();
}

}  // namespace lesson
