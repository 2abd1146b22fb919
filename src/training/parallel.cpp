#include "training/parallel.hpp"

#ifdef ATTENTION_LIVE_THREADS
#include <algorithm>
#include <thread>
#include <vector>
#endif
#ifdef __linux__
#include <sched.h>
#endif

namespace training {

#ifdef ATTENTION_LIVE_THREADS

std::size_t most_threads() {
#ifdef __linux__
  // A container or taskset may confine the program to fewer cores than the machine has, which the
  // standard library does not count.
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&cores)));
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

void parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, i);
  if (count > 0) work(0);
  for (std::thread& thread : threads) thread.join();
}

#else

std::size_t most_threads() { return 1; }

void parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

#endif

}  // namespace training
