// What the config.json beside a model's file says about its attentions: the files on Hugging Face
// have one.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "files/layers/found_attention.hpp"

namespace files {

/// The most that is read of a config.json.
inline constexpr std::size_t max_config_bytes = std::size_t{1} << 20U;

/// Each of these is 0 where the config does not say it.
struct ModelConfig {
  std::size_t num_heads = 0;
  std::size_t encoder_heads = 0;  ///< of BART and Whisper, which may have two numbers
  std::size_t decoder_heads = 0;
  std::size_t num_kv_heads = 0;
  std::size_t head_dim = 0;
  float rope_base = 0.0F;
  bool scaled_rope = false;   ///< angles are changed in a way that is not computed (rope_scaling)
  bool partial_rope = false;  ///< only a part of each head is turned, which is not computed
};

/// Reads num_attention_heads (or n_head, n_heads, num_heads), num_key_value_heads, head_dim (or
/// d_kv) and rope_theta, of the text_config where there is one. Errors: more than max_config_bytes;
/// no JSON, or no object; a number of these that is none or out of range.
base::Result<ModelConfig> read_model_config(std::string_view json);

/// Takes over what the config says wherever it fits an attention's widths, but not against what the
/// file itself says.
void take_config(const ModelConfig& config, FoundAttentions& found);

}  // namespace files
