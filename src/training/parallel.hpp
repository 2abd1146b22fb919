// Work that is done on several threads where there are threads.
#pragma once

#include <cstddef>
#include <functional>

namespace training {

/// How many threads can run at the same time; 1 on the web.
std::size_t most_threads();

/// Calls `work(i)` for i from 0 to count − 1, each on a thread of its own, and waits for all. On
/// the web one after another.
void parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace training
