// Sentences with their translations, as distributed by manythings.org/anki from tatoeba.org.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "model/transformer.hpp"
#include "translation/vocabulary.hpp"

namespace translation {

struct SentencePair {
  std::string source;
  std::string target;
};

/// One pair a line, "English<TAB>Spanish" in UTF-8; what stands behind a second tab is left out.
/// Errors: a line without a tab, a text without a line.
base::Result<std::vector<SentencePair>> read_pairs(std::string_view text);

/// A sentence and all translations that it has.
struct HeldOut {
  std::string source;
  std::vector<std::string> references;
};

/// What is learned from and what is not. No English sentence is on both sides.
struct Split {
  std::vector<SentencePair> training;
  std::vector<HeldOut> held_out;
};

/// Holds out sentences in the order of a hash of their English until at least `pairs` pairs are.
Split split(const std::vector<SentencePair>& all, std::size_t pairs = 2000);

/// A pair as tokens: the source with `end`, the target with `begin` in front and `end` behind.
struct TokenPair {
  std::vector<std::size_t> source;
  std::vector<std::size_t> target;
};

/// Pairs whose sides have at most `longest` tokens, the others left out.
std::vector<TokenPair> tokens_of(const std::vector<SentencePair>& pairs,
                                 const Vocabulary& vocabulary, std::size_t longest = 48);

/// The batches of one epoch, in random order: places in `pairs`, of sentences of about the same
/// length, so that little is padded.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<TokenPair>& pairs,
                                                 std::size_t batch_size, std::uint32_t seed,
                                                 std::size_t epoch);

/// The pairs as tensors, padded to the longest: source [B,Ls], target [B,Lt] without its last
/// token, right [B,Lt] without its first.
model::TokenBatch batch_of(const std::vector<TokenPair>& pairs,
                           std::span<const std::size_t> places);

/// Token sequences as a tensor [B,L], padded to the longest.
tensor::Tensor padded(const std::vector<std::vector<std::size_t>>& sequences);

}  // namespace translation
