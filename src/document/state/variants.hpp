// The variants of attention in a state.
#pragma once

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "model/attention/config.hpp"

namespace document {

/// Reads those fields that are there. Bounds of numbers are checked where they are used. Errors: a
/// value of another type.
base::Result<void> read_variants(const base::Json& json, model::Variants& variants);

}  // namespace document
