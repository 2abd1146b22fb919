// The options that say how the attention of a file is computed: of the commands `trace`
// and `code`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_line/command_line_options.hpp"
#include "document/first_error.hpp"
#include "files/attention/attention_file.hpp"
#include "model/part.hpp"

namespace app {

/// What was asked for. What is not given is taken from the file or the example.
struct AttentionRequest {
  std::optional<std::size_t> num_heads;
  std::optional<std::size_t> num_kv_heads;
  std::optional<model::Scale> scale;
  bool causal = false;  ///< look-ahead mask; of an example: on every attention but cross_attention
  bool gradients = false;       ///< files only: of ½ Σ (output − target)²
  bool ignore_unknown = false;  ///< files only
  bool no_rope = false;         ///< without the rotary positions of the file
  model::Variants variants;     ///< files only
};

/// The same as they were typed.
struct AttentionOptions {
  Typed heads, kv_heads, scale, rope, rope_dims, rope_scaling, rope_factor, window, softcap, sink,
      norm_place, norm_eps, position_bias, position_bias_distance;
  bool no_rope = false;
  bool rope_pairs = false;
  bool window_both = false;
  bool causal = false;
  bool alibi = false;
  bool qk_norm = false;
  bool gradients = false;
  bool ignore_unknown = false;
};

/// The arguments with a value for each --rope that has none, which would take the next argument for
/// it:
/// "--rope IN.safetensors" becomes "--rope=10000 IN.safetensors".
std::vector<std::string> with_values(std::vector<std::string> arguments);

void declare(CLI::App& command, AttentionOptions& options);

/// Judges what was typed; the first sentence about something wrong is kept in `wrong`.
void store(const AttentionOptions& options, AttentionRequest& request, document::FirstError& wrong);

/// The variants of an attention of a model's file: as the file has them, but for what was asked
/// for.
model::Variants variants_for(const AttentionRequest& request, const model::Variants& of_file);

/// How a file is read for it.
files::AttentionFileOptions file_options(const AttentionRequest& request);

/// The attention of a file, with its gradients if they were asked for, but not computed.
struct LoadedAttention {
  std::vector<std::byte> bytes;
  files::Safetensors file;  ///< reads `bytes`
  model::Model model;
};

/// Errors: everything that can be wrong with the file and the request, with the path.
base::Result<LoadedAttention> load_attention(const std::string& path,
                                             const AttentionRequest& request);

}  // namespace app
