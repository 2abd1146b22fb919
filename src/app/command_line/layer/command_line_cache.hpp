// The key/value cache of a traced attention: `trace --cache`.
#pragma once

#include <span>
#include <string>

#include "base/error.hpp"
#include "files/attention/trace_file.hpp"

namespace app {

/// A line for each token and one for all: the tokens whose keys and values are kept when it has
/// been read, the bytes of them (rows of the trace's own tensors, of every sample), the
/// multiplications of the matrix products for this token, and those without a cache. Each attention
/// that has a cache has a table. Errors: none has, because each looks at another sequence or at
/// later keys.
base::Result<std::string> cache_tables(std::span<const files::NamedTrace> traces);

}  // namespace app
