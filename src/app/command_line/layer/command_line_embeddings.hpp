// Tokens by their ids, or by text: rows of a model's embeddings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/command_line/layer/command_line_model.hpp"
#include "files/tokenizers/tokenizer.hpp"
#include "tensor/tensor.hpp"

namespace app {

/// "464,3290,11" as numbers. Errors: none, more than model::Limits::tokens, or what is no number.
base::Result<std::vector<std::uint32_t>> token_ids(const std::string& text);

/// The tokens of a text, with the tokenizer that lies in the folder of the model at `path`. Errors:
/// none lies there; what is wrong with it; more than model::Limits::tokens.
base::Result<files::Encoding> encoded(const std::string& path, const std::string& text);

/// The rows of the model's embeddings that these ids name, [1,L,E]; only these are read. Those of
/// the part of the model that the attention stands in.
/// Errors: there are none; an id beyond its rows; numbers that are not finite.
base::Result<tensor::Tensor> embedded(const ModelFile& model, const files::FoundAttention& found,
                                      const std::vector<std::uint32_t>& ids);

}  // namespace app
