#include "lesson/steps/formula.hpp"

#include <cstdio>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace lesson {

namespace {

using model::Scale;
using model::TensorId;
using model::Trace;

/// A number as in formulas: "0.5", "−2".
std::string written(float number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", static_cast<double>(number));
  return digits[0] == '-' ? "−" + std::string(digits + 1) : digits;
}

/// The same without powers of ten: "0.000001".
std::string written_out(float number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.10f", static_cast<double>(number));
  const std::string text = digits;
  return text.substr(0, text.find_last_not_of('0') + 1);
}

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
  return " / " + written(scale.number);
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

/// What the softmax is taken of: "Q · Kᵀ / √D + mask", with what variants do to it.
std::string scores_of(const Trace& trace, bool rightly) {
  const model::Variants& variants = trace.config.variants;
  using enum model::Variants::NormPlace;
  std::string query = "Q";
  std::string key = "K";
  if (variants.qk_norm && variants.norm_place != rotated_heads) {
    query = "norm(Q)";
    key = "norm(K)";
  }
  if (variants.rope_base > 0.0F) {
    query = "rotate(" + query + ")";
    key = "rotate(" + key + ")";
  }
  if (variants.qk_norm && variants.norm_place == rotated_heads) {
    query = "norm(" + query + ")";
    key = "norm(" + key + ")";
  }
  std::string scores = query + " · " + key + "ᵀ" + division(scale_of(trace, rightly));
  if (variants.softcap > 0.0F) {
    const std::string cap = written(variants.softcap);
    scores = cap + " · tanh(" + scores + " / " + cap + ")";
  }
  if (variants.alibi) scores += " − m · |i − j|";
  if (variants.position_bias != model::PositionBias::none) scores += " + position_bias";
  scores += trace.has("mask") ? " + mask" : "";
  return variants.sink ? "[" + scores + ", sinks]" : scores;
}

/// The tensor that a row reads first, by its name.
std::string_view first_operand(const Trace& trace, TensorId tensor) {
  const model::Node* row = trace.made_by(tensor);
  return row == nullptr ? "" : model::name_of(row->of[0]);
}

/// Whether keys and values are made from vectors of one width, and queries from those of another.
bool has_other_width(const Trace& trace) {
  const model::Config& config = trace.config;
  return trace.has("q_proj_weight") && trace.has("k_proj_weight") && config.kdim == config.vdim &&
         config.kdim != config.embed_dim;
}

/// The variants of attention that change what a step does, by their names in the texts.
std::vector<std::string_view> variants_in(StepId step, const Trace& trace) {
  const model::Variants& variants = trace.config.variants;
  std::vector<std::string_view> names;
  if (step == StepId::project && has_other_width(trace)) names.emplace_back("widths");
  if (step == StepId::transpose && trace.config.is_grouped()) names.emplace_back("groups");
  const bool before_split = variants.norm_place == model::Variants::NormPlace::all_heads;
  if (step == StepId::split && variants.qk_norm && before_split) names.emplace_back("full_norm");
  if (step == StepId::scores && variants.qk_norm && !before_split) names.emplace_back("qk_norm");
  if (step == StepId::scores && variants.rope_base > 0.0F) {
    names.emplace_back("rope");
    if (trace.config.rope_dims() < trace.config.head_dim()) names.emplace_back("rope_dims");
    if (trace.has("rope_frequencies")) names.emplace_back("rope_scaled");
    if (trace.constants.rope_factor != 1.0F) names.emplace_back("rope_factor");
  }
  if (step == StepId::scale && variants.softcap > 0.0F) names.emplace_back("softcap");
  if (step == StepId::mask && variants.alibi) names.emplace_back("alibi");
  if (step == StepId::mask && variants.position_bias != model::PositionBias::none)
    names.emplace_back("position_bias");
  if (step == StepId::mask && variants.window > 0)
    names.emplace_back(variants.window_both_ways ? "window_both" : "window");
  if (step == StepId::softmax && variants.sink) names.emplace_back("sink");
  return names;
}

/// The text of a variant; `part`: ".text" or ".formula".
std::string variant_text(std::string_view name, const char* part, const Trace& trace) {
  const model::Config& config = trace.config;
  const bool neighbours = config.variants.rope_neighbours;
  const std::size_t dims = config.rope_dims();
  const bool all = dims == config.head_dim();
  const std::string width = all ? "D" : std::to_string(dims);
  const std::string half = all ? "D/2" : std::to_string(dims / 2);
  const bool has_norm_weights = trace.has("q_norm_weight") || trace.has("k_norm_weight");
  return base::text(
      "lesson.attention." + std::string(name) + part,
      {{"kdim", trace.config.kdim},
       {"embed_dim", trace.config.embed_dim},
       {"rows", trace.config.num_kv_heads * trace.config.head_dim()},
       {"q_rows", trace.config.inner_dim()},
       {"groups", trace.config.num_kv_heads},
       {"share", trace.config.num_heads / trace.config.num_kv_heads},
       {"window", trace.config.variants.window},
       {"cap", written(trace.config.variants.softcap)},
       {"scores", first_operand(trace, "biased_scores")},
       {"q", first_operand(trace, "q_rotated")},
       {"weight", trace.has("q_norm_weight") ? " · q_norm_weight[i]" : ""},
       {"weights", base::text(has_norm_weights ? "lesson.attention.qk_norm.weights"
                                               : "lesson.attention.qk_norm.ones")},
       {"i", neighbours ? "2i" : "i"},
       {"j", neighbours ? "2i + 1" : "i + " + half},
       {"paired", base::text(neighbours ? "lesson.attention.rope.neighbours"
                                        : "lesson.attention.rope.halves")},
       {"frequency", trace.has("rope_frequencies")
                         ? "rope_frequencies[i]"
                         : written(trace.constants.rope_base) + "^(−2i/" + width + ")"},
       {"dims", dims},
       {"head_dim", config.head_dim()},
       {"factor", written(trace.constants.rope_factor)},
       {"eps", written_out(trace.constants.rms_eps)},
       {"q_source", first_operand(trace, "q_normed")}});
}

/// The mistake that is made in this step, if any. `rightly`: as if there were none.
const MistakeText* mistake_in(const Step& step, const Trace& trace, bool rightly) {
  const MistakeText& mistake = text_of(trace.overrides.mistake);
  const bool made = !rightly && mistake.mistake != model::Mistake::none && mistake.step == step.id;
  return made ? &mistake : nullptr;
}

/// The formula that the step's mistake makes of it, if it has one.
std::optional<std::string> mistaken(const Step& step, const Trace& trace, bool rightly) {
  const MistakeText* mistake = mistake_in(step, trace, rightly);
  if (mistake == nullptr) return std::nullopt;
  if (mistake->mistake == model::Mistake::mask_after_softmax)
    return base::text("lesson.formula.no_mask",
                      {{"scores", first_operand(trace, "masked_scores")}});
  const bool unmasked = mistake->mistake == model::Mistake::mask_with_zero && !trace.has("mask");
  const model::Node* scores = trace.made_by("scores");
  if (scores == nullptr || unmasked) return std::nullopt;
  return mistake->formula(model::name_of(scores->of[0]), model::name_of(scores->of[1]),
                          first_operand(trace, "masked_scores"));
}

std::string without_variants(const Step& step, const Trace& trace, bool rightly) {
  if (const auto formula = mistaken(step, trace, rightly)) return *formula;
  const std::string out = linear(trace, "out_proj_weight", "out_proj_bias");
  switch (step.id) {
    case StepId::overview:
      return base::text("lesson.formula.map",
                        {{"scores", scores_of(trace, rightly)}, {"projection", out}});
    case StepId::input:
      if (trace.has("token_embedding")) break;
      return std::string(base::text("lesson.formula.no_positions"));
    case StepId::project:
      if (!trace.has("q_proj_weight")) return std::string(base::text("lesson.formula.no_weights"));
      if (!trace.has("q_proj_bias")) return std::string(base::text("lesson.formula.no_bias"));
      break;
    case StepId::split:
      if (!trace.config.is_grouped()) break;
      return base::text("lesson.formula.split_groups", {{"formula", step.formula()}});
    case StepId::scores: {
      const model::Node* row = trace.made_by("scores");
      if (row == nullptr || row->of[0] == TensorId("q_heads")) break;
      return base::text("lesson.formula.scores",
                        {{"q", model::name_of(row->of[0])}, {"k", model::name_of(row->of[1])}});
    }
    case StepId::scale:
      return base::text("lesson.formula.scale", {{"division", division(scale_of(trace, rightly))}});
    case StepId::mask:
      return base::text(trace.has("mask") ? "lesson.formula.mask" : "lesson.formula.no_mask",
                        {{"scores", first_operand(trace, "masked_scores")}});
    case StepId::softmax:
      if (trace.has("sinks")) return "";  // the variant has the whole formula
      break;
    case StepId::output:
      return base::text("lesson.formula.output", {{"projection", out}});
    default:
      break;
  }
  return std::string(step.formula());
}
}  // namespace

std::string division_of(const Trace& trace, bool rightly) {
  return division(scale_of(trace, rightly));
}

std::string scaling_of(const Trace& trace, bool rightly) {
  std::string scaling = division_of(trace, rightly);
  if (trace.config.variants.softcap > 0.0F) scaling += base::text("lesson.formula.capped");
  if (trace.config.variants.alibi) scaling += " + ALiBi";
  if (trace.has("position_bias")) scaling += " + position_bias";
  return scaling + (trace.has("mask") ? " + mask" : "");
}

std::string formula_for(const Step& step, const Trace& trace, bool rightly) {
  std::string formula = without_variants(step, trace, rightly);
  for (const std::string_view name : variants_in(step.id, trace))
    formula += (formula.empty() ? "" : ",   ") + variant_text(name, ".formula", trace);
  return formula;
}

std::string text_for(const Step& step, const Trace& trace, bool rightly) {
  const bool sink = trace.config.variants.sink.has_value();
  // What is said of a softmax with a sink is the whole text.
  std::string text(step.id == StepId::softmax && sink ? "" : step.text());
  if (step.id == StepId::sentence)
    text += ' ' + std::string(base::text(sink ? "lesson.attention.sink.sentence"
                                              : "lesson.step.sentence.sum"));
  for (const std::string_view name : variants_in(step.id, trace))
    text += (text.empty() ? "" : " ") + variant_text(name, ".text", trace);
  if (const MistakeText* mistake = mistake_in(step, trace, rightly))
    return base::text("lesson.mistake.step_text", {{"mistake", mistake->text()}, {"text", text}});
  return text;
}

namespace {

/// Whether nothing is masked in the step that masks, only distances are taken off the scores.
bool only_biases(const Trace& trace) { return trace.has("biased_scores") && !trace.has("mask"); }

}  // namespace

std::string_view title_for(const Step& step, const Trace& trace) {
  if (step.id == StepId::output && !trace.has("out_proj_weight"))
    return base::text("lesson.step.output.title_without_weights");
  if (step.id == StepId::mask && only_biases(trace))
    return base::text(trace.has("alibi_bias") ? "lesson.step.mask.title_with_alibi"
                                              : "lesson.step.mask.title_with_bias");
  return step.title();
}

std::string_view sentence_for(const Step& step, const Trace& trace, bool rightly) {
  if (const MistakeText* mistake = mistake_in(step, trace, rightly)) {
    if (const auto wrong = mistake->sentence()) return *wrong;
  }
  if (step.id == StepId::project && !trace.has("q_proj_weight"))
    return base::text("lesson.step.project.sentence_without_weights");
  if (step.id == StepId::project && trace.config.num_heads > 1)
    return base::text("lesson.step.project.sentence_heads");
  if (step.id == StepId::output && !trace.has("out_proj_weight"))
    return base::text("lesson.step.output.sentence_without_weights");
  if (step.id == StepId::mask && only_biases(trace))
    return base::text(trace.has("alibi_bias") ? "lesson.step.mask.sentence_with_alibi"
                                              : "lesson.step.mask.sentence_with_bias");
  return step.sentence();
}

}  // namespace lesson
