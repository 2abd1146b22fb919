// The position encoding of what is computed again and again.
#pragma once

#include "attention/tensor.hpp"

namespace document {

/// attention::position_encoding for an embedding [B,L,E]: [L,E]. It depends on nothing but L and E,
/// so it is the same tensor as before for the sizes that were asked for last, queries' and keys',
/// as long as nobody has written into it.
attention::Tensor positions_of(const attention::Tensor& embedding);

/// embedding + positions_of(embedding).
attention::Tensor with_positions(const attention::Tensor& embedding);

}  // namespace document
