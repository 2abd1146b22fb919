#include "lesson/input/sequence.hpp"

#include <algorithm>

#include "lesson/input/random.hpp"

namespace lesson {

std::vector<std::string> words(std::string_view sentence) {
  std::vector<std::string> result;
  std::size_t start = 0;
  while (start < sentence.size()) {
    const std::size_t end = std::min(sentence.find(' ', start), sentence.size());
    if (end > start) result.emplace_back(sentence.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

std::vector<std::string> first_words(std::string_view sentence, std::size_t count) {
  std::vector<std::string> result = words(sentence);
  result.resize(std::min(count, result.size()));
  return result;
}

Sequence given_sequence(std::vector<std::string> tokens, std::span<const float> embedding,
                        std::size_t count) {
  const std::size_t embed_dim = embedding.size() / tokens.size();
  Sequence sequence;
  sequence.embedding = tensor::Tensor({1, count, embed_dim}, embedding.first(count * embed_dim));
  sequence.lengths = {count};
  tokens.resize(count);
  sequence.tokens = {std::move(tokens)};
  return sequence;
}

Sequence random_sequence(std::vector<std::vector<std::string>> samples, std::size_t embed_dim,
                         std::uint32_t seed) {
  Sequence sequence;
  std::size_t longest = 0;
  for (const std::vector<std::string>& sample : samples) {
    sequence.lengths.push_back(sample.size());
    longest = std::max(longest, sample.size());
  }
  sequence.embedding = tensor::Tensor({samples.size(), longest, embed_dim});
  float* row = sequence.embedding.mutable_data();
  for (std::vector<std::string>& sample : samples) {
    for (const std::string& token : sample) {
      Random random(seed, "word." + token);
      fill_normal(random, {row, embed_dim});
      row += embed_dim;
    }
    row += (longest - sample.size()) * embed_dim;
    sample.resize(longest, std::string(pad_token));
  }
  sequence.tokens = std::move(samples);
  return sequence;
}

Sequence numbered_sequence(std::string_view prefix, std::size_t count, std::size_t embed_dim,
                           std::uint32_t seed) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.push_back(std::string(prefix) + std::to_string(i));
  return random_sequence({std::move(tokens)}, embed_dim, seed);
}

}  // namespace lesson
