#include "document/computed.hpp"

#include <array>
#include <utility>

#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/state/text.hpp"
#include "model/layers.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::Arrangement;
using lesson::AttentionId;
using model::Model;
using model::TensorId;
using model::Tensors;
using model::Trace;
namespace roles = model::roles;
using tensor::Tensor;

namespace {

/// The input of a sequence's first attention: its embedding, to which positions may be added.
Tensors input_of(const Tensor& embedding, bool position_encoding) {
  Tensors input;
  if (position_encoding) {
    input[roles::embedding] = embedding;
  } else {
    input[roles::query] = embedding;
  }
  return input;
}

Result<Model> alone(const Given& given) {
  const lesson::Problem& problem = given.problem;
  const bool cross = problem.arrangement == Arrangement::cross;
  const Tensor& embedding = query_sequence(problem, AttentionId::attention).embedding;
  Tensors tensors = problem.weights;
  for (const TensorId id : {roles::embedding, roles::query})
    tensors[id] = input_of(embedding, problem.position_encoding)[id];
  tensors[roles::key] = tensors[roles::value] = cross ? given.key_input : embedding;
  tensors[roles::mask] = given.masks.front();
  auto part =
      model::attention_part(std::move(tensors), {problem.options.num_heads, problem.options.scale,
                                                 given.overrides.front(), problem.num_kv_heads});
  if (!part) return fail(part.error());
  if (!cross) {
    bind(*part, roles::key, 0, roles::query);
    bind(*part, roles::value, 0, roles::query);
  }
  return Model{*std::move(part)};
}

Result<Model> encoder_decoder(const Given& given) {
  const lesson::Problem& problem = given.problem;
  const Tensor& source = problem.source.embedding;
  Model model;
  auto done = add_encoder(input_of(source, problem.position_encoding), given.masks[0],
                          problem.encoder, problem.options, model);
  if (!done) return fail(done.error());
  // The encoder's output, which the decoder reads, has the shape of `source`.
  done = add_decoder(input_of(problem.target.embedding, problem.position_encoding), source,
                     given.masks[1], given.masks[2], problem.decoder, problem.options, model);
  if (!done) return fail(done.error());
  return model;
}

/// The name of the part that is shown as this attention: the one in the first encoder or decoder
/// layer.
std::string_view part_of(AttentionId id) {
  constexpr std::array<std::string_view, 4> parts = {
      "", "encoder.0.self_attention", "decoder.0.self_attention", "decoder.0.cross_attention"};
  return parts[static_cast<std::size_t>(id)];
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
  computed.has_computed_inputs = id == AttentionId::cross_attention;
  return computed;
}

}  // namespace

std::string_view feature_name(const ComputedAttention& attention, model::Axis axis,
                              std::size_t head, std::size_t index) {
  const bool is_feature =
      axis == model::Axis::E || axis == model::Axis::D || ops::joins_heads(axis);
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
  return compute(configuration, *problem);
}

Result<Computed> compute(const Configuration& configuration, const lesson::Problem& problem) {
  Computed computed;
  const auto done = recompute(configuration, problem, computed);
  if (!done) return fail(done.error());
  return computed;
}

Result<void> recompute(const Configuration& configuration, const lesson::Problem& problem,
                       Computed& computed) {
  const auto short_configuration = shortest(configuration, problem);
  if (!short_configuration) return fail(short_configuration.error());
  auto unedited = with_choices(problem, *short_configuration);
  if (!unedited) return fail(unedited.error());
  const auto given = with_edits(*std::move(unedited), short_configuration->edits);
  if (!given) return fail(given.error());

  const bool layers = problem.arrangement == Arrangement::encoder_decoder;
  const auto model = layers ? encoder_decoder(*given) : alone(*given);
  if (!model) return fail(model.error());
  computed.parts = model::compute(*model, computed.parts);
  computed.attentions.clear();
  for (std::size_t place = 0; place < problem.attentions().size(); ++place)
    computed.attentions.push_back(label(*given, place, computed.parts));
  computed.scale = given->problem.options.scale;
  computed.position_encoding = given->problem.position_encoding;
  computed.num_heads = given->problem.options.num_heads;
  computed.embed_dim = computed.attentions.front().trace.config.embed_dim;
  computed.note = problem.note;
  computed.picture = problem.picture;
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
