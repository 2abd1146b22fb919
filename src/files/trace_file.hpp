// The tensors and the metadata of a file that holds a trace.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/safetensors.hpp"
#include "model/trace.hpp"

namespace files {

/// Every tensor of the trace, in the order of the tables; with a query also tensors on demand, for
/// that query: weighted_values [B,H,1,Lk,D]. Errors: a query that is not there.
base::Result<std::vector<std::pair<model::TensorId, tensor::Tensor>>> tensors_of(
    const model::Trace& trace, std::optional<std::size_t> query);

/// The name of a tensor where several attentions share a file: "cross_attention.q"; "q" for an
/// empty `attention`.
std::string tensor_name(std::string_view attention, std::string_view tensor);

/// "sqrt-head-dim", "sqrt-keys", "none", or the number, as the command line takes it.
std::string scale_name(const model::Scale& scale);

/// The variants of attention that are chosen, as the options of the command: {"rope", "10000"},
/// {"alibi", "true"}.
Metadata variants_of(const model::Config& config);

/// Options that cannot be read from the shapes: {"num_heads": "8", "num_kv_heads": "8", "scale":
/// "sqrt-head-dim"} and variants, with the same prefix as the tensors.
Metadata metadata_of(const model::Config& config, std::string_view attention);

}  // namespace files
