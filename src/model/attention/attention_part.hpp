// One attention as a part of a model: its inputs are checked and its rows chosen.
#pragma once

#include "model/part.hpp"

namespace model {

struct Options {
  std::size_t num_heads = 1;
  Scale scale = {};
  Overrides overrides = {};      ///< none by default
  std::size_t num_kv_heads = 0;  ///< 0: as many as there are heads
  Variants variants = {};
  std::size_t head_dim = 0;  ///< 0: embed_dim / num_heads
};

/// Multi-head attention of `given`: query_input [B,Lq,E] (or token_embedding, to which positions
/// are added), key_input [B,Lk,kdim], value_input [B,Lk,vdim], weights and biases as in the table
/// or none, and a mask (0 keeps, −∞ hides) of any shape that expands to [B,H,Lq,Lk]: mask.hpp. For
/// self-attention pass the same Tensor as query, key and value, so that view_of can tell.
///
/// Errors: shapes that do not fit, heads that do not divide embed_dim, an axis of length 0, a size
/// over `Limits`, a scale that is 0 or not finite, a variant whose number is out of range, rotary
/// positions where head_dim is odd, weights of norms without `qk_norm`, weights set by hand outside
/// the trace or not finite, an ablated head that is not there, Mistake::keys_not_transposed where
/// the shapes do not allow it, a bias without its weight. Nothing is computed or allocated: `given`
/// may be hostile.
base::Result<Part> attention_part(Tensors given, const Options& options, std::string name = "");

/// A single attention, computed. Errors: as attention_part.
///
/// A query whose every key is hidden gets weights of 0 and a head output of 0 in any case. Else NaN
/// propagates as in PyTorch: a weight of 0 times a value of NaN is NaN, even of a hidden key.
base::Result<Trace> multi_head_attention(Tensors given, const Options& options);

/// The checks that both make first. Returns the sizes of the attention. Errors: as attention_part.
base::Result<Config> check(const Tensors& given, const Options& options);
/// The same without weights, mask and overrides, which need not be given yet.
base::Result<Config> sizes_of(const Tensors& given, const Options& options);

/// The rows of an attention of these sizes, with those that a mistake or shared heads replace and
/// those that variants add.
std::vector<Node> rows_of(const Config& config, Mistake mistake);

}  // namespace model
