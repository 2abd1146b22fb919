// How the families of models call the tensors of an attention.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "files/layers/found_attention.hpp"

namespace files {

/// How a family calls the tensors of an attention, behind the attention's own name. A bias is
/// called as its weight, with "bias" in the place of the last "weight".
struct Naming {
  Family family;
  std::string_view packed;  ///< q, k and v in one; or nothing
  std::string_view q, k, v;
  std::string_view out;
  bool has_packed_bias = false;  ///< of weights that are not packed themselves
};

inline constexpr std::array namings = {
    Naming{Family::pytorch, "in_proj_weight", {}, {}, {}, "out_proj.weight"},
    Naming{Family::pytorch,
           {},
           "q_proj_weight",
           "k_proj_weight",
           "v_proj_weight",
           "out_proj.weight",
           true},
    Naming{Family::gpt2, "c_attn.weight", {}, {}, {}, "c_proj.weight"},
    Naming{Family::bert,
           {},
           "self.query.weight",
           "self.key.weight",
           "self.value.weight",
           "output.dense.weight"},
    Naming{Family::bert,
           {},
           "attention.query.weight",
           "attention.key.weight",  // ViT
           "attention.value.weight",
           "output.dense.weight"},
    Naming{Family::bert,
           {},
           "q_lin.weight",
           "k_lin.weight",
           "v_lin.weight",  // DistilBERT
           "out_lin.weight"},
    Naming{Family::bart, {}, "q_proj.weight", "k_proj.weight", "v_proj.weight", "out_proj.weight"},
    Naming{Family::t5, {}, "q.weight", "k.weight", "v.weight", "o.weight"},
    Naming{Family::llama, {}, "q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight"},
};

/// How the bias of a weight is called.
std::string bias_of(std::string_view weight);

/// Whether a family's attentions have such names: "" or "h.0.attn.", the dot included. Where other
/// architectures use the same words for something else, the last word decides.
bool fits(Family family, std::string_view prefix);

/// The last of the words between dots that is a number: 3 of "h.3.attn".
std::optional<std::size_t> last_number(std::string_view name);

/// Whether `a` comes before `b`, where runs of digits count as numbers.
bool is_before(std::string_view a, std::string_view b);

}  // namespace files
