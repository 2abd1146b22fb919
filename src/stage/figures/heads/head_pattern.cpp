#include "stage/figures/heads/head_pattern.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"
#include "model/roles.hpp"

namespace stage {

namespace {

std::string_view text_of(Pattern pattern, const char* length) {
  constexpr std::array names = {"previous", "same", "next", "first", "last", "one", "mixed"};
  return base::text(std::string("stage.pattern.") + names[static_cast<std::size_t>(pattern)] +
                    length);
}

}  // namespace

HeadPattern pattern_of(const document::ComputedAttention& attention, std::size_t sample,
                       std::size_t head) {
  const tensor::Tensor weights =
      attention.trace[model::roles::weights].select(0, sample).select(0, head);
  const std::size_t queries = weights.dim(0);
  const std::size_t keys = weights.dim(1);
  const bool self = lesson::kind_of(attention.id) != lesson::AttentionId::cross_attention;
  const std::size_t first_query = self && queries > 1 ? 1 : 0;
  std::array<float, 6> sums{};  // of the patterns before mixed
  for (std::size_t query = first_query; query < queries; ++query) {
    float largest = 0.0F;
    for (std::size_t key = 0; key < keys; ++key) {
      const float weight = weights.at({query, key});
      largest = std::max(largest, weight);
      const auto count = [&](Pattern pattern, bool there) {
        if (there) sums[static_cast<std::size_t>(pattern)] += weight;
      };
      count(Pattern::previous, self && key + 1 == query);
      count(Pattern::same, self && key == query);
      count(Pattern::next, self && key == query + 1);
      count(Pattern::first, key == 0);
      count(Pattern::last, key + 1 == keys);
    }
    sums[static_cast<std::size_t>(Pattern::one)] += largest;
  }
  const auto counted = static_cast<float>(queries - first_query);
  for (float& sum : sums) sum /= counted;
  // The largest weight is never smaller than the others, so it has a say only where they have none.
  const auto one = sums.end() - 1;
  const auto most = std::max_element(sums.begin(), one);
  if (*most >= least_share) return {static_cast<Pattern>(most - sums.begin()), *most};
  return {*one >= least_share ? Pattern::one : Pattern::mixed, *one};
}

std::string_view words_for(Pattern pattern) { return text_of(pattern, ".long"); }

std::string_view short_words_for(Pattern pattern) { return text_of(pattern, ".short"); }

}  // namespace stage
