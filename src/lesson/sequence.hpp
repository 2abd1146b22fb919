// From tokens to a padded batch of embeddings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/example.hpp"

namespace lesson {

/// The tokens between the spaces of an ASCII sentence of our own; typed text goes through
/// `tokenize`.
std::vector<std::string> words(std::string_view sentence);

/// Pads the samples with `pad_token` to the length of the longest one and gives every token a
/// random embedding (see fill_normal). A word has the same row wherever it stands; padding is a row
/// of zeros, as with padding_idx in torch.nn.Embedding. No sample may be empty.
Sequence random_sequence(std::vector<std::vector<std::string>> samples, std::size_t embed_dim,
                         std::uint32_t seed);

}  // namespace lesson
