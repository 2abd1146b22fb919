#include "document/computed.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/learning/target.hpp"
#include "document/learning/training_run.hpp"
#include "document/model_of.hpp"
#include "document/state/text.hpp"
#include "document/translating.hpp"
#include "model/layers.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::AttentionId;
using model::Model;
using model::TensorId;
using model::Trace;
namespace roles = model::roles;
using tensor::Tensor;

namespace {

/// The name of the part that is shown as this attention.
std::string part_of(AttentionId id) {
  if (id == AttentionId::attention) return "";
  const std::string layer = std::to_string(layer_of(id));
  const AttentionId kind = kind_of(id);
  if (kind == AttentionId::encoder_self_attention) return "encoder." + layer + ".self_attention";
  const bool cross = kind == AttentionId::cross_attention;
  return "decoder." + layer + (cross ? ".cross_attention" : ".self_attention");
}

ComputedAttention label(const Given& given, std::size_t place, const std::vector<Trace>& parts) {
  const AttentionId id = given.problem.attentions()[place];
  ComputedAttention computed;
  computed.id = id;
  for (const Trace& part : parts) {
    if (part.name == part_of(id)) computed.trace = part;
  }
  computed.query_tokens = query_sequence(given.problem, id).tokens;
  computed.key_tokens = key_sequence(given.problem, id).tokens;
  computed.features = given.problem.features;
  computed.mask = given.mask_kinds[place];
  computed.has_computed_inputs = kind_of(id) == AttentionId::cross_attention || layer_of(id) > 0;
  if (given.problem.translated && given.problem.translated->kept &&
      kind_of(id) != AttentionId::encoder_self_attention) {
    for (const AttentionId other : given.problem.attentions())
      computed.kept_layers += kind_of(other) == kind_of(id) ? 1 : 0;
  }
  return computed;
}

/// What a network answers whose last layer makes `output` [1,L,E].
std::vector<Answer> answers_of(const lesson::Answering& answering, const Tensor& output) {
  const std::vector<float> outputs = output.values();
  const std::vector<float> weights = answering.weight.values();
  const std::vector<float> biases = answering.bias.values();
  const std::size_t width = output.dim(2);
  std::vector<Answer> answers;
  for (std::size_t place = 0; place < answering.right.size(); ++place) {
    std::size_t best = 0;
    float largest = 0.0F;
    for (std::size_t token = 0; token < biases.size(); ++token) {
      float logit = biases[token];
      for (std::size_t i = 0; i < width; ++i)
        logit += outputs[place * width + i] * weights[token * width + i];
      if (token > 0 && !(logit > largest)) continue;
      best = token;
      largest = logit;
    }
    const int right = answering.right[place];
    Answer answer{std::string(answering.vocabulary[best]), {}};
    if (right != training::not_counted)
      answer.right = answering.vocabulary[static_cast<std::size_t>(right)];
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace

bool could_keep_tokens(const ComputedAttention& attention) {
  // Keys and values of the same tokens as the queries.
  return attention.id == lesson::AttentionId::attention &&
         attention.trace.view_of(model::roles::key).has_value();
}

bool keeps_tokens(const ComputedAttention& attention) {
  const model::Variants& variants = attention.trace.config.variants;
  const bool looks_back = attention.mask == lesson::MaskKind::look_ahead ||
                          attention.mask == lesson::MaskKind::both ||
                          (variants.window > 0 && !variants.window_both_ways);
  return looks_back && could_keep_tokens(attention);
}

std::string_view feature_name(const ComputedAttention& attention, model::Axis axis,
                              std::size_t head, std::size_t index) {
  const bool is_feature =
      axis == model::Axis::E || axis == model::Axis::D || ops::joins_heads(axis);
  // By this mistake a head has numbers of other heads.
  const bool mixed = attention.trace.overrides.mistake == model::Mistake::no_transpose;
  if (axis == model::Axis::D && mixed) return {};
  if (axis == model::Axis::D) index += head * attention.trace.config.head_dim();
  if (!is_feature || index >= attention.features.size()) return {};
  return attention.features[index];
}

const ComputedAttention& Computed::find(AttentionId id) const {
  for (const ComputedAttention& candidate : attentions) {
    if (candidate.id == id) return candidate;
  }
  return attentions.front();
}

Result<const ComputedAttention*> attention_of(const Computed& computed, AttentionId id) {
  std::vector<AttentionId> ids;
  for (const ComputedAttention& attention : computed.attentions) {
    if (attention.id == id) return &attention;
    ids.push_back(attention.id);
  }
  return no_attention(id, ids);
}

Result<Computed> compute(const Configuration& configuration) {
  const auto problem = lesson::make_problem(configuration.example, configuration.parameters);
  if (!problem) return fail(problem.error());
  const auto task = lesson::example(configuration.example).task;
  if (!task) return compute(configuration, *problem);
  if (const auto checked = check_training(configuration); !checked) return fail(checked.error());
  auto run = TrainingRun::start(training::task(*task), training_settings(configuration));
  if (!run) return fail(run.error());
  constexpr double as_long_as_it_takes = 1e9;
  run->work(configuration.training.steps, as_long_as_it_takes);
  const training::Learner* learned = run->at(configuration.training.steps);
  if (learned == nullptr) return fail(run->failure());
  return compute(configuration, problem_of(configuration, *learned, run->held_out()));
}

Result<Computed> compute(const Configuration& configuration, const lesson::Problem& problem) {
  Computed computed;
  const auto done = recompute(configuration, problem, computed);
  if (!done) return fail(done.error());
  return computed;
}

Result<void> recompute(const Configuration& configuration, const lesson::Problem& given_problem,
                       Computed& computed) {
  const auto said = translated(given_problem, configuration, computed.parts);
  if (!said) return fail(said.error());
  const lesson::Problem& problem = *said;
  const auto short_configuration = shortest(configuration, problem);
  if (!short_configuration) return fail(short_configuration.error());
  auto unedited = with_choices(problem, *short_configuration);
  if (!unedited) return fail(unedited.error());
  const auto given = with_edits(*std::move(unedited), short_configuration->edits);
  if (!given) return fail(given.error());

  auto model = model_of(*given);
  if (!model) return fail(model.error());
  if (const std::vector<Edit>& target = short_configuration->target; !target.empty()) {
    for (std::size_t part = 0; part < model->size(); ++part) {
      if ((*model)[part].trace.name != part_of(target.front().cell.attention)) continue;
      add_target(*model, part, target);
      break;
    }
  }
  std::vector<Trace> last = std::move(computed.parts);
  last.resize(std::max(last.size(), problem.computed.size()));
  std::copy(problem.computed.begin(), problem.computed.end(), last.begin());
  computed.parts = model::compute(*model, last);
  computed.attentions.clear();
  for (std::size_t place = 0; place < problem.attentions().size(); ++place)
    computed.attentions.push_back(label(*given, place, computed.parts));
  computed.scale = given->problem.options.scale;
  computed.position_encoding = given->problem.position_encoding;
  computed.num_heads = given->problem.options.num_heads;
  computed.embed_dim = computed.attentions.front().trace.config.embed_dim;
  computed.note = problem.note;
  computed.random = problem.random;
  computed.picture = problem.picture;
  computed.translated = problem.translated;
  computed.answers.clear();
  if (problem.answering)
    computed.answers = answers_of(*problem.answering, computed.parts.back()["layer_output"]);
  return {};
}

bool is_editable(const ComputedAttention& attention, TensorId tensor) {
  const Trace& trace = attention.trace;
  if (tensor == roles::mask || tensor == roles::weights) return true;
  if (!trace.has(tensor) || trace.made_by(tensor) != nullptr) return false;
  if (!roles::is_input(tensor)) return true;
  // Keys and values of a self-attention are its query_input, which may be computed itself.
  const bool is_query = trace[tensor].shares_storage_with(trace[roles::query]);
  return !attention.has_computed_inputs && !(is_query && trace.made_by(roles::query) != nullptr);
}

CellAddress canonical(const Computed& computed, const CellAddress& cell) {
  CellAddress result = without_aliases(arrangement_of(computed), cell);
  const bool has_embedding = computed.find(cell.attention).trace.has(roles::embedding);
  if (result.tensor == roles::query && has_embedding) result.tensor = roles::embedding;
  return result;
}

}  // namespace document
