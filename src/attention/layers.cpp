#include "attention/layers.hpp"

#include <utility>

#include "attention/elementwise.hpp"
#include "attention/layer_checks.hpp"
#include "attention/layer_norm.hpp"
#include "attention/linear.hpp"
#include "attention/stale_tokens.hpp"

namespace attention {
namespace {

// Between the attentions every token is by itself. Of the steps there, which are all of these,
// `tokens` are the ones that have to take them; what the others have made of them stays.

/// f(x) with the norm where the model has it: x + f(norm(x)), or norm(x + f(x)). This is the half
/// before f; `last`: what was before it last time.
Tensor before(const StaleTokens& tokens, const Tensor& x, const LayerNorm& norm, bool norm_first,
              Tensor last) {
  if (!norm_first) return x;
  if (tokens.any()) tokens.put(layer_norm(tokens.of(x), norm), last);
  return last;
}

/// And this the half after it.
void after(const StaleTokens& tokens, const Tensor& x, const Tensor& f, const LayerNorm& norm,
           bool norm_first, Tensor& result) {
  if (!tokens.any()) return;
  const Tensor sum = add(tokens.of(x), tokens.of(f));  // the residual connection
  tokens.put(norm_first ? sum : layer_norm(sum, norm), result);
}

void feed_forward(const StaleTokens& tokens, const Tensor& input, const FeedForward& layer,
                  Activation activation, FeedForwardTrace& trace) {
  trace.input = input;  // [B,L,E]
  if (!tokens.any()) return;
  const Tensor hidden = linear(tokens.of(input), layer.linear1_weight, layer.linear1_bias);
  const Tensor activated = activation == Activation::relu ? relu(hidden) : gelu(hidden);
  tokens.put(hidden, trace.hidden);                                                       // [B,L,F]
  tokens.put(activated, trace.activated);                                                 // [B,L,F]
  tokens.put(linear(activated, layer.linear2_weight, layer.linear2_bias), trace.output);  // [B,L,E]
}

/// Brings an attention up to date. The tokens whose output is another now are stale from here on.
Result<void> attend(const Inputs& inputs, const Weights& weights, const Options& options,
                    Trace& trace, StaleTokens& tokens) {
  // It is written over where it lies.
  const Tensor last = trace.has(TensorId::output) ? trace[TensorId::output].clone() : Tensor();
  auto done = recompute(inputs, weights, options, trace);
  if (done) tokens.add({last, trace[TensorId::output]});
  return done;
}

void add(const LayerNorm& norm, Versions& versions) {
  versions.add(norm.weight);
  versions.add(norm.bias);
  versions.add(norm.eps);
}

void add(const Trace& attention, Versions& versions) {
  versions.add(attention[TensorId::query_input]);
  versions.add(attention[TensorId::output]);
}

void add(const FeedForward& layer, const LayerOptions& options, const FeedForwardTrace& trace,
         Versions& versions) {
  for (const Tensor* tensor :
       {&layer.linear1_weight, &layer.linear1_bias, &layer.linear2_weight, &layer.linear2_bias,
        &trace.input, &trace.hidden, &trace.activated, &trace.output}) {
    versions.add(*tensor);
  }
  versions.add(options.activation == Activation::relu);
  versions.add(options.norm_first);
}

/// What steps between the attentions are made of, and all that they lead to. Attentions look after
/// their own tensors but the two by which they are joined to those steps.
Versions versions_of(const EncoderLayer& layer, const LayerOptions& options,
                     const EncoderLayerTrace& trace) {
  Versions result;
  add(layer.norm1, result);
  add(layer.norm2, result);
  add(layer.feed_forward, options, trace.feed_forward, result);
  add(trace.self_attention, result);
  for (const Tensor* tensor : {&trace.input, &trace.after_attention, &trace.output})
    result.add(*tensor);
  return result;
}

Versions versions_of(const DecoderLayer& layer, const LayerOptions& options,
                     const DecoderLayerTrace& trace) {
  Versions result;
  for (const LayerNorm* norm : {&layer.norm1, &layer.norm2, &layer.norm3}) add(*norm, result);
  add(layer.feed_forward, options, trace.feed_forward, result);
  add(trace.self_attention, result);
  add(trace.cross_attention, result);
  for (const Tensor* tensor :
       {&trace.input, &trace.after_self_attention, &trace.after_cross_attention, &trace.output}) {
    result.add(*tensor);
  }
  return result;
}

/// The tokens of x with other numbers than `trace` was computed from; all of them where it was
/// computed from other layers, or somebody wrote into it.
template <typename Layer, typename LayerTrace>
StaleTokens stale_tokens(const Tensor& x, const Layer& layer, const LayerOptions& options,
                         const LayerTrace& trace) {
  if (!(trace.versions == versions_of(layer, options, trace))) return {};
  return {trace.input, x};
}

/// Self-attention: every token looks at the tokens of its sentence that the mask leaves it.
Result<void> self_attention_sublayer(const Tensor& x, const Tensor& mask, const Weights& weights,
                                     const LayerNorm& norm, const LayerOptions& options,
                                     const Interventions& interventions, StaleTokens& tokens,
                                     Trace& self, Tensor& after_attention) {
  const Tensor a =
      before(tokens, x, norm, options.norm_first, self[TensorId::query_input]);  // [B,L,E]
  auto done = attend({a, a, a, mask}, weights, {options.num_heads, options.scale, interventions},
                     self, tokens);
  if (done) after(tokens, x, self[TensorId::output], norm, options.norm_first, after_attention);
  return done;
}

/// Feed-forward: every token by itself.
void feed_forward_sublayer(const StaleTokens& tokens, const Tensor& x, const FeedForward& layer,
                           const LayerNorm& norm, const LayerOptions& options,
                           FeedForwardTrace& trace, Tensor& output) {
  feed_forward(tokens, before(tokens, x, norm, options.norm_first, trace.input), layer,
               options.activation, trace);
  after(tokens, x, trace.output, norm, options.norm_first, output);
}

Result<void> recompute(const Tensor& x, const Tensor& mask, const EncoderLayer& layer,
                       const LayerOptions& options, EncoderLayerTrace& trace) {
  StaleTokens tokens = stale_tokens(x, layer, options, trace);
  trace.input = x;

  // 1. Self-attention.
  auto done = self_attention_sublayer(x, mask, layer.self_attention, layer.norm1, options,
                                      layer.self_interventions, tokens, trace.self_attention,
                                      trace.after_attention);  // [B,L,E]
  if (!done) return done;

  // 2. Feed-forward.
  feed_forward_sublayer(tokens, trace.after_attention, layer.feed_forward, layer.norm2, options,
                        trace.feed_forward, trace.output);  // [B,L,E]
  trace.versions = versions_of(layer, options, trace);
  return {};
}

Result<void> recompute(const Tensor& x, const Tensor& memory, const Tensor& self_mask,
                       const Tensor& cross_mask, const DecoderLayer& layer,
                       const LayerOptions& options, DecoderLayerTrace& trace) {
  StaleTokens tokens = stale_tokens(x, layer, options, trace);
  trace.input = x;

  // 1. Self-attention.
  auto done = self_attention_sublayer(x, self_mask, layer.self_attention, layer.norm1, options,
                                      layer.self_interventions, tokens, trace.self_attention,
                                      trace.after_self_attention);  // [B,Lt,E]
  if (!done) return done;

  // 2. Cross-attention: Q from the target, K and V from the encoder's output.
  Trace& cross = trace.cross_attention;
  const Tensor c = before(tokens, trace.after_self_attention, layer.norm2, options.norm_first,
                          cross[TensorId::query_input]);  // [B,Lt,E]
  done = attend({c, memory, memory, cross_mask}, layer.cross_attention,
                {options.num_heads, options.scale, layer.cross_interventions}, cross, tokens);
  if (!done) return done;
  after(tokens, trace.after_self_attention, cross[TensorId::output], layer.norm2,
        options.norm_first, trace.after_cross_attention);  // [B,Lt,E]

  // 3. Feed-forward.
  feed_forward_sublayer(tokens, trace.after_cross_attention, layer.feed_forward, layer.norm3,
                        options, trace.feed_forward, trace.output);  // [B,Lt,E]
  trace.versions = versions_of(layer, options, trace);
  return {};
}

}  // namespace

Result<void> recompute_encoder(const Tensor& x, const Tensor& mask,
                               const std::vector<EncoderLayer>& layers, const LayerOptions& options,
                               std::vector<EncoderLayerTrace>& traces) {
  auto done = check_encoder(x, mask, layers, options);
  if (done && traces.size() != layers.size())
    traces = std::vector<EncoderLayerTrace>(layers.size());
  for (std::size_t i = 0; done && i < layers.size(); ++i) {
    done = recompute(i == 0 ? x : traces[i - 1].output, mask, layers[i], options, traces[i]);
  }
  return done;
}

Result<void> recompute_decoder(const Tensor& x, const Tensor& memory, const Tensor& self_mask,
                               const Tensor& cross_mask, const std::vector<DecoderLayer>& layers,
                               const LayerOptions& options,
                               std::vector<DecoderLayerTrace>& traces) {
  auto done = check_decoder(x, memory, self_mask, cross_mask, layers, options);
  if (done && traces.size() != layers.size())
    traces = std::vector<DecoderLayerTrace>(layers.size());
  for (std::size_t i = 0; done && i < layers.size(); ++i) {
    done = recompute(i == 0 ? x : traces[i - 1].output, memory, self_mask, cross_mask, layers[i],
                     options, traces[i]);
  }
  return done;
}

Result<std::vector<EncoderLayerTrace>> encode(const Tensor& x, const Tensor& mask,
                                              const std::vector<EncoderLayer>& layers,
                                              const LayerOptions& options) {
  std::vector<EncoderLayerTrace> traces;
  auto done = recompute_encoder(x, mask, layers, options, traces);
  if (!done) return fail(done.error());
  return traces;
}

Result<std::vector<DecoderLayerTrace>> decode(const Tensor& x, const Tensor& memory,
                                              const Tensor& self_mask, const Tensor& cross_mask,
                                              const std::vector<DecoderLayer>& layers,
                                              const LayerOptions& options) {
  std::vector<DecoderLayerTrace> traces;
  auto done = recompute_decoder(x, memory, self_mask, cross_mask, layers, options, traces);
  if (!done) return fail(done.error());
  return traces;
}

}  // namespace attention
