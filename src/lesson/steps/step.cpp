// The steps and what they show. Formulas omit the batch axis: every sample is computed alike.
#include "lesson/steps/step.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/text.hpp"

namespace lesson {
namespace {

using model::TensorId;

// clang-format off
// With the views and weighted_values, so that the map shows every tensor on the way.
constexpr TensorId overview_tensors[] = {
    "query_input",       "key_input",       "value_input",
    "q",                 "k",               "v",
    "q_full_normed",     "k_full_normed",
    "q_split",           "k_split",         "v_split",
    "k_groups",          "v_groups",
    "q_heads",           "k_heads",         "v_heads",
    "q_normed",          "k_normed",
    "q_rotated",         "k_rotated",
    "scores",            "scaled_scores",   "capped_scores",
    "alibi_bias",        "position_bias",   "biased_scores",
    "mask",
    "masked_scores",     "attention_weights",
    "weighted_values",   "head_outputs",
    "merged",            "output"};
// clang-format on
constexpr TensorId sentence_tensors[] = {"attention_weights", "v_heads", "head_outputs"};
constexpr TensorId input_tensors[] = {"token_embedding", "position_encoding", "query_input",
                                      "key_input", "value_input"};
constexpr TensorId project_tensors[] = {"query_input", "q_proj_weight", "q_proj_bias", "q",
                                        "key_input",   "k_proj_weight", "k_proj_bias", "k",
                                        "value_input", "v_proj_weight", "v_proj_bias", "v"};
constexpr TensorId split_tensors[] = {
    "q", "k", "v", "q_full_normed", "k_full_normed", "q_split", "k_split", "v_split"};
constexpr TensorId transpose_tensors[] = {"q_split",  "k_split", "v_split", "k_groups",
                                          "v_groups", "q_heads", "k_heads", "v_heads"};
constexpr TensorId scores_tensors[] = {"k_groups",      "q_heads",  "k_heads",  "q_norm_weight",
                                       "k_norm_weight", "q_normed", "k_normed", "q_rotated",
                                       "k_rotated",     "scores"};
constexpr TensorId scale_tensors[] = {"scores", "scaled_scores", "capped_scores"};
constexpr TensorId mask_tensors[] = {"scaled_scores", "capped_scores", "alibi_bias",
                                     "position_bias", "biased_scores", "mask",
                                     "masked_scores"};
constexpr TensorId softmax_tensors[] = {"masked_scores", "sinks", "attention_weights"};
constexpr TensorId reweight_tensors[] = {"attention_weights", "v_heads", "weighted_values",
                                         "head_outputs"};
constexpr TensorId merge_tensors[] = {"head_outputs", "merged_split", "merged"};
constexpr TensorId output_tensors[] = {"merged", "out_proj_weight", "out_proj_bias", "output"};

constexpr std::array<Step, step_count> all_steps = {{
    {StepId::sentence, "sentence", sentence_tensors},
    {StepId::input, "input", input_tensors},
    {StepId::project, "project", project_tensors},
    {StepId::split, "split", split_tensors},
    {StepId::transpose, "transpose", transpose_tensors},
    {StepId::scores, "scores", scores_tensors},
    {StepId::scale, "scale", scale_tensors},
    {StepId::mask, "mask", mask_tensors},
    {StepId::softmax, "softmax", softmax_tensors},
    {StepId::reweight, "reweight", reweight_tensors},
    {StepId::merge, "merge", merge_tensors},
    {StepId::output, "output", output_tensors},
    {StepId::overview, "overview", overview_tensors},
}};

std::string_view text_of(const Step& step, const char* part) {
  return base::text("lesson.step." + std::string(step.name) + part);
}

}  // namespace

std::string_view Step::label() const { return text_of(*this, ".label"); }
std::string_view Step::title() const { return text_of(*this, ".title"); }
std::string_view Step::sentence() const { return text_of(*this, ".sentence"); }
std::string_view Step::text() const { return text_of(*this, ".text"); }
std::string_view Step::formula() const { return text_of(*this, ".formula"); }

std::span<const Step> steps() { return all_steps; }

const Step& step(StepId id) { return all_steps[static_cast<std::size_t>(id)]; }

StepId step_making(model::TensorId tensor) {
  if (tensor == "mean_weights") return StepId::sentence;  // no other step reads or makes it
  // The first step that shows a tensor makes it, but for `sentence`, which comes before all others.
  for (const Step& each : all_steps) {
    const auto& shown = each.tensors;
    if (each.id != StepId::sentence && std::find(shown.begin(), shown.end(), tensor) != shown.end())
      return each.id;
  }
  return StepId::overview;
}

std::vector<TensorId> shown_in(const Step& step, const model::Trace& trace) {
  std::vector<TensorId> shown;
  const bool mixed = step.id == StepId::sentence || step.id == StepId::overview;
  for (const TensorId tensor : step.tensors) {
    if (!trace.offers(tensor)) continue;
    const bool is_read = std::any_of(trace.nodes.begin(), trace.nodes.end(), [&](const auto& row) {
      const auto operands = row.operands();
      return step_making(row.id) == step.id &&
             std::find(operands.begin(), operands.end(), tensor) != operands.end();
    });
    if (mixed || is_read || step_making(tensor) == step.id) shown.push_back(tensor);
  }
  return shown;
}

bool is_about(StepId id, model::TensorId tensor) {
  if (id == StepId::overview || id == step_making(tensor)) return true;
  return id == StepId::sentence && tensor == sentence_tensors[std::size(sentence_tensors) - 1];
}

}  // namespace lesson
