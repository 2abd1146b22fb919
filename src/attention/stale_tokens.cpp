#include "attention/stale_tokens.hpp"

#include <algorithm>

#include "attention/differing_rows.hpp"

namespace attention {

StaleTokens::StaleTokens(const Tensor& last, const Tensor& now)
    : all_(last.shape() != now.shape()) {
  if (!all_) marks_ = rows_that_differ(last, now);
}

void StaleTokens::add(const StaleTokens& others) {
  all_ = all_ || others.all_;
  if (!all_) marks_.add(others.marks_);
}

Tensor StaleTokens::of(const Tensor& tokens) const {
  if (all_) return tokens;
  const Tensor rows = as_rows(tokens);
  const std::size_t width = rows.dim(1);
  std::size_t count = 0;
  for (std::size_t row = 0; row < marks_.size(); ++row) count += marks_[row] ? 1 : 0;
  Tensor some = Tensor::uninitialized({1, count, width});
  float* to = some.mutable_data();
  for (std::size_t row = 0; row < marks_.size(); ++row) {
    if (marks_[row]) to = std::copy_n(rows.data() + row * width, width, to);
  }
  return some;
}

void StaleTokens::put(const Tensor& made, Tensor& result) const {
  if (all_) {
    result = made;
    return;
  }
  result = result.clone();
  const Tensor rows = as_rows(made);
  const std::size_t width = rows.dim(1);
  const float* from = rows.data();
  float* to = result.mutable_data();
  for (std::size_t row = 0; row < marks_.size(); ++row) {
    if (!marks_[row]) continue;
    std::copy_n(from, width, to + row * width);
    from += width;
  }
}

}  // namespace attention
