// An attention of a model in a file: the command `layers` lists them, `trace --layer` reads one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line/layer/command_line_attention.hpp"

namespace app {

/// The command's options as they were typed.
struct LayersOptions {
  Typed input;
};

void declare(CLI::App& layers, LayersOptions& options);

/// Prints the attentions of the file. Errors: it is no .safetensors file; there is none in it.
base::Result<void> run(const LayersOptions& options);

/// Which attention, and what it reads.
struct LayerRequest {
  std::string name;
  std::string input;  ///< a file with the tokens; empty: those of the model's file, else random
  std::vector<std::uint32_t> ids;   ///< tokens of the model's embeddings, in the place of `input`
  std::optional<std::string> text;  ///< the same by the tokenizer that lies beside the model
  std::optional<std::uint32_t> seed;
  std::optional<std::size_t> tokens;
  bool no_causal = false;  ///< no look-ahead mask where the layer would have one
};

/// The attention, not computed.
struct LoadedLayer {
  model::Model model;
  files::Metadata metadata;  ///< the layer, and where the tokens come from
};

/// Reads the weights of one attention, and says on standard error what was assumed: heads,
/// look-ahead mask, random tokens. Errors: everything that can be wrong with the files and the
/// requests, with the path.
base::Result<LoadedLayer> load_layer(const std::string& path, const AttentionRequest& request,
                                     const LayerRequest& layer);

}  // namespace app
