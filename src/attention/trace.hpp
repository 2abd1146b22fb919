// Everything one attention computed, every tensor under its name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/interventions.hpp"
#include "attention/tensor.hpp"

namespace attention {

/// Every tensor that an attention has or can have, in the order in which it comes into being.
enum class TensorId : unsigned char {
  // What is given.
  token_embedding,    ///< [B,Lq,E]; only where position encoding is added to it
  position_encoding,  ///< [Lq,E]; only where it is added
  query_input,        ///< [B,Lq,E]
  key_input,          ///< [B,Lk,kdim]
  value_input,        ///< [B,Lk,vdim]
  q_proj_weight,      ///< [E,E], as PyTorch: [out, in]
  k_proj_weight,      ///< [E,kdim]
  v_proj_weight,      ///< [E,vdim]
  q_proj_bias,        ///< [E]
  k_proj_bias,        ///< [E]
  v_proj_bias,        ///< [E]
  out_proj_weight,    ///< [E,E]
  out_proj_bias,      ///< [E]
  // What is computed.
  q,              ///< [B,Lq,E]
  k,              ///< [B,Lk,E]
  v,              ///< [B,Lk,E]
  q_split,        ///< [B,Lq,H,D], a view of q
  k_split,        ///< [B,Lk,H,D], a view of k
  v_split,        ///< [B,Lk,H,D], a view of v
  q_heads,        ///< [B,H,Lq,D], a view of q
  k_heads,        ///< [B,H,Lk,D], a view of k
  v_heads,        ///< [B,H,Lk,D], a view of v
  scores,         ///< [B,H,Lq,Lk]
  scaled_scores,  ///< [B,H,Lq,Lk]
  mask,  ///< [B,H,Lq,Lk], additive, 0 or −∞ or any number; a repeated view where it is shared
  masked_scores,      ///< [B,H,Lq,Lk]
  attention_weights,  ///< [B,H,Lq,Lk]
  weighted_values,    ///< [B,H,1,Lk,D] for one query, on demand; never in a Trace
  head_outputs,       ///< [B,H,Lq,D]
  merged_split,       ///< [B,Lq,H,D], a view of head_outputs
  merged,             ///< [B,Lq,E]
  output,             ///< [B,Lq,E]
};
inline constexpr std::size_t tensor_count = static_cast<std::size_t>(TensorId::output) + 1;

/// The name used in files, links, the API and on screen: "q_heads".
std::string_view name_of(TensorId id);
/// The tensor of that name, or nothing.
std::optional<TensorId> tensor_named(std::string_view name);
/// The letters of its axes in order, as PRODUCT and the stage write them: {"B","H","Lq","D"}.
std::span<const std::string_view> axes_of(TensorId id);
/// True for what is given (inputs, weights, biases, mask), false for what is computed from it.
bool is_given(TensorId id);

/// How scores are scaled before the softmax: scores / divisor.
struct Scale {
  enum class Kind : unsigned char { none, sqrt_head_dim, sqrt_keys, number };
  Kind kind = Kind::sqrt_head_dim;  ///< "Attention Is All You Need", eq. 1: √d_k
  float number = 1.0F;              ///< the divisor where kind is `number`: finite, not 0

  /// What the scores are divided by.
  float divisor(std::size_t head_dim, std::size_t key_len) const;
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// The sizes of one attention.
struct Config {
  std::size_t batch = 0;      ///< B
  std::size_t query_len = 0;  ///< Lq
  std::size_t key_len = 0;    ///< Lk
  std::size_t embed_dim = 0;  ///< E
  std::size_t num_heads = 0;  ///< H
  std::size_t kdim = 0;       ///< width of key_input
  std::size_t vdim = 0;       ///< width of value_input
  Scale scale;

  std::size_t head_dim() const { return num_heads == 0 ? 0 : embed_dim / num_heads; }  ///< D
  /// What the scores are divided by; nothing where they stay as they are.
  std::optional<float> divisor() const;
  friend bool operator==(const Config&, const Config&) = default;
};

/// The result of one attention: the sizes and every tensor. Cheap to copy (tensors share storage).
class Trace {
 public:
  Config config;
  /// What was done to it on purpose. `config.scale` stays the chosen one under Mistake::no_scale.
  Interventions interventions;

  bool has(TensorId id) const { return tensors_[slot(id)].defined(); }
  /// The tensor, or an undefined one where this attention has none (no projection, say).
  const Tensor& operator[](TensorId id) const { return tensors_[slot(id)]; }
  void put(TensorId id, Tensor tensor) {
    tensors_[slot(id)] = std::move(tensor);
    counted_ = false;
  }

  /// The tensors that are there, in the order of TensorId.
  std::vector<TensorId> present() const;
  /// The tensor that `id` is a view of, or nothing where it has storage of its own: q for q_split
  /// and q_heads, head_outputs for merged_split, query_input for key_input in self-attention. Found
  /// by looking at the storage, not at the name: the first tensor whose cells include all of this
  /// one's, as torch's `_base`. Without a projection q, q_split and q_heads are therefore all views
  /// of query_input.
  std::optional<TensorId> view_of(TensorId id) const;
  /// True where the mask lets this query see no key: weights and head output are 0 there, by
  /// definition (unless the weights were given by hand). Never under Mistake::mask_with_zero, which
  /// hides nothing.
  bool fully_masked(std::size_t sample, std::size_t head, std::size_t query) const;

  /// The first cell of a tensor, for the code that computes it; null where it is not there. Counts
  /// as a change of the tensor, and of all that share its storage: their version grows.
  float* write(TensorId id) { return has(id) ? tensors_[slot(id)].mutable_data() : nullptr; }
  /// Takes note of every number as it is now, by the versions of the tensors: `is_as_remembered`
  /// tells later whether somebody wrote into one.
  void remember();
  /// True where `remember` was called and nobody wrote into this tensor since.
  bool is_as_remembered(TensorId id) const {
    return versions_[slot(id)] != 0 && versions_[slot(id)] == (*this)[id].storage_version();
  }
  /// True where only tensors of this trace read the storage of `id`.
  bool is_sole_reader(TensorId id) const;

  /// [B,H,1,Lk,D]: weight × value of one query, before they are summed. Made anew at each call.
  Tensor weighted_values(std::size_t query) const;

 private:
  static constexpr std::size_t slot(TensorId id) { return static_cast<std::size_t>(id); }
  std::array<Tensor, tensor_count> tensors_;
  std::array<std::uint64_t, tensor_count> versions_{};  ///< 0: never remembered
  /// How many tensors here read the storage of each; counted when it is first asked for.
  mutable std::array<std::uint8_t, tensor_count> readers_{};
  mutable bool counted_ = false;
};

}  // namespace attention
