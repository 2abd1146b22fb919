// Of each of many things, whether it is so.
#pragma once

#include <vector>

namespace base {

/// Not std::vector<bool>: its code is 4 kB of the page's program.
using Flags = std::vector<char>;

}  // namespace base
