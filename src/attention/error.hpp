// The room's errors are those of base.
#pragma once

#include "base/error.hpp"

namespace attention {
using base::Error;
using base::fail;
using base::Result;
}  // namespace attention
