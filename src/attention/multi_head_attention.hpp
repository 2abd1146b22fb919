// Multi-head attention: "Attention Is All You Need" (Vaswani et al., 2017), section 3.2, with
// PyTorch's names and shapes.
#pragma once

#include <vector>

#include "attention/error.hpp"
#include "attention/trace.hpp"

namespace attention {

/// The learned numbers. An undefined weight means "no such projection": the input is used as it is.
struct Weights {
  Tensor q_proj_weight;    ///< [E,E]
  Tensor k_proj_weight;    ///< [E,kdim]
  Tensor v_proj_weight;    ///< [E,vdim]
  Tensor q_proj_bias;      ///< [E] or undefined
  Tensor k_proj_bias;      ///< [E] or undefined
  Tensor v_proj_bias;      ///< [E] or undefined
  Tensor out_proj_weight;  ///< [E,E] or undefined
  Tensor out_proj_bias;    ///< [E] or undefined
};

/// What goes in. Pass the same Tensor several times for self-attention; the trace then knows.
struct Inputs {
  Tensor query;  ///< [B,Lq,E]
  Tensor key;    ///< [B,Lk,kdim]
  Tensor value;  ///< [B,Lk,vdim]
  /// Additive (0 keeps, −∞ hides), any shape that expands to [B,H,Lq,Lk]: see mask.hpp. Undefined:
  /// nothing is masked.
  Tensor mask;
};

struct Options {
  std::size_t num_heads = 1;
  Scale scale;
  Interventions interventions;  ///< nothing is done by default
  /// Each step by itself even where several can be taken at once: the same numbers, later. What the
  /// fast way is tested against.
  bool step_by_step = false;
};

/// Largest sizes that are computed at all, so that a hostile link or file cannot ask for the
/// impossible. Product limits keep every tensor at or below 2^28 floats (1 GiB), and at or below
/// 2^24 in the address space of wasm, where all tensors of a trace together have 4 GiB.
struct Limits {
  static constexpr std::size_t batch = 64;
  static constexpr std::size_t tokens = 4096;
  static constexpr std::size_t embed_dim = 16384;
  static constexpr std::size_t heads = 256;
  static constexpr std::size_t floats = std::size_t{1} << (sizeof(void*) >= 8 ? 28 : 24);
};

/// Computes every tensor of one attention.
///
/// Errors: shapes that do not fit, heads that do not divide embed_dim, an axis of length 0, a size
/// over `Limits`, a scale that is 0 or not finite, given weights outside the trace or not finite,
/// an ablated head that is not there, keys that must be transposed to fit, a bias without its
/// weight.
///
/// A query whose every key is masked gets all-zero weights and a zero head output, whatever its
/// scores and values are. Otherwise NaN in gives NaN out: a weight of 0 times a value of NaN or ∞
/// is NaN, so a hidden key with such a value shows in the sum, as it does in PyTorch.
Result<Trace> multi_head_attention(const Inputs& inputs, const Weights& weights,
                                   const Options& options);

/// The same, but only what depends on numbers that are not those `trace` was computed from is
/// computed anew; to the last bit what computing everything gives. What need not be computed keeps
/// its memory and its version. A query's row goes from its scores to its weights in one go: with
/// its mask, or weights given by hand, its scores are written once more. Looking for changes takes
/// one pass over the tensors that are not the same ones as before, nor copies of those.
///
/// With a mistake, and after one, everything is computed.
Result<void> recompute(const Inputs& inputs, const Weights& weights, const Options& options,
                       Trace& trace);

}  // namespace attention
