// The weights of an attention that was found in a file.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.hpp"
#include "files/layers/found_attention.hpp"

namespace files {

/// How many bytes of the file its tensors take.
std::uint64_t bytes_of(const FoundAttention& found);

/// Its weights and biases as the table of attention has them, [out,in]. `data` holds the bytes of
/// found.tensors, one after another. Errors: found.problem; `data` of another length; a number that
/// is not finite.
base::Result<model::Tensors> weights_of(const FoundAttention& found,
                                        std::span<const std::byte> data);

}  // namespace files
