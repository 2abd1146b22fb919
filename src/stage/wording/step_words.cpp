#include "stage/wording/step_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "lesson/steps/formula.hpp"
#include "stage/wording/cell/gradient_words.hpp"
#include "stage/wording/translation_words.hpp"

namespace stage {

using document::ComputedAttention;
using document::ViewState;

namespace {

constexpr std::array<model::TensorId, 8> learned = {
    "q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight",
    "q_proj_bias",   "k_proj_bias",   "v_proj_bias",   "out_proj_bias"};

/// Whether the weights of the chosen query were set by hand.
bool is_by_hand(const model::Trace& trace, const ViewState& view_state) {
  const model::Config& config = trace.config;
  const tensor::Index first{std::min(view_state.sample, config.batch - 1),
                            std::min(view_state.head, config.num_heads - 1),
                            std::min(view_state.query, config.query_len - 1), 0};
  return model::explain(trace, "attention_weights", first).rule == model::Rule::given_by_hand;
}

/// Whether the step shows an input that other layers have computed.
bool reads_other_layers(const ComputedAttention& attention, const ViewState& view_state) {
  return view_state.step == lesson::StepId::input && attention.has_computed_inputs;
}

}  // namespace

std::string learnable_words(const model::Trace& trace) {
  std::vector<std::pair<std::string, std::vector<std::string>>> shapes;  // and who has each
  std::size_t all = 0;
  for (const model::TensorId tensor : learned) {
    if (!trace.has(tensor)) continue;
    std::string shape;
    for (const std::size_t extent : trace[tensor].shape()) shape += " × " + std::to_string(extent);
    all += trace[tensor].size();
    const auto same = std::find_if(shapes.begin(), shapes.end(),
                                   [&](const auto& each) { return each.first == shape; });
    std::vector<std::string>& names =
        same == shapes.end() ? shapes.emplace_back(shape, std::vector<std::string>()).second
                             : same->second;
    names.emplace_back(model::name_of(tensor));
  }
  if (all == 0) return {};
  std::string sum;
  for (const auto& [shape, names] : shapes) {
    sum += (sum.empty() ? "" : " + ") + std::to_string(names.size()) + shape + " (";
    for (const std::string& name : names) sum += (&name == names.data() ? "" : ", ") + name;
    sum += ')';
  }
  return base::text("stage.project.learnable", {{"count", all}, {"sum", sum}});
}

std::string words_of_step(const document::Computed& computed, const ViewState& view_state) {
  const ComputedAttention& attention = computed.find(view_state.attention);
  if (document::draws_mean(attention.trace, view_state))
    return base::text("stage.mean.sentence", {{"count", attention.trace.config.num_heads}});
  if (view_state.step == lesson::StepId::softmax && is_by_hand(attention.trace, view_state))
    return std::string(base::text("stage.softmax.by_hand.sentence"));
  if (view_state.step == lesson::StepId::sentence && computed.picture)
    return std::string(base::text("stage.patches.sentence"));
  if (reads_other_layers(attention, view_state))
    return std::string(base::text("stage.input.by_layers.sentence"));
  // In the guessing game, what the step says gives no mistake away.
  return std::string(
      lesson::sentence_for(lesson::step(view_state.step), attention.trace, view_state.guessing));
}

std::string text_of_step(const ComputedAttention& attention, const ViewState& view_state) {
  if (document::draws_mean(attention.trace, view_state))
    return base::text("stage.mean.text", {{"count", attention.trace.config.num_heads}});
  if (view_state.gradients) return backward_text(view_state.step, attention.trace);
  if (reads_other_layers(attention, view_state))
    return std::string(base::text("stage.input.by_layers.text"));
  if (view_state.step == lesson::StepId::softmax && is_by_hand(attention.trace, view_state))
    return std::string(base::text("stage.softmax.by_hand.text"));
  std::string text = step_text(lesson::step(view_state.step), attention, view_state.guessing);
  if (view_state.step == lesson::StepId::output && attention.trace.has("out_proj_weight")) {
    const tensor::Shape& shape = attention.trace["out_proj_weight"].shape();
    text += ' ' +
            base::text("stage.output.weights",
                       {{"rows", shape[0]}, {"columns", shape[1]}, {"count", shape[0] * shape[1]}});
  }
  const std::string learnable =
      view_state.step == lesson::StepId::project ? learnable_words(attention.trace) : "";
  return learnable.empty() ? text : text + ' ' + learnable;
}

std::string text_of_step(const document::Computed& computed, const ViewState& view_state) {
  const bool maps = computed.translated && view_state.step == lesson::StepId::overview &&
                    view_state.show != document::Show::matrices && !view_state.gradients;
  if (maps) return base::text("stage.heads.text", {{"count", lesson::recorded_sentences()}});
  const ComputedAttention& attention = computed.find(view_state.attention);
  const bool opens =
      view_state.step == lesson::StepId::sentence || view_state.step == lesson::StepId::input;
  const bool mean = document::draws_mean(attention.trace, view_state);
  if (!computed.picture || view_state.gradients || !opens || mean)
    return text_of_step(attention, view_state);
  std::string text = view_state.step == lesson::StepId::sentence
                         ? std::string(base::text("stage.patches.text"))
                         : text_of_step(attention, view_state);
  const std::size_t side = computed.picture->patch_size;
  text += ' ' + base::text("stage.patches.names", {{"side", side}, {"count", 3 * side * side}});
  constexpr std::size_t colours = 3;  // with a head for each
  if (attention.trace.config.num_heads == colours)
    text += ' ' + std::string(base::text("stage.patches.heads"));
  return text;
}

std::string text_of_step(const document::Session& session) {
  const ViewState& view_state = session.document().view_state;
  std::string text = text_of_step(session.computed(), view_state);
  if (view_state.step == lesson::StepId::sentence && session.has_task())
    text += ' ' + std::string(session.training_run()->task().rule());
  return text;
}

namespace {

/// Split and transpose show one of the three projections, of which the formula then speaks: "q",
/// "q_split" and "d_q_heads" become the key's or the value's.
std::string of_projection(std::string formula, document::Projection projection) {
  const char letter = projection == document::Projection::k   ? 'k'
                      : projection == document::Projection::v ? 'v'
                                                              : 'q';
  const auto is_letter = [&](std::size_t i) {
    return i < formula.size() && std::isalpha(static_cast<unsigned char>(formula[i])) != 0;
  };
  for (std::size_t i = 0; i < formula.size(); ++i)
    if (formula[i] == 'q' && !is_letter(i + 1) && (i == 0 || !is_letter(i - 1)))
      formula[i] = letter;
  return formula;
}

}  // namespace

std::string formula_of_step(const ComputedAttention& attention, const ViewState& view_state) {
  if (document::draws_mean(attention.trace, view_state))
    return "mean_weights[i, j] = Σ attention_weights[h, i, j] / H";
  if (!view_state.gradients && reads_other_layers(attention, view_state)) return "";
  const std::string formula =
      view_state.gradients ? backward_formula(view_state.step, attention.trace, view_state.guessing)
                           : lesson::formula_for(lesson::step(view_state.step), attention.trace,
                                                 view_state.guessing);
  const bool one_projection =
      view_state.step == lesson::StepId::split || view_state.step == lesson::StepId::transpose;
  return one_projection ? of_projection(formula, view_state.projection) : formula;
}

}  // namespace stage
