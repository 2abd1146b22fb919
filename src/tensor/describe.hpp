// Shapes in words, for the sentences that errors are made of.
#pragma once

#include <string>

#include "tensor/extents.hpp"

namespace tensor {

/// "[2,3,6]"; "[]" for rank 0.
std::string describe(const Extents& extents);

/// The numbers from 1 up that divide `number`, as "1, 2, 3, 6". At most `limit` is looked at.
std::string describe_divisors(std::size_t number, std::size_t limit);

}  // namespace tensor
