// By how much rotary positions turn each pair of numbers, where a model was made for longer texts
// than it was first trained for.
#pragma once

#include "model/attention/config.hpp"
#include "tensor/tensor.hpp"

namespace model {

/// [dims/2]: radians per position for each pair, base^(−2i/dims) as `variants.rope_scaling` changes
/// it. With f for that and s for the factor:
///   linear: f / s (Chen et al., 2023);
///   llama3: f where a turn takes less than original_length / high_freq_factor positions, f / s
///   where
///     it takes more than original_length / low_freq_factor, and between them a mean of both that
///     moves with original_length / positions of a turn (Llama 3.1, 2024);
///   yarn: f for pairs that turn more than beta_fast times within original_length, f / s for those
///     that turn less than beta_slow times, and a mean that moves with the pair between them (Peng
///     et al., 2023, section 3.2).
tensor::Tensor rope_frequencies(const Variants& variants, std::size_t dims);

/// What turned queries and keys are multiplied by: of yarn 0.1 · ln(factor) + 1 unless given.
float attention_factor(const Variants& variants);

}  // namespace model
