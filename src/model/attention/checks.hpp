// What an attention asks of what it is given, before anything is computed.
#pragma once

#include "model/attention/attention_part.hpp"

namespace model {

/// The sizes of this attention, or a sentence that says what does not fit and what would.
base::Result<Config> check(const Tensors& given, const Options& options);

/// The rows of an attention of these sizes, with those of a mistake and of grouped queries.
std::vector<Node> rows_of(const Config& config, Mistake mistake);

/// How long each axis of an attention's table is.
ops::Lengths lengths_of(const Config& config);

}  // namespace model
