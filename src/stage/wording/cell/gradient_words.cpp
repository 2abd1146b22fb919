// Each formula is the derivative of the step's own one by the chain rule, as reverse-mode automatic
// differentiation has it: Rumelhart, Hinton and Williams, "Learning representations by
// back-propagating errors", Nature 323 (1986); Goodfellow, Bengio and Courville, Deep Learning
// (2016), 6.5.
#include "stage/wording/cell/gradient_words.hpp"

#include "base/text.hpp"
#include "lesson/steps/formula.hpp"

namespace stage {

using lesson::StepId;
using model::Trace;

namespace {

/// By its name, what a row reads: with variants of attention the scores are made of other tensors.
std::string read_by(const Trace& trace, model::TensorId row, std::size_t operand) {
  const model::Node* made = trace.made_by(row);
  return made == nullptr ? "" : std::string(model::name_of(made->of[operand]));
}

/// Of y = x · Wᵀ + b: d_x = d_y · W, d_W = d_yᵀ · x, d_b = Σ d_y (Goodfellow et al., 6.5.6).
std::string linear(const std::string& x, const std::string& y, bool weights, bool bias) {
  const std::string result = "d_" + y;
  std::string formula = "d_" + x + " = " + result;
  if (weights) formula += " · W,   d_W = " + result + "ᵀ · " + x;
  if (bias) formula += ",   d_b = Σ " + result + "[l]";
  return formula;
}

}  // namespace

std::string backward_text(StepId step, const Trace& trace) {
  std::string key(lesson::step(step).name);
  if (step == StepId::project && !trace.has("q_proj_weight")) key += "_without_weights";
  if (step == StepId::output && !trace.has("out_proj_weight")) key += "_without_weights";
  if (step == StepId::scale && lesson::division_of(trace).empty()) key += "_none";
  std::string text(base::text("stage.backward.what"));
  return text + ' ' + std::string(base::text("stage.backward." + key));
}

std::string backward_formula(StepId step, const Trace& trace, bool rightly) {
  switch (step) {
    case StepId::input:
      // d(a + b) = da = db: a sum passes its gradient on.
      return trace.has("token_embedding") ? "d_token_embedding = d_query_input" : "";
    case StepId::project:
      return linear("query_input", "q", trace.has("q_proj_weight"), trace.has("q_proj_bias"));
    case StepId::split:
      return "d_q[l, h·D + d] = d_q_split[l, h, d]";
    case StepId::transpose:
      return "d_q_split[l, h, d] = d_q_heads[h, l, d]";
    case StepId::scores: {
      // d(Σ q × k) = Σ (dq × k + q × dk)
      const std::string q = read_by(trace, "scores", 0);
      const std::string k = read_by(trace, "scores", 1);
      return "d_" + q + "[i] = Σ d_scores[i, j] × " + k + "[j],   d_" + k +
             "[j] = Σ d_scores[i, j] × " + q + "[i]";
    }
    case StepId::scale:
      // tanh' = 1 − tanh²
      return "d_scores = d_scaled_scores" + lesson::division_of(trace, rightly) +
             (trace.has("capped_scores")
                  ? ",   d_scaled_scores = d_capped_scores · (1 − (capped_scores / cap)²)"
                  : "");
    case StepId::mask:
      return "d_" + read_by(trace, "masked_scores", 0) + " = d_masked_scores";
    case StepId::softmax:
      // The softmax's Jacobian is diag(p) − p pᵀ (Goodfellow et al., 6.2.2.3).
      return "d_masked_scores[i, j] = attention_weights[i, j] × (d_attention_weights[i, j] − Σ "
             "attention_weights[i, ·] × d_attention_weights[i, ·])";
    case StepId::sentence:
    case StepId::reweight:
      // d(Σ p × v) = Σ (dp × v + p × dv)
      return "d_attention_weights[i, j] = Σ d_head_outputs[i, d] × v_heads[j, d],   d_v_heads[j] = "
             "Σ attention_weights[i, j] × d_head_outputs[i]";
    case StepId::merge:
      return "d_head_outputs[h, l, d] = d_merged[l, h·D + d]";
    case StepId::output:
      return linear("merged", "output", trace.has("out_proj_weight"), trace.has("out_proj_bias"));
    case StepId::overview:
      // Gradient descent: Cauchy (1847); the loss is half the sum of squared differences.
      return std::string(trace.has(model::TensorId("output").gradient())
                             ? "d_output = output − target,   "
                             : "") +
             "w ← w − rate × d_w";
  }
  return "";
}

}  // namespace stage
