// What the config.json beside a model's file says about its attentions: the files on Hugging Face
// have one.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "files/layers/found_attention.hpp"

namespace files {

/// The most that is read of a config.json.
inline constexpr std::size_t max_config_bytes = std::size_t{1} << 20U;

/// A config as it was written. Infinity and NaN, which Python writes and JSON does not know, are
/// null in it.
struct ModelConfig {
  base::Json whole;
};

/// Errors: more than max_config_bytes; no JSON, or no object.
base::Result<ModelConfig> read_model_config(std::string_view json);

/// Takes over what the config says wherever it fits an attention's widths, but not against what the
/// file itself says. Its model_type decides what the names only make guess. Each attention asks the
/// part of the config that is about its own part of the model. What is wrong in it, or not
/// computed, is said in FoundAttention::sayings, or why nothing can be computed in `problem`.
void take_config(const ModelConfig& config, FoundAttentions& found);

}  // namespace files
