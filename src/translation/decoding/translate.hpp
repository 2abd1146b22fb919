// Translating with a model that is there: token by token, always the most probable one.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/transformer.hpp"
#include "translation/vocabulary.hpp"

namespace translation {

/// The most tokens that a translation may have: a model that was not trained never says its end.
std::size_t longest_translation(std::size_t source_tokens);

/// The tokens of each translation, without begin and end. `sources` have their end. Errors: as
/// model::transformer_model.
base::Result<std::vector<std::vector<std::size_t>>> translate(
    const model::Transformer& transformer, const model::Weights& weights,
    const std::vector<std::vector<std::size_t>>& sources);

}  // namespace translation
