// What is done to one row of scores after another: the loops that elementwise, softmax and
// scaled_dot_product share.
#pragma once

#include <cstddef>

namespace attention {

/// result = a + b, `count` numbers each.
void add_row(const float* a, const float* b, std::size_t count, float* result);

/// What many rows are divided by.
class Divisor {
 public:
  explicit Divisor(float number);
  float number() const { return number_; }
  /// 1 / number where multiplying by it gives what dividing gives, to the last bit: for a power of
  /// two, as the square root of 64 is. Otherwise 0.
  float exact_reciprocal() const { return exact_reciprocal_; }

 private:
  float number_;
  float exact_reciprocal_;
};

/// result = x / divisor.
void divide_row(const float* x, const Divisor& divisor, std::size_t count, float* result);

/// One query's row on its way from scores to weights: `count` numbers a step, one for each key. A
/// step that is not there, or not wanted, is in the same place as the next.
struct ScoreRow {
  std::size_t count = 0;
  const float* scores = nullptr;
  float* scaled = nullptr;
  const float* mask = nullptr;  ///< is added; null: nothing is
  float* masked = nullptr;
  float* weights = nullptr;
  /// At the end: a compiler that may read four numbers here does, where it wants one of them four
  /// times, and the processor then waits until all have been written.
  Divisor divisor{1.0F};
};

/// Scales, masks and takes softmax, each as the function of that name says; but the weights are 0,
/// whatever the scores, where the mask hides every key. Returns how many weights there are until
/// only those of hidden keys (−∞) follow, which are 0.
std::size_t weigh_row(const ScoreRow& row);

/// Softmax of one row, as softmax() says. Returns what weigh_row does.
std::size_t softmax_row(const float* x, std::size_t count, float* weights);

/// How many numbers there are until only −∞ follows.
std::size_t visible(const float* x, std::size_t count);

/// True where all of a row's numbers are −∞: quick where the first one is not.
bool hides_all(const float* mask, std::size_t count);

}  // namespace attention
