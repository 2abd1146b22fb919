// Tokens by their ids: rows of a model's embeddings.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/command_line/command_line_io.hpp"
#include "files/safetensors.hpp"
#include "tensor/tensor.hpp"

namespace app {

/// "464,3290,11" as numbers. Errors: none, more than model::Limits::tokens, or what is no number.
base::Result<std::vector<std::size_t>> token_ids(const std::string& text);

/// The rows of the model's embeddings that these ids name, [1,L,width]; only these are read. The
/// tensor is the first whose name ends as GPT-2, BERT, T5, BART or Llama call theirs, with rows of
/// this width. Errors: there is none; an id beyond its rows; numbers that are not finite.
base::Result<tensor::Tensor> embedded(const OpenFile& file, const files::Layout& layout,
                                      std::size_t width, const std::vector<std::size_t>& ids);

}  // namespace app
