// How the families of models call the tensors of an attention.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "files/layers/config/architectures.hpp"
#include "files/layers/found_attention.hpp"

namespace files {

/// How a family calls the tensors of an attention, behind the attention's own name. A bias is
/// called as its weight, with "bias" in the place of the last "weight".
struct Naming {
  Family family;
  std::string_view packed;  ///< q, k and v in one; or nothing
  std::string_view q, k, v;
  std::string_view out;
  /// What the attention's own name ends with, words with a space before each; empty: with anything.
  std::string_view ends = {};
  Packing packing = Packing::rows;
  bool has_packed_bias = false;  ///< of weights that are not packed themselves
  bool shares_keys = false;      ///< there may be fewer heads of keys and values
  // What the names make guess where no model_type says it.
  Sight sight = Sight::both;
  Positions positions = Positions::none;
  bool is_scaled = true;
  float rotary_part = 1.0F;
};

inline constexpr std::array namings = {
    Naming{Family::pytorch, "in_proj_weight", {}, {}, {}, "out_proj.weight"},
    Naming{.family = Family::pytorch,
           .q = "q_proj_weight",
           .k = "k_proj_weight",
           .v = "v_proj_weight",
           .out = "out_proj.weight",
           .has_packed_bias = true},
    Naming{.family = Family::gpt2,  // and GPT-BigCode, where heads share one of keys
           .packed = "c_attn.weight",
           .out = "c_proj.weight",
           .shares_keys = true,
           .sight = Sight::back},
    Naming{.family = Family::bert,
           .q = "self.query.weight",
           .k = "self.key.weight",
           .v = "self.value.weight",
           .out = "output.dense.weight"},
    Naming{.family = Family::bert,
           .q = "attention.query.weight",
           .k = "attention.key.weight",  // ViT
           .v = "attention.value.weight",
           .out = "output.dense.weight"},
    Naming{.family = Family::bert,
           .q = "query.weight",
           .k = "key.weight",  // ALBERT
           .v = "value.weight",
           .out = "dense.weight",
           .ends = " attention."},
    Naming{.family = Family::bert,
           .q = "q_lin.weight",
           .k = "k_lin.weight",
           .v = "v_lin.weight",  // DistilBERT
           .out = "out_lin.weight"},
    Naming{.family = Family::bart,
           .q = "q_proj.weight",
           .k = "k_proj.weight",
           .v = "v_proj.weight",
           .out = "out_proj.weight",
           .ends = " self_attn. encoder_attn.",
           .sight = Sight::decoder},
    Naming{.family = Family::gpt_neo,
           .q = "q_proj.weight",
           .k = "k_proj.weight",
           .v = "v_proj.weight",
           .out = "out_proj.weight",
           .ends = " attn.attention.",
           .sight = Sight::back,
           .is_scaled = false},
    Naming{.family = Family::gpt_j,
           .q = "q_proj.weight",
           .k = "k_proj.weight",
           .v = "v_proj.weight",
           .out = "out_proj.weight",
           .ends = " .attn.",
           .sight = Sight::back,
           .positions = Positions::pairs},
    Naming{.family = Family::wav2vec2,
           .q = "q_proj.weight",
           .k = "k_proj.weight",
           .v = "v_proj.weight",
           .out = "out_proj.weight",
           .ends = " attention."},
    Naming{.family = Family::t5,
           .q = "q.weight",
           .k = "k.weight",
           .v = "v.weight",
           .out = "o.weight",
           .ends = " SelfAttention. EncDecAttention.",
           .sight = Sight::decoder,
           .positions = Positions::relative,
           .is_scaled = false},
    Naming{.family = Family::llama,
           .q = "q_proj.weight",
           .k = "k_proj.weight",
           .v = "v_proj.weight",
           .out = "o_proj.weight",
           .shares_keys = true,
           .sight = Sight::back,
           .positions = Positions::halves},
    Naming{.family = Family::phi,
           .q = "q_proj.weight",
           .k = "k_proj.weight",
           .v = "v_proj.weight",
           .out = "dense.weight",
           .shares_keys = true,
           .sight = Sight::back,
           .positions = Positions::halves,
           .rotary_part = 0.5F},
    Naming{.family = Family::phi3,
           .packed = "qkv_proj.weight",
           .out = "o_proj.weight",
           .shares_keys = true,
           .sight = Sight::back,
           .positions = Positions::halves},
    Naming{.family = Family::gpt_neox,
           .packed = "query_key_value.weight",
           .out = "dense.weight",
           .ends = " .attention.",
           .packing = Packing::by_head,
           .sight = Sight::back,
           .positions = Positions::halves,
           .rotary_part = 0.25F},
    Naming{.family = Family::bloom,  // and Falcon: BloomOrFalcon
           .packed = "query_key_value.weight",
           .out = "dense.weight",
           .ends = " self_attention. self_attn.",
           .packing = Packing::by_head,
           .shares_keys = true,
           .sight = Sight::back,
           .positions = Positions::alibi},
    Naming{.family = Family::mpt,
           .packed = "Wqkv.weight",
           .out = "out_proj.weight",
           .shares_keys = true,
           .sight = Sight::back,
           .positions = Positions::alibi},
    Naming{.family = Family::modernbert,
           .packed = "Wqkv.weight",
           .out = "Wo.weight",
           .positions = Positions::halves},
    Naming{.family = Family::timm, .packed = "qkv.weight", .out = "proj.weight", .ends = " attn."},
    Naming{.family = Family::timm,  // BLIP
           .packed = "qkv.weight",
           .out = "projection.weight",
           .ends = " self_attn."},
    Naming{.family = Family::meta,
           .q = "wq.weight",
           .k = "wk.weight",
           .v = "wv.weight",
           .out = "wo.weight",
           .shares_keys = true,
           .sight = Sight::back,
           .positions = Positions::pairs},
    Naming{.family = Family::whisper,
           .q = "query.weight",
           .k = "key.weight",
           .v = "value.weight",
           .out = "out.weight",
           .ends = " .attn. cross_attn.",
           .sight = Sight::decoder},
    Naming{.family = Family::transformer_lens,
           .q = "W_Q",
           .k = "W_K",
           .v = "W_V",
           .out = "W_O",
           .ends = " attn.",
           .shares_keys = true,
           .sight = Sight::back},
    Naming{.family = Family::diffusers,
           .q = "to_q.weight",
           .k = "to_k.weight",
           .v = "to_v.weight",
           .out = "to_out.0.weight"},
};

/// How the bias of a weight is called: "c_attn.bias" of "c_attn.weight", "b_Q" of "W_Q".
std::string bias_of(std::string_view weight);

/// Whether attentions have such names: "" or "h.0.attn.", the dot included. Where several families
/// use the same words, the end of what stands before them decides.
bool fits(const Naming& naming, std::string_view prefix);

/// The last of the words between dots that is a number: 3 of "h.3.attn".
std::optional<std::size_t> last_number(std::string_view name);

/// Whether `a` comes before `b`, where runs of digits count as numbers.
bool is_before(std::string_view a, std::string_view b);

}  // namespace files
