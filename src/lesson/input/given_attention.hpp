// The weights and the mask of an attention that an author wrote down.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lesson/examples/example.hpp"

namespace lesson {

/// A tensor under the name that files of torch.nn.MultiheadAttention have for it: "attn_mask".
struct GivenNumbers {
  std::string name;
  tensor::Shape shape;
  std::vector<float> numbers;
  std::vector<std::byte> flags;  ///< of a mask, in place of numbers: 1 where a key is hidden
};

/// Gives the problem, whose sequences and number of heads are set, these weights and this mask.
/// Errors: as files::attention_from_file.
base::Result<void> give_attention(Problem& problem, std::span<const GivenNumbers> given);

}  // namespace lesson
