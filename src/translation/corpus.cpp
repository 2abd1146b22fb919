#include "translation/corpus.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.hpp"
#include "base/text.hpp"

namespace translation {
namespace {

using base::fail;
using base::Result;
using tensor::Tensor;

/// A hash of the text: its own stream of random bits.
std::uint64_t hash_of(const std::string& text) { return base::Random(0, text).bits(); }

/// Rows of tokens as floats, padded with `fill`.
Tensor matrix_of(const std::vector<std::vector<std::size_t>>& rows, float fill) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  Tensor matrix = Tensor::full({rows.size(), longest}, fill);
  float* cells = matrix.mutable_data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      cells[i * longest + k] = static_cast<float>(rows[i][k]);
  }
  return matrix;
}

}  // namespace

Result<std::vector<SentencePair>> read_pairs(std::string_view text) {
  std::vector<SentencePair> pairs;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0 || tab + 1 == line.size() ||
        line[tab + 1] == '\t')
      return fail(base::text("translation.corpus.line", {{"line", number}}));
    const std::size_t next = std::min(line.find('\t', tab + 1), line.size());
    pairs.push_back(
        {std::string(line.substr(0, tab)), std::string(line.substr(tab + 1, next - tab - 1))});
  }
  if (pairs.empty()) return fail(base::text("translation.corpus.no_pair"));
  return pairs;
}

Split split(const std::vector<SentencePair>& all, std::size_t pairs) {
  std::map<std::string, std::vector<std::string>> targets;
  for (const SentencePair& pair : all) targets[pair.source].push_back(pair.target);
  std::vector<std::pair<std::uint64_t, std::string>> order;
  for (const auto& [source, references] : targets) order.emplace_back(hash_of(source), source);
  std::sort(order.begin(), order.end());
  Split made;
  std::size_t held = 0;
  for (const auto& [hash, source] : order) {
    if (held >= pairs) break;
    held += targets[source].size();
    made.held_out.push_back({source, std::move(targets[source])});
    targets.erase(source);
  }
  for (const SentencePair& pair : all) {
    if (targets.contains(pair.source)) made.training.push_back(pair);
  }
  return made;
}

std::vector<TokenPair> tokens_of(const std::vector<SentencePair>& pairs,
                                 const Vocabulary& vocabulary, std::size_t longest) {
  std::vector<TokenPair> made;
  for (const SentencePair& pair : pairs) {
    TokenPair tokens{vocabulary.tokens_of(pair.source), vocabulary.tokens_of(pair.target)};
    if (tokens.source.size() > longest || tokens.target.size() > longest) continue;
    tokens.source.push_back(Vocabulary::end);
    tokens.target.insert(tokens.target.begin(), Vocabulary::begin);
    tokens.target.push_back(Vocabulary::end);
    made.push_back(std::move(tokens));
  }
  return made;
}

std::vector<std::vector<std::size_t>> batches_of(const std::vector<TokenPair>& pairs,
                                                 std::size_t batch_size, std::uint32_t seed,
                                                 std::size_t epoch) {
  base::Random random(seed, "epoch " + std::to_string(epoch));
  struct Place {
    std::size_t length;
    std::uint64_t order;
    std::size_t place;
    auto operator<=>(const Place&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    places.push_back({pairs[i].source.size() + pairs[i].target.size(), random.bits(), i});
  std::sort(places.begin(), places.end());
  std::vector<std::pair<std::uint64_t, std::vector<std::size_t>>> batches;
  for (std::size_t first = 0; first < places.size(); first += batch_size) {
    batches.emplace_back(random.bits(), std::vector<std::size_t>());
    for (std::size_t i = first; i < std::min(first + batch_size, places.size()); ++i)
      batches.back().second.push_back(places[i].place);
  }
  std::sort(batches.begin(), batches.end());
  std::vector<std::vector<std::size_t>> made;
  for (auto& [order, batch] : batches) made.push_back(std::move(batch));
  return made;
}

model::TokenBatch batch_of(const std::vector<TokenPair>& pairs,
                           std::span<const std::size_t> places) {
  std::vector<std::vector<std::size_t>> source;
  std::vector<std::vector<std::size_t>> target;
  std::vector<std::vector<std::size_t>> right;
  for (const std::size_t place : places) {
    const TokenPair& pair = pairs[place];
    source.push_back(pair.source);
    target.emplace_back(pair.target.begin(), pair.target.end() - 1);
    right.emplace_back(pair.target.begin() + 1, pair.target.end());
  }
  return {padded(source), padded(target), matrix_of(right, -1.0F)};
}

Tensor padded(const std::vector<std::vector<std::size_t>>& sequences) {
  return matrix_of(sequences, static_cast<float>(Vocabulary::padding));
}

}  // namespace translation
