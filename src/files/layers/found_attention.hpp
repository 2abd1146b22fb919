// Which attentions a .safetensors file holds, from its header alone: docs/files.md lists the
// families and the names that tell them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/safetensors_header.hpp"
#include "model/attention/config.hpp"
#include "model/tensors.hpp"

namespace files {

enum class Family : unsigned char { pytorch, gpt2, bert, bart, t5, llama };
/// "PyTorch", "GPT-2", …
std::string_view name_of(Family family);

/// Where one weight or bias of an attention lies: in a tensor of the file, or in some of its rows.
struct WeightPlace {
  model::TensorId id;
  std::size_t tensor = 0;  ///< into FoundAttention::tensors
  std::size_t first = 0;   ///< of the rows of [out,in]
  std::size_t rows = 0;
};

struct FoundAttention {
  std::string name;  ///< what the names of its tensors begin with: "h.0.attn"; may be empty
  Family family = Family::pytorch;
  bool is_cross = false;             ///< its keys and values come from another sequence
  std::optional<std::size_t> layer;  ///< the last number in its name
  std::vector<HeaderEntry> tensors;  ///< those that hold its weights, each once
  std::vector<WeightPlace> weights;
  bool transposed = false;  ///< weights are stored as [in,out]

  std::size_t embed_dim = 0;
  std::size_t inner_dim = 0;  ///< of q: all heads together; in most models embed_dim
  std::size_t kdim = 0;
  std::size_t vdim = 0;
  std::size_t kv_width = 0;  ///< of k and v: less than inner_dim where heads share them
  /// How many heads there are, where the file says so; else `usual_heads` is a guess.
  std::optional<std::size_t> num_heads;
  std::size_t head_dim = 0;  ///< where weights of norms are so long, and no other splits; else 0

  bool causal = false;  ///< no query sees a later key
  model::Scale scale = {};
  model::Variants variants;
  bool rope_is_said = false;       ///< a config says the base of its rotary positions
  bool rope_is_scaled = false;     ///< and changes their angles in a way that is not computed
  bool has_position_bias = false;  ///< T5's learned bias of relative positions, which is not read
  std::string problem;             ///< why it cannot be computed; empty where it can
};

struct FoundAttentions {
  std::vector<FoundAttention> attentions;  ///< by name, numbers in it by value: h.2 before h.10
  /// How many others lack a tensor, and the first that is missing: "h.3.attn.c_proj.weight".
  std::size_t incomplete = 0;
  std::string missing;
};

/// Lists the attentions. The header may be hostile: nothing is allocated by the sizes that it
/// claims, and the time is that of sorting its names.
FoundAttentions find_attentions(const Header& header);

/// The attention of that name, or null.
const FoundAttention* find(const FoundAttentions& found, std::string_view name);

/// The numbers of heads that its widths allow, in ascending order.
std::vector<std::size_t> head_choices(const FoundAttention& found);
/// As the file says; else with 64 numbers for each head (128 in a Llama that is at least 3,072
/// wide, or whose heads have another width together), where that is a choice; else the fewest. 0:
/// there is no choice.
std::size_t usual_heads(const FoundAttention& found);
/// How many heads of keys and values there are for so many heads, which are one of the choices.
std::size_t kv_heads(const FoundAttention& found, std::size_t num_heads);
/// How wide each of so many heads is, where that is not embed_dim / num_heads; else 0.
std::size_t own_head_dim(const FoundAttention& found, std::size_t num_heads);

}  // namespace files
