#include "fma_ceiling.hpp"

#include <cstddef>

#include <benchmark/benchmark.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {
namespace {

#if defined(__x86_64__)

// Twelve sums that wait for nothing but themselves: four cycles of latency, two FMA a cycle, and
// some to spare.
constexpr std::size_t sums = 12;

__attribute__((target("avx512f"))) void fma_512(std::size_t rounds) {
  __m512 sum[sums] = {};
  __m512 factor = _mm512_set1_ps(0.5F);
  benchmark::DoNotOptimize(factor);
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (std::size_t i = 0; i < sums; ++i) sum[i] = _mm512_fmadd_ps(factor, factor, sum[i]);
  }
  benchmark::DoNotOptimize(sum);
}

__attribute__((target("avx2,fma"))) void fma_256(std::size_t rounds) {
  __m256 sum[sums] = {};
  __m256 factor = _mm256_set1_ps(0.5F);
  benchmark::DoNotOptimize(factor);
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (std::size_t i = 0; i < sums; ++i) sum[i] = _mm256_fmadd_ps(factor, factor, sum[i]);
  }
  benchmark::DoNotOptimize(sum);
}

double rate(void (*run)(std::size_t), std::size_t lanes) {
  constexpr std::size_t rounds = 100'000;
  const double operations = 2.0 * static_cast<double>(rounds * sums * lanes);
  const double start = thread_seconds();
  double seconds = 0.0;
  double done = 0.0;
  while (seconds < 1e-3) {
    run(rounds);
    done += operations;
    seconds = thread_seconds() - start;
  }
  return done / seconds;
}

#endif

}  // namespace

double fma_rate() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return rate(fma_512, 16);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return rate(fma_256, 8);
#endif
  return 0.0;
}

}  // namespace bench
