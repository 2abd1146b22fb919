// What one core can do at most: fused multiplications and additions in its widest vectors, in
// registers alone.
#pragma once

#include <algorithm>
#include <array>
#include <ctime>

namespace bench {

/// Seconds of processor time of this thread: others on the machine do not count.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Floating-point operations a second, two for each lane of an FMA, over about a millisecond from
/// now on. Measured apart from the engine's own kernels. 0 where it is not known how to ask this
/// processor.
double fma_rate();

/// The same of `work`, which does so many `operations`: over two milliseconds, or one call.
template <typename Work>
double rate_of(double operations, Work work) {
  const double start = thread_seconds();
  double seconds = 0.0;
  double done = 0.0;
  while (seconds < 2e-3) {
    work();
    done += operations;
    seconds = thread_seconds() - start;
  }
  return done / seconds;
}

/// The rate of `work` in parts of what the core does at most: the median of rounds in each of which
/// the ceiling is measured before and after, since a processor's clock changes while it runs.
template <typename Work>
double of_fma_ceiling(double operations, Work work) {
  std::array<double, 15> parts{};
  for (double& part : parts) {
    const double before = fma_rate();
    const double rate = rate_of(operations, work);
    const double ceiling = (before + fma_rate()) / 2.0;
    part = ceiling > 0.0 ? rate / ceiling : 0.0;
  }
  std::nth_element(parts.begin(), parts.begin() + parts.size() / 2, parts.end());
  return parts[parts.size() / 2];
}

}  // namespace bench
