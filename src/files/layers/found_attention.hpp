// Which attentions a .safetensors file holds, from its header alone: docs/files.md lists the
// families and the names that tell them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/layers/config/architectures.hpp"
#include "files/safetensors_header.hpp"
#include "model/attention/config.hpp"
#include "model/tensors.hpp"

namespace files {

enum class Family : unsigned char {
  pytorch,
  gpt2,
  bert,
  bart,
  t5,
  llama,
  gpt_neo,
  gpt_j,
  wav2vec2,
  phi,
  phi3,
  gpt_neox,
  bloom,
  falcon,
  mpt,
  modernbert,
  timm,
  meta,
  whisper,
  transformer_lens,
  diffusers,
};
/// "PyTorch", "GPT-2", …
std::string_view name_of(Family family);

/// How the rows of q, k and v lie in one tensor.
enum class Packing : unsigned char {
  rows,     ///< all of q, then all of k, then all of v
  by_head,  ///< for each head of keys: D rows of each query that shares it, D of its k, D of its v
};

/// Where one weight or bias of an attention lies: in a tensor of the file, or in some of its rows.
struct WeightPlace {
  model::TensorId id;
  std::size_t tensor = 0;  ///< into FoundAttention::tensors
  std::size_t first = 0;   ///< of the rows of [out,in], where they are not packed by head
  std::size_t rows = 0;
  /// Which of q, k and v it is in a tensor that is packed by head; 3: it is not in one.
  std::size_t part = 3;
};

/// A sentence about an attention that was found: the key of a text, and what is put into it.
struct Saying {
  std::string_view key;
  std::string name = {};
  std::string value = {};
};

/// LongRoPE: what the angle of each pair is divided by in texts of up to the original length, and
/// in longer ones; and what turned queries and keys are multiplied by.
struct LongRope {
  std::vector<float> shorter = {};  ///< empty: a model without it
  std::vector<float> longer = {};
  std::size_t original_length = 0;  ///< in tokens
  float shorter_factor = 1.0F;
  float longer_factor = 1.0F;
};

struct FoundAttention {
  std::string name;  ///< what the names of its tensors begin with: "h.0.attn"; may be empty
  Family family = Family::pytorch;
  bool is_cross = false;             ///< its keys and values come from another sequence
  std::optional<std::size_t> layer;  ///< the last number in its name
  std::vector<HeaderEntry> tensors;  ///< those that hold its weights, each once
  std::vector<WeightPlace> weights;
  bool transposed = false;   ///< weights are stored as [in,out]
  bool by_matrices = false;  ///< each head has matrices of its own: q [H,E,D], out [H,D,E]
  Packing packing = Packing::rows;

  std::size_t embed_dim = 0;
  std::size_t inner_dim = 0;  ///< of q: all heads together; in most models embed_dim
  std::size_t kdim = 0;
  std::size_t vdim = 0;
  std::size_t kv_width = 0;  ///< of k and v: less than inner_dim where heads share them
  /// How many heads there are, where the file says so; else `usual_heads` is a guess.
  std::optional<std::size_t> num_heads;
  std::size_t head_dim = 0;  ///< where weights of norms are so long, and no other splits; else 0

  bool causal = false;  ///< no query sees a later key
  Positions positions = Positions::none;
  float rotary_part = 1.0F;  ///< of each head, which rotary positions turn
  model::Scale scale = {};
  model::Variants variants;
  LongRope long_rope;
  bool norm_adds_one = false;     ///< norms multiply by 1 + weight
  std::size_t window_tokens = 0;  ///< Swin: it reads the tokens of a whole window; 0: any number

  bool is_known = false;      ///< a model_type says how it is computed; else its names make guess
  bool needs_config = false;  ///< `problem` is that no config says how it is computed
  bool weak_heads = false;    ///< num_heads follows from frequencies, which may be of half a head
  bool rope_is_said = false;  ///< a config says the base of its rotary positions
  /// Tensors under its name that are not read: the first few, and how many there are.
  std::vector<std::string> unread;
  std::size_t unread_count = 0;
  std::vector<Saying> sayings;  ///< what a config says that is passed over or not computed
  std::string problem;          ///< why it cannot be computed; empty where it can
};

struct FoundAttentions {
  std::vector<FoundAttention> attentions;  ///< by name, numbers in it by value: h.2 before h.10
  /// How many others lack a tensor, and what the first of them lacks, in quotes. Where it could be
  /// of several families: "a.o_proj.weight" / "a.dense.weight".
  std::size_t incomplete = 0;
  std::string missing;
};

/// Lists the attentions. The header may be hostile: nothing is allocated by the sizes that it
/// claims, and the time is that of sorting its names.
FoundAttentions find_attentions(const Header& header);

/// The attention of that name, or null.
const FoundAttention* find(const FoundAttentions& found, std::string_view name);

/// What must be said of it, a sentence each: what was guessed, and what of the file and of its
/// config is not computed.
std::vector<std::string> said_of(const FoundAttention& found);

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

/// Its variants with so many heads and tokens: how many numbers of each head are turned, and by
/// what LongRoPE multiplies them.
model::Variants variants_of(const FoundAttention& found, std::size_t num_heads,
                            std::size_t tokens = 0);
/// LongRoPE's rope_frequencies for so many tokens, [P] in radians a position; undefined where the
/// model has none.
tensor::Tensor rope_frequencies_of(const FoundAttention& found, std::size_t num_heads,
                                   std::size_t tokens);

}  // namespace files
