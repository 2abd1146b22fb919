#include "translation/decoding/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/order.hpp"
#include "translation/vocabulary.hpp"

namespace translation {
namespace {

using base::fail;
using base::Result;
using tensor::Tensor;

constexpr std::size_t shown_candidates = 5;

/// No token that is no text can come, but the end.
bool can_come(std::size_t token) { return token == Vocabulary::end || token > Vocabulary::unknown; }

/// What could come next: one row of logits.
class Next {
 public:
  Next(const float* logits, std::size_t count) : logits_(logits), count_(count) {
    const auto largest = static_cast<double>(*std::max_element(logits_, logits_ + count_));
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i)
      sum += std::exp(static_cast<double>(logits_[i]) - largest);
    logarithm_of_sum_ = largest + std::log(sum);
  }

  /// The natural logarithm of the token's probability.
  double log_probability(std::size_t token) const {
    return static_cast<double>(logits_[token]) - logarithm_of_sum_;
  }

  /// The most probable tokens, best first; of equals the one with the smaller number.
  std::vector<Candidate> best(std::size_t most) const {
    std::vector<std::size_t> tokens;
    for (std::size_t token = 0; token < count_; ++token) {
      if (tokens.size() == most && !(logits_[token] > logits_[tokens.back()])) continue;
      if (!can_come(token)) continue;
      if (tokens.size() == most) tokens.pop_back();
      const auto place =
          std::upper_bound(tokens.begin(), tokens.end(), token,
                           [&](std::size_t a, std::size_t b) { return logits_[a] > logits_[b]; });
      tokens.insert(place, token);
    }
    std::vector<Candidate> made;
    for (const std::size_t token : tokens)
      made.push_back({token, std::exp(log_probability(token))});
    return made;
  }

 private:
  const float* logits_;
  std::size_t count_;
  double logarithm_of_sum_ = 0.0;
};

/// Sorts by this number, the largest first. A mistake that the reader makes can give numbers that
/// are none: they come last.
void sort_by(std::vector<Hypothesis>& all, double (*number)(const Hypothesis& of)) {
  all = base::sorted_by(std::move(all), [number](const Hypothesis& each) {
    const double value = number(each);
    return std::isnan(value) ? base::SortKey{1.0, 0.0} : base::SortKey{0.0, -value};
  });
}

}  // namespace

bool Hypothesis::has_ended() const { return !tokens.empty() && tokens.back() == Vocabulary::end; }

double Hypothesis::mean_log_probability() const {
  return log_probability / static_cast<double>(std::max<std::size_t>(tokens.size(), 1));
}

Result<std::vector<Hypothesis>> search(const Step& step, std::size_t beam,
                                       std::span<const std::size_t> begin, std::size_t most) {
  std::vector<Hypothesis> open(1);
  std::vector<Hypothesis> ended;
  while (!open.empty() && open.front().tokens.size() < most && ended.size() < beam) {
    std::vector<std::size_t> from;
    std::vector<std::size_t> tokens;
    for (const Hypothesis& hypothesis : open) {
      from.push_back(hypothesis.row);
      tokens.push_back(hypothesis.tokens.empty() ? Vocabulary::begin : hypothesis.tokens.back());
    }
    const auto logits = step(from, tokens);
    if (!logits) return fail(logits.error());
    const std::size_t place = open.front().tokens.size();
    std::vector<Hypothesis> next;
    for (std::size_t row = 0; row < open.size(); ++row) {
      const Next coming(logits->cell({row, 0, 0}), logits->dim(2));
      const auto best = coming.best(std::max(shown_candidates, beam));
      std::vector<std::size_t> choices;
      if (place < begin.size()) {
        choices = {begin[place]};
      } else {
        for (std::size_t i = 0; i < std::min(beam, best.size()); ++i)
          choices.push_back(best[i].token);
      }
      for (const std::size_t choice : choices) {
        Hypothesis longer = open[row];
        longer.row = row;
        longer.tokens.push_back(choice);
        const std::size_t shown = std::min(best.size(), shown_candidates);
        longer.candidates.emplace_back(best.begin(),
                                       best.begin() + static_cast<std::ptrdiff_t>(shown));
        const double log_probability = coming.log_probability(choice);
        longer.probabilities.push_back(std::exp(log_probability));
        longer.log_probability += log_probability;
        next.push_back(std::move(longer));
      }
    }
    sort_by(next, [](const Hypothesis& each) { return each.log_probability; });
    open.clear();
    for (std::size_t rank = 0; rank < next.size() && open.size() < beam; ++rank) {
      if (!next[rank].has_ended()) {
        open.push_back(std::move(next[rank]));
      } else if (rank < beam) {  // one that ends counts if it is among the best
        ended.push_back(std::move(next[rank]));
      }
    }
  }
  if (ended.empty()) ended = std::move(open);
  sort_by(ended, [](const Hypothesis& each) { return each.mean_log_probability(); });
  return ended;
}

double log_probability(const Tensor& logits, std::size_t place, std::size_t token) {
  return Next(logits.cell({0, place, 0}), logits.dim(2)).log_probability(token);
}

}  // namespace translation
