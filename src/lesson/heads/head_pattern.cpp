#include "lesson/heads/head_pattern.hpp"

#include <algorithm>

namespace lesson {

void HeadMeasure::add(const tensor::Tensor& weights, bool self) {
  const std::size_t queries = weights.dim(0);
  const std::size_t keys = weights.dim(1);
  const tensor::Tensor rows = weights.contiguous();
  const std::size_t first_query = self && queries > 1 ? 1 : 0;
  const auto count = [this](Pattern pattern, float weight) {
    sums_[static_cast<std::size_t>(pattern)] += static_cast<double>(weight);
  };
  for (std::size_t query = first_query; query < queries; ++query) {
    const float* row = rows.data() + query * keys;
    if (self) {
      if (query > 0) count(Pattern::previous, row[query - 1]);
      count(Pattern::same, row[query]);
      if (query + 1 < keys) count(Pattern::next, row[query + 1]);
    }
    count(Pattern::first, row[0]);
    count(Pattern::last, row[keys - 1]);
    count(Pattern::one, *std::max_element(row, row + keys));
  }
  queries_ += queries - first_query;
}

Shares HeadMeasure::shares() const {
  Shares made = sums_;
  for (double& share : made) share /= static_cast<double>(std::max<std::size_t>(queries_, 1));
  return made;
}

HeadPattern pattern_of(const Shares& shares) {
  // The largest weight is never smaller than the others, so it has a say only where they have none.
  const auto one = shares.end() - 1;
  const auto most = std::max_element(shares.begin(), one);
  const auto named = [](double share) { return static_cast<float>(share) >= least_share; };
  if (named(*most)) return {static_cast<Pattern>(most - shares.begin()), static_cast<float>(*most)};
  return {named(*one) ? Pattern::one : Pattern::mixed, static_cast<float>(*one)};
}

}  // namespace lesson
