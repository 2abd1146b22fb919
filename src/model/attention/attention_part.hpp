// One attention as a part of a model: its table, checked against what it is given.
#pragma once

#include "model/part.hpp"

namespace model {

struct Options {
  std::size_t num_heads = 1;
  Scale scale;
  Overrides overrides = {};      ///< nothing is done by default
  std::size_t num_kv_heads = 0;  ///< 0: as many as there are heads
};

/// Multi-head attention of what is given by name: query_input [B,Lq,E] (or the token_embedding that
/// it is made of), key_input [B,Lk,kdim], value_input [B,Lk,vdim], weights and biases as the table
/// says or none, and a mask (0 keeps, −∞ hides) of any shape that expands to [B,H,Lq,Lk]: mask.hpp.
/// Pass the same Tensor several times for self-attention; the trace then knows.
///
/// Errors: shapes that do not fit, heads that do not divide embed_dim, an axis of length 0, a size
/// over `Limits`, a scale that is 0 or not finite, weights set by hand outside the trace or not
/// finite, an ablated head that is not there, keys that must be transposed to fit, a bias without
/// its weight. Nothing is computed and no memory is taken, so what a hostile link or file says may
/// be passed.
base::Result<Part> attention_part(Tensors given, const Options& options, std::string name = "");

/// A single attention, computed. Errors: as attention_part.
///
/// A query whose every key is masked gets all-zero weights and a zero head output, whatever its
/// scores and values are. Otherwise NaN in gives NaN out: a weight of 0 times a value of NaN or ∞
/// is NaN, so a hidden key with such a value shows in the sum, as it does in PyTorch.
base::Result<Trace> multi_head_attention(Tensors given, const Options& options);

/// What both ask first: the sizes of this attention, or the sentence that says what does not fit
/// and what would.
base::Result<Config> check(const Tensors& given, const Options& options);

/// The rows of an attention of these sizes, with those of a mistake and of grouped queries.
std::vector<Node> rows_of(const Config& config, Mistake mistake);

}  // namespace model
