// How fast our matrix product is, in the same run as what bounds it: a plain loop from below, and
// from above the innermost kernel alone, fed from the first-level cache.
//
// Counters: FLOP/s; "of ceiling" and "times naive" compare with rates measured in this run.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "fma_ceiling.hpp"
#include "kernels/matmul.hpp"
#include "tensor/tensor.hpp"
#include "tile_alone.hpp"

namespace {

using tensor::Tensor;

/// Repeatable numbers from −1 to 1; made of whole numbers, so no product is denormal.
Tensor made_up(const tensor::Shape& shape) {
  Tensor tensor(shape);
  float* cell = tensor.mutable_data();
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    cell[i] = static_cast<float>(state >> 8U) / 8388608.0F - 1.0F;
  }
  return tensor;
}

/// Ours, nothing laid out beforehand.
Tensor product(const Tensor& a, const Tensor& b) {
  kernels::PackedMatrix packed;
  kernels::pack({b.data(), b.dim(0), b.dim(1), b.strides()[0], b.strides()[1]}, packed);
  Tensor result = Tensor::uninitialized({a.dim(0), b.dim(1)});
  kernels::multiply({a.data(), a.dim(0), a.dim(1), a.strides()[0]}, packed, result.mutable_data());
  return result;
}

/// The plain loop in its best order: the innermost runs along rows of b and of the result, and
/// vectorises.
void naive(const Tensor& a, const Tensor& b, Tensor& result) {
  const std::size_t M = a.dim(0);
  const std::size_t K = a.dim(1);
  const std::size_t N = b.dim(1);
  const float* a_cell = a.data();
  float* rows = result.mutable_data();
  for (std::size_t i = 0; i < M * N; ++i) rows[i] = 0.0F;
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t k = 0; k < K; ++k) {
      const float factor = a_cell[i * K + k];
      const float* b_row = b.data() + k * N;
      for (std::size_t j = 0; j < N; ++j) rows[i * N + j] += factor * b_row[j];
    }
  }
}

/// Runs `work` for about a tenth of a second; the best rate of one call, in floating-point
/// operations a second.
template <typename Work>
double best_rate(double operations, Work work) {
  double best = 0.0;
  const double end = bench::thread_seconds() + 0.1;
  while (bench::thread_seconds() < end) {
    const double start = bench::thread_seconds();
    work();
    best = std::max(best, operations / (bench::thread_seconds() - start));
  }
  return best;
}

/// What the tile kernel reaches when nothing has to be packed, loaded from afar or stored.
double ceiling_rate() {
  constexpr std::size_t calls = 256;
  bench::TileAlone tile;
  return best_rate(tile.operations() * calls, [&] {
    for (std::size_t i = 0; i < calls; ++i) benchmark::DoNotOptimize(tile.run());
  });
}

double ceiling() {
  static const double rate = ceiling_rate();
  return rate;
}

double operations_of(std::size_t M, std::size_t K, std::size_t N) {
  return 2.0 * static_cast<double>(M * K * N);
}

void matmul_ours(benchmark::State& state) {
  const auto M = static_cast<std::size_t>(state.range(0));
  const auto K = static_cast<std::size_t>(state.range(1));
  const auto N = static_cast<std::size_t>(state.range(2));
  const Tensor a = made_up({M, K});
  const Tensor b = state.range(3) != 0 ? made_up({N, K}).transpose(0, 1) : made_up({K, N});
  for ([[maybe_unused]] const auto _ : state) benchmark::DoNotOptimize(product(a, b));

  const double operations = operations_of(M, K, N);
  state.counters["FLOP/s"] =
      benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
  // Ratios from best calls measured here and now: they do not depend on how long the benchmark ran.
  const double ours = best_rate(operations, [&] { benchmark::DoNotOptimize(product(a, b)); });
  const Tensor contiguous = b.contiguous();
  Tensor result({M, N});
  const double plain = best_rate(operations, [&] {
    naive(a, contiguous, result);
    benchmark::DoNotOptimize(result);
  });
  state.counters["times naive"] = ours / plain;
  state.counters["of ceiling"] = ours / ceiling();
}
BENCHMARK(matmul_ours)
    ->ArgNames({"M", "K", "N", "transposed"})
    ->Args({64, 64, 64, 0})
    ->Args({256, 256, 256, 0})
    ->Args({504, 512, 512, 0})
    ->Args({504, 512, 512, 1})
    ->Args({9, 512, 512, 1})    // nine tokens through a projection
    ->Args({64, 64, 64, 1})     // one head's scores
    ->Args({64, 512, 1536, 1})  // 64 tokens through three projections
    ->Unit(benchmark::kMicrosecond);

void matmul_naive(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Tensor a = made_up({size, size});
  const Tensor b = made_up({size, size});
  Tensor result({size, size});
  for ([[maybe_unused]] const auto _ : state) {
    naive(a, b, result);
    benchmark::DoNotOptimize(result);
  }
  state.counters["FLOP/s"] = benchmark::Counter(operations_of(size, size, size),
                                                benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(matmul_naive)->Arg(64)->Arg(256)->Arg(512)->Unit(benchmark::kMicrosecond);

void matmul_ceiling(benchmark::State& state) {
  for ([[maybe_unused]] const auto _ : state) benchmark::DoNotOptimize(ceiling_rate());
  state.counters["FLOP/s"] = ceiling_rate();
}
BENCHMARK(matmul_ceiling)->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
