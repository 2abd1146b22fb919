// An attention's inputs and outputs, for code that connects attentions or lets a reader change what
// goes into one. Everything else asks the rows of the tables and needs no name.
#pragma once

#include "model/names.hpp"

namespace model::roles {

inline constexpr TensorId embedding = "token_embedding";  ///< tokens before positions are added
inline constexpr TensorId query = "query_input";
inline constexpr TensorId key = "key_input";
inline constexpr TensorId value = "value_input";
inline constexpr TensorId mask = "mask";  ///< 0, or −∞ where a query must not see a key
inline constexpr TensorId weights = "attention_weights";  ///< a row of them can be set by hand
inline constexpr TensorId head_outputs = "head_outputs";  ///< 0 where a head is switched off
inline constexpr TensorId output = "output";

/// True for the tensors that tokens come in as.
constexpr bool is_input(TensorId id) {
  return id == embedding || id == query || id == key || id == value;
}

}  // namespace model::roles
