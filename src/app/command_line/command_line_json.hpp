// A trace as JSON, for `trace --json`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "model/trace.hpp"

namespace app {

/// One JSON object; of what is no attention (the rows around them in a layer) "tensors" alone:
///   "config"
///   {"batch","query_len","key_len","embed_dim","num_heads","num_kv_heads","head_dim","kdim","vdim",
///                   "scale": "sqrt-head-dim" | "sqrt-keys" | "none" | number, "divisor": number}
///   "fully_masked"  [[sample,head,query],…]: the rows whose weights are 0 because every key is
///   masked "given_weights" [[sample,head,query],…]: the rows whose weights were set by hand
///   "tensors"       {name: {"shape","strides","offset","view_of","data"},…} in the order of
///   the tables:
///                   strides and offset in numbers, as the tensor lies in memory; view_of the
///                   tensor whose numbers it shares, or null; data a flat list in index order (the
///                   last axis fastest), whatever the strides
/// Numbers have as many digits as tell a float32 from its neighbours; "Infinity", "-Infinity" and
/// "NaN" are strings. With `query`, weighted_values and mean_weights of that query are there too.
/// Errors: a query that is not there.
base::Result<std::string> trace_to_json(const model::Trace& trace,
                                        std::optional<std::size_t> query);

}  // namespace app
