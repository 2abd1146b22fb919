#include "translation/decoding/translate.hpp"

#include <algorithm>

#include "translation/corpus.hpp"

namespace translation {

using base::Result;
using tensor::Tensor;

std::size_t longest_translation(std::size_t source_tokens) { return source_tokens * 2 + 10; }

Result<std::vector<std::vector<std::size_t>>> translate(
    const model::Transformer& transformer, const model::Weights& weights,
    const std::vector<std::vector<std::size_t>>& sources) {
  std::vector<std::vector<std::size_t>> made(sources.size(), {Vocabulary::begin});
  std::size_t longest = 0;
  for (const auto& source : sources) longest = std::max(longest, source.size());
  const Tensor source = padded(sources);
  std::vector<model::Trace> traces;
  std::vector<bool> ended(sources.size());
  for (std::size_t length = 1; length <= longest_translation(longest); ++length) {
    const auto model = model::transformer_model(transformer, weights, {source, padded(made), {}});
    if (!model) return base::fail(model.error());
    traces = model::compute(*model, traces);         // the encoder is not computed again
    const Tensor& logits = traces.back()["logits"];  // [B,L,V]
    for (std::size_t i = 0; i < made.size(); ++i) {
      const float* first = logits.cell({i, length - 1, 0});
      // No token that is no text but the end.
      std::size_t best = Vocabulary::end;
      for (std::size_t token = Vocabulary::unknown + 1; token < logits.dim(2); ++token) {
        if (first[token] > first[best]) best = token;
      }
      if (ended[i]) best = Vocabulary::padding;
      made[i].push_back(best);
      if (best == Vocabulary::end) ended[i] = true;
    }
    if (std::all_of(ended.begin(), ended.end(), [](bool end) { return end; })) break;
  }
  for (auto& tokens : made) {
    const auto end = std::find_if(tokens.begin() + 1, tokens.end(), [](std::size_t token) {
      return token == Vocabulary::end || token == Vocabulary::padding;
    });
    tokens = {tokens.begin() + 1, end};
  }
  return made;
}

}  // namespace translation
