// Encoder and decoder layers: the three attentions of a Transformer, chained. Names as
// torch.nn.TransformerEncoderLayer.
#pragma once

#include <vector>

#include "attention/multi_head_attention.hpp"
#include "attention/versions.hpp"

namespace attention {

enum class Activation : unsigned char { relu, gelu };  ///< gelu: x·Φ(x), the exact form with erf

/// (x − mean) / √(variance + eps) · weight + bias over the last axis; biased variance, as
/// torch.nn.LayerNorm.
struct LayerNorm {
  Tensor weight;  ///< [E]
  Tensor bias;    ///< [E]
  float eps = 1e-5F;
};

/// linear2(activation(linear1(x))).
struct FeedForward {
  Tensor linear1_weight;  ///< [F,E]
  Tensor linear1_bias;    ///< [F]
  Tensor linear2_weight;  ///< [E,F]
  Tensor linear2_bias;    ///< [E]
};

struct LayerOptions {
  std::size_t num_heads = 1;
  Scale scale;
  Activation activation = Activation::relu;
  bool norm_first = false;  ///< false: norm(x + f(x)) as in the paper; true: x + f(norm(x))
};

struct EncoderLayer {
  Weights self_attention;
  FeedForward feed_forward;
  LayerNorm norm1;                        ///< around the self-attention
  LayerNorm norm2;                        ///< around the feed-forward
  Interventions self_interventions = {};  ///< in the self-attention
};

struct DecoderLayer {
  Weights self_attention;
  Weights cross_attention;
  FeedForward feed_forward;
  LayerNorm norm1;                         ///< around the self-attention
  LayerNorm norm2;                         ///< around the cross-attention
  LayerNorm norm3;                         ///< around the feed-forward
  Interventions self_interventions = {};   ///< in the self-attention
  Interventions cross_interventions = {};  ///< in the cross-attention
};

/// A sub-layer's tensors between attentions, all [B,L,E] but `hidden` and `activated` [B,L,F].
struct FeedForwardTrace {
  Tensor input;
  Tensor hidden;
  Tensor activated;
  Tensor output;
};

struct EncoderLayerTrace {
  Tensor input;  ///< [B,L,E]
  Trace self_attention;
  Tensor after_attention;  ///< x + attention, normed where norm comes after
  FeedForwardTrace feed_forward;
  Tensor output;  ///< [B,L,E]
  /// Of all that no attention in here takes note of, and of what was given to the steps between.
  Versions versions;
};

struct DecoderLayerTrace {
  Tensor input;  ///< [B,L,E]
  Trace self_attention;
  Tensor after_self_attention;
  Trace cross_attention;
  Tensor after_cross_attention;
  FeedForwardTrace feed_forward;
  Tensor output;      ///< [B,L,E]
  Versions versions;  ///< as EncoderLayerTrace::versions
};

/// Runs the layers one after another. x: [B,L,E]; mask as Inputs::mask. Errors as
/// multi_head_attention; a norm or a feed-forward layer that does not fit. Nothing has been
/// computed then.
Result<std::vector<EncoderLayerTrace>> encode(const Tensor& x, const Tensor& mask,
                                              const std::vector<EncoderLayer>& layers,
                                              const LayerOptions& options);

/// x: [B,Lt,E] target side; memory: [B,Ls,E], the encoder's output: K and V of every
/// cross-attention.
Result<std::vector<DecoderLayerTrace>> decode(const Tensor& x, const Tensor& memory,
                                              const Tensor& self_mask, const Tensor& cross_mask,
                                              const std::vector<DecoderLayer>& layers,
                                              const LayerOptions& options);

/// encode, but only what depends on numbers that are not those `traces` were computed from is
/// computed anew; to the last bit what computing everything gives. What need not be computed keeps
/// its memory and its version. Errors: as encode; `traces` are as they were then.
Result<void> recompute_encoder(const Tensor& x, const Tensor& mask,
                               const std::vector<EncoderLayer>& layers, const LayerOptions& options,
                               std::vector<EncoderLayerTrace>& traces);

/// The same for decode.
Result<void> recompute_decoder(const Tensor& x, const Tensor& memory, const Tensor& self_mask,
                               const Tensor& cross_mask, const std::vector<DecoderLayer>& layers,
                               const LayerOptions& options, std::vector<DecoderLayerTrace>& traces);

}  // namespace attention
