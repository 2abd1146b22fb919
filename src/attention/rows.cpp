#include "attention/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/lanes.hpp"
#include "attention/mask.hpp"
#include "attention/matmul_tile.hpp"
#include "attention/row_kernels.hpp"
#include "attention/rows_body.hpp"

namespace attention {
namespace {

constexpr RowKernel portable = RowLoops<Four>::kernel("portable");

#ifdef ATTENTION_LIVE_X86_KERNELS

/// In the order of matmul_kernels(), which knows what the processor has.
const std::array<RowKernel, 3>& all_kernels() {
  static const std::array<RowKernel, 3> all{portable, avx2_rows, avx512_rows};
  return all;
}

const RowKernel& row_kernel() {
  static const RowKernel& chosen =
      *std::find_if(all_kernels().begin(), all_kernels().end(),
                    [](const RowKernel& kernel) { return kernel.name == matmul_kernel().name; });
  return chosen;
}

#endif

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
  // Half of a look-ahead mask is passed over here.
  const auto hides = [x](std::size_t place) { return load_four(x + place) == hidden; };
  for (; count >= 16; count -= 16) {
    const FourBits all =
        hides(count - 16) & hides(count - 12) & hides(count - 8) & hides(count - 4);
    if ((all[0] & all[1] & all[2] & all[3]) == 0) break;
  }
  while (count > 0 && x[count - 1] == hidden) --count;
  return count;
}

bool hides_all(const float* mask, std::size_t count) {
  return std::all_of(mask, mask + count, [](float number) { return number == hidden; });
}

std::size_t softmax_row(const float* x, std::size_t count, float* weights) {
  ScoreRow row;
  row.count = count;
  row.scores = x;
  row.scaled = row.masked = row.weights = weights;
  return weigh_row(row);
}

#ifdef ATTENTION_LIVE_X86_KERNELS

std::span<const RowKernel> row_kernels() {
  return std::span(all_kernels()).first(matmul_kernels().size());
}

std::size_t weigh_row(const ScoreRow& row) { return row_kernel().weigh_row(row); }

#else

std::span<const RowKernel> row_kernels() { return {&portable, 1}; }

std::size_t weigh_row(const ScoreRow& row) { return RowLoops<Four>::weigh(row); }

#endif

}  // namespace attention
