#include "attention/rows.hpp"

#include <algorithm>
#include <cmath>

#include "attention/exponential.hpp"
#include "attention/mask.hpp"

namespace attention {
namespace {

/// The largest of `count` numbers, −∞ of none; NaN is passed over.
float largest(const float* x, std::size_t count) {
  Four most = all_four(hidden);
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const Four four = load_four(x + i);
    most = most < four ? four : most;
  }
  if (i < count) {
    const Four four = load_some(x + i, count - i, hidden);
    most = most < four ? four : most;
  }
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

}  // namespace

void add_row(const float* a, const float* b, std::size_t count, float* result) {
  for (std::size_t i = 0; i < count; ++i) result[i] = a[i] + b[i];
}

Divisor::Divisor(float number) : number_(number), exact_reciprocal_(0.0F) {
  int exponent = 0;
  const float reciprocal = 1.0F / number;
  const bool power_of_two = std::abs(std::frexp(number, &exponent)) == 0.5F;
  if (power_of_two && std::isnormal(reciprocal)) exact_reciprocal_ = reciprocal;
}

void divide_row(const float* x, const Divisor& divisor, std::size_t count, float* result) {
  if (const float factor = divisor.exact_reciprocal(); factor != 0.0F) {
    for (std::size_t i = 0; i < count; ++i) result[i] = x[i] * factor;
    return;
  }
  const float number = divisor.number();
  for (std::size_t i = 0; i < count; ++i) result[i] = x[i] / number;
}

std::size_t visible(const float* x, std::size_t count) {
  while (count > 0 && x[count - 1] == hidden) --count;
  return count;
}

std::size_t softmax_row(const float* x, std::size_t count, float* weights) {
  // The three lines that the lesson shows: subtract the maximum, exp, divide.
  const float maximum = largest(x, count);
  // −∞ − (−∞) would be NaN; −∞ − 0 makes every exponential of such a row 0.
  const float shift = maximum == hidden ? 0.0F : maximum;

  // Behind a look-ahead mask there is nothing to compute.
  const std::size_t end = visible(x, count);
  Four sums = all_four(0.0F);
  std::size_t i = 0;
  for (; i + 4 <= end; i += 4) {
    const Four e = exponential(load_four(x + i) - shift);
    sums += e;
    store_four(e, weights + i);
  }
  if (i < end) {
    const Four e = exponential(load_some(x + i, end - i, hidden) - shift);
    sums += e;
    store_some(e, end - i, weights + i);
  }

  const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  const float denominator = sum == 0.0F ? 1.0F : sum;
  for (i = 0; i + 4 <= end; i += 4) store_four(load_four(weights + i) / denominator, weights + i);
  for (; i < end; ++i) weights[i] /= denominator;
  std::fill(weights + end, weights + count, 0.0F / denominator);  // NaN if that is NaN
  return end;
}

}  // namespace attention
