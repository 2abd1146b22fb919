// From a row of scores to weights, written once for vectors of every width. Included by the files
// that define row kernels, each of which is compiled for the processors it is for: see
// matmul_tile_body.hpp for why everything is in an unnamed namespace and nothing of the standard
// library is called.
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

  /// So many numbers as a vector has; or fewer than four of them.
  template <typename Some>
  struct Whole {
    Some get(const float* values, float) const { return load<Some>(values); }
    void put(Some numbers, float* values) const { store(numbers, values); }
    Some only_these(Some numbers, float) const { return numbers; }
  };
  struct Part {
    std::size_t count;
    Four get(const float* values, float rest) const { return load_some(values, count, rest); }
    void put(Four numbers, float* values) const { store_some(numbers, count, values); }
    /// `rest` in the other places.
    Four only_these(Four numbers, float rest) const {
      if (count < 2) numbers[1] = rest;
      if (count < 3) numbers[2] = rest;
      numbers[3] = rest;
      return numbers;
    }
  };

  /// Calls visit(chunk, first place) for as many wide vectors as there are, then for as many of
  /// four numbers, then for the rest.
  template <typename Visit>
  [[gnu::always_inline]] static inline void for_chunks(std::size_t count, const Visit& visit) {
    std::size_t i = 0;
    if constexpr (width > 4) {
      for (; i + width <= count; i += width) visit(Whole<Vector>(), i);
    }
    for (; i + 4 <= count; i += 4) visit(Whole<Four>(), i);
    if (i < count) visit(Part{count - i}, i);
  }

  /// The largest number so far, −∞ of none; NaN is passed over.
  struct Largest {
    Vector wide = Vector{} + minus_infinity;
    Four four = all_four(minus_infinity);

    void take(const Four& numbers) { four = larger(four, numbers); }
    template <typename Wide>
    void take(const Wide& numbers) {
      wide = larger(wide, numbers);
    }
    float number() const {
      Four most = four;
      if constexpr (width > 4) {
        float numbers[width];
        store(wide, numbers);
        for (std::size_t part = 0; part < width; part += 4) {
          most = larger(most, load_four(numbers + part));
        }
      }
      return larger(larger(most[0], most[1]), larger(most[2], most[3]));
    }
  };

  /// Scales and masks; returns the largest of what that gives.
  template <bool divides, bool masks>
  static float scale_and_mask(const ScoreRow& row) {
    const float number = divides ? row.divisor.number() : row.divisor.exact_reciprocal();
    Largest largest;
    for_chunks(row.count, [&](auto chunk, std::size_t i) {
      auto numbers = chunk.get(row.scores + i, 0.0F);
      numbers = divides ? numbers / number : numbers * number;
      if constexpr (masks) {
        chunk.put(numbers, row.scaled + i);
        numbers += chunk.get(row.mask + i, 0.0F);
      }
      chunk.put(numbers, row.masked + i);
      largest.take(chunk.only_these(numbers, minus_infinity));
    });
    return largest.number();
  }

  template <bool divides>
  static float scale_and_mask_if(const ScoreRow& row) {
    return row.mask != nullptr ? scale_and_mask<divides, true>(row)
                               : scale_and_mask<divides, false>(row);
  }

  /// The same weight for every key from `first` on.
  static void fill(const ScoreRow& row, float weight, std::size_t first) {
    for (std::size_t i = first; i < row.count; ++i) row.weights[i] = weight;
  }

  /// weigh() of fewer than four keys, in one vector from the first step to the last.
  static std::size_t weigh_few(const ScoreRow& row) {
    const Part part{row.count};
    const float factor = row.divisor.exact_reciprocal();
    Four numbers = part.get(row.scores, 0.0F);
    numbers = factor == 0.0F ? numbers / row.divisor.number() : numbers * factor;
    if (row.mask != nullptr) {
      part.put(numbers, row.scaled);
      numbers += part.get(row.mask, 0.0F);
    }
    part.put(numbers, row.masked);
    if (row.mask != nullptr && hides_all(row.mask, row.count)) {
      fill(row, 0.0F, 0);
      return 0;
    }
    numbers = part.only_these(numbers, minus_infinity);
    const float maximum =
        larger(larger(larger(minus_infinity, numbers[0]), numbers[1]), numbers[2]);
    const Four e = exponential(numbers - (maximum == minus_infinity ? 0.0F : maximum));
    const float sum = (e[0] + e[1]) + e[2];
    const std::size_t end = visible(row.masked, row.count);  // before the weights take its place
    part.put(e / (sum == 0.0F ? 1.0F : sum), row.weights);
    return end;
  }

  /// See weigh_row.
  static std::size_t weigh(const ScoreRow& row) {
    if (row.count < 4) return weigh_few(row);
    const bool divides = row.divisor.exact_reciprocal() == 0.0F;
    const float maximum = divides ? scale_and_mask_if<true>(row) : scale_and_mask_if<false>(row);
    if (row.mask != nullptr && hides_all(row.mask, row.count)) {
      fill(row, 0.0F, 0);
      return 0;
    }
    // The three lines that the lesson shows: subtract the maximum, exp, divide. Only,
    // −∞ − (−∞) would be NaN; −∞ − 0 makes every exponential of such a row 0.
    const float shift = maximum == minus_infinity ? 0.0F : maximum;
    // Behind a look-ahead mask there is nothing to compute.
    const std::size_t end = visible(row.masked, row.count);
    float* weights = row.weights;
    Four sums = all_four(0.0F);
    for_chunks(end, [&](auto chunk, std::size_t i) {
      const auto e = exponential(chunk.get(row.masked + i, minus_infinity) - shift);
      chunk.put(e, weights + i);
      // In four parts, in the same order in every build: see lanes.hpp.
      if constexpr (sizeof e == sizeof sums) {
        sums += e;
      } else {
        for (std::size_t part = 0; part < width; part += 4) sums += load_four(weights + i + part);
      }
    });
    const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    const float denominator = sum == 0.0F ? 1.0F : sum;
    for_chunks(end, [&](auto chunk, std::size_t i) {
      chunk.put(chunk.get(weights + i, 0.0F) / denominator, weights + i);
    });
    fill(row, 0.0F / denominator, end);  // NaN if that is NaN
    return end;
  }

  static constexpr RowKernel kernel(std::string_view name) { return {name, &weigh}; }
};

}  // namespace
}  // namespace attention
