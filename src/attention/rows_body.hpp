// Softmax of one row, written once for vectors of every width. Included by the files that define
// row kernels, each of which is compiled for the processors it is for: see matmul_tile_body.hpp for
// why everything is in an unnamed namespace and nothing of the standard library is called.
#pragma once

#include "attention/exponential.hpp"
#include "attention/row_kernels.hpp"
#include "attention/rows.hpp"

namespace attention {
namespace {

template <typename Vector>
struct RowLoops {
  static constexpr float minus_infinity = -__builtin_huge_valf();
  static constexpr std::size_t width = width_of<Vector>;

  template <typename Some>
  static Some larger(Some a, Some b) {
    return a < b ? b : a;
  }

  /// The largest of `count` numbers, −∞ of none; NaN is passed over.
  static float largest(const float* x, std::size_t count) {
    std::size_t i = 0;
    Four most = all_four(minus_infinity);
    if constexpr (width > 4) {
      Vector wide = Vector{} + minus_infinity;
      for (; i + width <= count; i += width) wide = larger(wide, load<Vector>(x + i));
      float numbers[width];
      store(wide, numbers);
      for (std::size_t part = 0; part < width; part += 4) {
        most = larger(most, load_four(numbers + part));
      }
    }
    for (; i + 4 <= count; i += 4) most = larger(most, load_four(x + i));
    if (i < count) most = larger(most, load_some(x + i, count - i, minus_infinity));
    return larger(larger(most[0], most[1]), larger(most[2], most[3]));
  }

  /// Divides `count` numbers where they are.
  static void divide(float* x, std::size_t count, float denominator) {
    std::size_t i = 0;
    if constexpr (width > 4) {
      for (; i + width <= count; i += width) store(load<Vector>(x + i) / denominator, x + i);
    }
    for (; i + 4 <= count; i += 4) store_four(load_four(x + i) / denominator, x + i);
    for (; i < count; ++i) x[i] /= denominator;
  }

  /// softmax_row for up to four numbers.
  static std::size_t softmax_of_four(const float* x, std::size_t count, float* weights) {
    const Four numbers = count == 4 ? load_four(x) : load_some(x, count, minus_infinity);
    const Four most = larger(all_four(minus_infinity), numbers);  // passes NaN over
    const float maximum = larger(larger(most[0], most[1]), larger(most[2], most[3]));
    const Four e = exponential(numbers - (maximum == minus_infinity ? 0.0F : maximum));
    const float sum = (e[0] + e[1]) + (e[2] + e[3]);
    const Four quotients = e / (sum == 0.0F ? 1.0F : sum);
    if (count == 4) {
      store_four(quotients, weights);
    } else {
      store_some(quotients, count, weights);
    }
    return visible(x, count);
  }

  /// See softmax_row.
  static std::size_t softmax(const float* x, std::size_t count, float* weights) {
    if (count <= 4) return softmax_of_four(x, count, weights);
    // The three lines that the lesson shows: subtract the maximum, exp, divide.
    const float maximum = largest(x, count);
    // −∞ − (−∞) would be NaN; −∞ − 0 makes every exponential of such a row 0.
    const float shift = maximum == minus_infinity ? 0.0F : maximum;

    // Behind a look-ahead mask there is nothing to compute.
    const std::size_t end = visible(x, count);
    Four sums = all_four(0.0F);
    std::size_t i = 0;
    if constexpr (width > 4) {
      for (; i + width <= end; i += width) {
        store(exponential(load<Vector>(x + i) - shift), weights + i);
        // In four parts, in the same order in every build: see lanes.hpp.
        for (std::size_t part = 0; part < width; part += 4) sums += load_four(weights + i + part);
      }
    }
    for (; i + 4 <= end; i += 4) {
      const Four e = exponential(load_four(x + i) - shift);
      sums += e;
      store_four(e, weights + i);
    }
    if (i < end) {
      const Four e = exponential(load_some(x + i, end - i, minus_infinity) - shift);
      sums += e;
      store_some(e, end - i, weights + i);
    }

    const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    const float denominator = sum == 0.0F ? 1.0F : sum;
    divide(weights, end, denominator);
    const float behind = 0.0F / denominator;  // NaN if that is NaN
    for (i = end; i < count; ++i) weights[i] = behind;
    return end;
  }

  static constexpr RowKernel kernel(std::string_view name) { return {name, &softmax}; }
};

}  // namespace
}  // namespace attention
