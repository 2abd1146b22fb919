// An attention of a model in a file: the command `layers` lists them, `trace --layer` reads one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line/layer/command_line_attention.hpp"
#include "files/layers/found_attention.hpp"

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

/// The same as options of the commands `trace` and `code`, as they were typed.
struct LayerOptions {
  Typed name, array, ids, text, tokens;
  bool no_causal = false;
  CLI::Option* no_causal_option = nullptr;
};

void declare(CLI::App& command, LayerOptions& options);
/// Errors: options that only make sense with --layer, or not with it, or not together.
base::Result<void> check(const std::string& command, const LayerOptions& options, const Typed& seed,
                         const AttentionOptions& attention);
/// Judges what was typed; the first sentence about something wrong is kept in `wrong`.
LayerRequest layer_request_from(const LayerOptions& options, std::optional<std::uint32_t> seed,
                                document::FirstError& wrong);

/// The attention, not computed.
struct LoadedLayer {
  model::Model model;
  files::Metadata metadata;  ///< the layer, and where the tokens come from
  files::FoundAttention found;
  bool is_causal = false;          ///< its mask hides what is later
  std::vector<std::string> paths;  ///< of the files that its tensors lie in, and its inputs if any
  // Where its tokens come from; nothing of it: random ones.
  std::string embeddings;  ///< a tensor whose rows they are
  std::vector<std::uint32_t> ids;
  std::string array;  ///< the path of a .npy file
  /// Those of query, key and value that are tensors of a file, with the number of their axes.
  std::vector<std::pair<std::string, std::size_t>> inputs;
};

/// Reads the weights of one attention, and says on standard error what was assumed: heads,
/// look-ahead mask, random tokens. Errors: everything that can be wrong with the files and the
/// requests, with the path.
base::Result<LoadedLayer> load_layer(const std::string& path, const AttentionRequest& request,
                                     const LayerRequest& layer);

}  // namespace app
