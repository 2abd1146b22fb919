// The command `trace`: a file or an example in, every tensor of its attentions out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/command_line/layer/command_line_attention.hpp"
#include "app/command_line/layer/command_line_layers.hpp"
#include "base/error.hpp"
#include "lesson/examples/example.hpp"
#include "model/trace.hpp"

namespace app {

/// The options of the command. Those that are not given are taken from the file or the example.
struct TraceRequest : AttentionRequest {
  // From where: a file or an example.
  std::string input;
  std::optional<lesson::ExampleId> example;

  std::optional<LayerRequest> layer;  ///< of a file: one of the attentions of a model

  // To where: a file, or JSON on standard output.
  std::string output;
  bool json = false;
  bool cache = false;  ///< print the key/value cache's tables, besides the file

  std::optional<std::size_t> query;  ///< write weighted_values and mean_weights of this query too

  // Examples that have them only.
  std::string variant;
  std::optional<std::string> sentence;
  std::optional<std::uint32_t> seed;
  std::optional<std::size_t> embed_dim;
  std::optional<std::size_t> kdim;
};

/// Reads, computes, writes or prints. Errors: everything that can be wrong with a file, an
/// example's parameters or the output, as one sentence; nothing is written then.
base::Result<void> run_trace(const TraceRequest& request);

}  // namespace app
