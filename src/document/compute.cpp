#include "document/compute.hpp"

#include <utility>

#include "attention/layer_checks.hpp"
#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/edits/positions.hpp"

namespace document {

using attention::Tensor;
using attention::TensorId;
using attention::Trace;
using base::fail;
using base::Result;
using lesson::Arrangement;
using lesson::AttentionId;

namespace {

/// What goes into the first attention of a sequence.
struct Input {
  Tensor sum;                ///< [B,L,E]
  Tensor position_encoding;  ///< [L,E], undefined where it is off
};

Input input_of(const Tensor& embedding, bool position_encoding) {
  if (!position_encoding) return {embedding, {}};
  return {with_positions(embedding), positions_of(embedding)};
}

/// Puts what query_input was made of into the trace. Without position encoding query_input is the
/// embedding.
void put_position(Trace& trace, const Tensor& embedding, const Input& input) {
  const bool added = input.position_encoding.defined();
  trace.put(TensorId::token_embedding, added ? embedding : Tensor());
  trace.put(TensorId::position_encoding, input.position_encoding);
}

ComputedAttention label(const Given& given, std::size_t place, Trace trace) {
  const AttentionId id = given.problem.attentions()[place];
  ComputedAttention computed;
  computed.id = id;
  computed.trace = std::move(trace);
  computed.query_tokens = query_sequence(given.problem, id).tokens;
  computed.key_tokens = key_sequence(given.problem, id).tokens;
  computed.mask = given.mask_kinds[place];
  computed.query_is_computed = computed.key_is_computed = id == AttentionId::cross_attention;
  return computed;
}

/// `computed`: for this problem or another.
Result<void> run_alone(const Given& given, Computed& computed) {
  const lesson::Problem& problem = given.problem;
  const Tensor& embedding = query_sequence(problem, AttentionId::attention).embedding;
  const Input query = input_of(embedding, problem.position_encoding);
  // The same tensor three times: the trace then knows that this is self-attention.
  const Tensor& key = problem.arrangement == Arrangement::cross ? given.key_input : query.sum;
  const attention::Options options{problem.options.num_heads, problem.options.scale,
                                   given.interventions.front()};
  std::vector<ComputedAttention>& attentions = computed.attentions;
  Trace none;
  Trace& last = attentions.empty() ? none : attentions.front().trace;
  auto done = attention::recompute({query.sum, key, key, given.masks.front()}, problem.weights,
                                   options, last);
  if (!done) return done;
  put_position(last, embedding, query);
  Trace trace = std::move(last);
  computed.encoder.clear();
  computed.decoder.clear();
  attentions.clear();
  attentions.push_back(label(given, 0, std::move(trace)));
  return {};
}

Result<void> run_encoder_decoder(const Given& given, Computed& computed) {
  const lesson::Problem& problem = given.problem;
  const attention::LayerOptions& options = problem.options;
  const Input source = input_of(problem.source.embedding, problem.position_encoding);
  const Input target = input_of(problem.target.embedding, problem.position_encoding);
  // Both, before either is computed. What the encoder makes has the shape of what it reads.
  auto done = check_encoder(source.sum, given.masks[0], problem.encoder, options);
  if (!done) return done;
  done = check_decoder(target.sum, source.sum, given.masks[1], given.masks[2], problem.decoder,
                       options);
  if (!done) return done;

  std::vector<ComputedAttention>& attentions = computed.attentions;
  // The lesson looks at the first layer of each; deeper ones work alike.
  if (!computed.encoder.empty() && attentions.size() == 3) {
    computed.encoder.front().self_attention = std::move(attentions[0].trace);
    computed.decoder.front().self_attention = std::move(attentions[1].trace);
    computed.decoder.front().cross_attention = std::move(attentions[2].trace);
  }
  attentions.clear();
  done = recompute_encoder(source.sum, given.masks[0], problem.encoder, options, computed.encoder);
  if (!done) return done;
  done = recompute_decoder(target.sum, computed.encoder.back().output, given.masks[1],
                           given.masks[2], problem.decoder, options, computed.decoder);
  if (!done) return done;
  Trace encoder_self = std::move(computed.encoder.front().self_attention);
  Trace decoder_self = std::move(computed.decoder.front().self_attention);
  Trace cross = std::move(computed.decoder.front().cross_attention);
  put_position(encoder_self, problem.source.embedding, source);
  put_position(decoder_self, problem.target.embedding, target);
  attentions.push_back(label(given, 0, std::move(encoder_self)));
  attentions.push_back(label(given, 1, std::move(decoder_self)));
  attentions.push_back(label(given, 2, std::move(cross)));
  return {};
}

}  // namespace

const ComputedAttention& Computed::find(AttentionId id) const {
  for (const ComputedAttention& candidate : attentions) {
    if (candidate.id == id) return candidate;
  }
  return attentions.front();
}

Result<Computed> compute(const Setup& setup) {
  const auto problem = lesson::make_problem(setup.example, setup.parameters);
  if (!problem) return fail(problem.error());
  return compute(setup, *problem);
}

Result<Computed> compute(const Setup& setup, const lesson::Problem& problem) {
  Computed computed;
  const auto done = recompute(setup, problem, computed);
  if (!done) return fail(done.error());
  return computed;
}

Result<void> recompute(const Setup& setup, const lesson::Problem& problem, Computed& computed) {
  const auto short_setup = shortest(setup, problem);
  if (!short_setup) return fail(short_setup.error());
  auto unedited = with_choices(problem, *short_setup);
  if (!unedited) return fail(unedited.error());
  const auto given = with_edits(*std::move(unedited), short_setup->edits);
  if (!given) return fail(given.error());

  const bool layers = problem.arrangement == Arrangement::encoder_decoder;
  auto done = layers ? run_encoder_decoder(*given, computed) : run_alone(*given, computed);
  if (!done) return done;
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
  if (tensor == TensorId::mask || tensor == TensorId::attention_weights) return true;
  if (!trace.has(tensor) || !attention::is_given(tensor) || tensor == TensorId::position_encoding)
    return false;
  const bool positions_added = trace.has(TensorId::position_encoding);
  switch (tensor) {
    case TensorId::query_input:
      return !attention.query_is_computed && !positions_added;
    case TensorId::key_input:
    case TensorId::value_input: {
      const bool is_query = trace[tensor].shares_storage_with(trace[TensorId::query_input]);
      return !attention.key_is_computed && !(is_query && positions_added);
    }
    default:
      return true;
  }
}

CellAddress canonical(const Computed& computed, const CellAddress& cell) {
  CellAddress result = without_aliases(arrangement_of(computed), cell);
  const bool has_embedding = computed.find(cell.attention).trace.has(TensorId::token_embedding);
  if (result.tensor == TensorId::query_input && has_embedding)
    result.tensor = TensorId::token_embedding;
  return result;
}

}  // namespace document
