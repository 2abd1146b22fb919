// From tokens to a padded batch of embeddings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/examples/example.hpp"

namespace lesson {

/// The tokens between the spaces of an ASCII sentence of our own; typed text goes through
/// `tokenize`.
std::vector<std::string> words(std::string_view sentence);

/// The first `count` words of `sentence`, or all of them where there are fewer.
std::vector<std::string> first_words(std::string_view sentence, std::size_t count);

/// One sample of the first `count` of `tokens`; `embedding` holds a row of equal length for each of
/// `tokens`. `count` is from 1 to the number of tokens.
Sequence given_sequence(std::vector<std::string> tokens, std::span<const float> embedding,
                        std::size_t count);

/// Pads the samples with `pad_token` to the length of the longest one and gives every token a
/// random embedding (see fill_normal). A word has the same row wherever it stands; padding is a row
/// of zeros, as with padding_idx in torch.nn.Embedding. No sample may be empty.
Sequence random_sequence(std::vector<std::vector<std::string>> samples, std::size_t embed_dim,
                         std::uint32_t seed);

/// Tokens that are no words, `prefix`0, `prefix`1, …, with random numbers: where only weights are
/// there. Other prefixes have other numbers.
Sequence numbered_sequence(std::string_view prefix, std::size_t count, std::size_t embed_dim,
                           std::uint32_t seed);

}  // namespace lesson
