// Which numbers a tensor of a file may hold.
#pragma once

#include <string>

#include "files/safetensors.hpp"

namespace files {

enum class Numbers : unsigned char { finite, mask };

/// Errors: the first number that must not be there: "query is NaN at [0,1,2]; …". A mask may hold
/// −∞.
base::Result<void> check_numbers(const std::string& name, const tensor::Tensor& tensor,
                                 Numbers allowed);

/// The numbers of a tensor that is no mask. Errors: as to_float32 and check_numbers; BOOL.
base::Result<tensor::Tensor> to_finite(const StoredTensor& stored);

}  // namespace files
