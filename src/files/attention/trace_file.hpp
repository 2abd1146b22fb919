// The tensors and the metadata of a file that holds a trace.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/safetensors.hpp"
#include "model/trace.hpp"

namespace files {

/// Every tensor of the trace, in the order of the tables; with a query also tensors on demand, for
/// that query: weighted_values [B,H,1,Lk,D] and mean_weights [B,1,Lk]. Errors: a query that is not
/// there.
base::Result<std::vector<std::pair<model::TensorId, tensor::Tensor>>> tensors_of(
    const model::Trace& trace, std::optional<std::size_t> query);

/// The name of a tensor where several attentions share a file: "cross_attention.q"; "q" for an
/// empty `attention`.
std::string tensor_name(std::string_view attention, std::string_view tensor);

/// A trace in a file, with the name that stands before its tensors' names: empty where it is alone.
struct NamedTrace {
  std::string name;
  model::Trace trace;
  Metadata metadata = {};  ///< where its numbers come from
};

/// True for an attention; false for the rows around it in an encoder or decoder layer.
bool is_attention(const model::Trace& trace);

/// The bytes of a .safetensors file with every tensor of these traces, as float32; of attentions
/// with a query also what tensors_of adds for it. Errors: as tensors_of and write_safetensors.
base::Result<std::vector<std::byte>> write_traces(std::span<const NamedTrace> traces,
                                                  std::optional<std::size_t> query = std::nullopt);

/// "sqrt-head-dim", "sqrt-keys", "none", or the number, as the command line takes it.
std::string scale_name(const model::Scale& scale);

/// The variants of attention that are chosen, as the options of the command: {"rope", "10000"},
/// {"alibi", "true"}.
Metadata variants_of(const model::Config& config);

/// Options that cannot be read from the shapes: {"num_heads": "8", "num_kv_heads": "8", "scale":
/// "sqrt-head-dim"} and variants, with the same prefix as the tensors.
Metadata metadata_of(const model::Config& config, std::string_view attention);

}  // namespace files
