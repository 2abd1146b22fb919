// The example that a lesson brings along: tokens, embeddings, weights, mask.
#pragma once

#include "document/lesson_file/lesson_numbers.hpp"

namespace document {

inline constexpr auto own_example_fields =
    std::to_array<std::string_view>({"name", "tokens", "key_tokens", "heads", "embeddings",
                                     "key_embeddings", "weights", "mask", "scale", "labels"});
/// As torch.nn.MultiheadAttention has them, and the seed of random ones.
inline constexpr auto own_weights_fields = std::to_array<std::string_view>(
    {"in_proj_weight", "in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight",
     "out_proj.weight", "out_proj.bias", "seed"});
inline constexpr auto random_embeddings_fields = std::to_array<std::string_view>({"seed", "width"});

/// Errors: whatever is wrong with an attention (files::attention_from_file) or with one of the
/// files; numbers beyond ±10,000; more than 64 tokens or 512 numbers each.
ReadAt<lesson::Problem> read_own_example(const JsonAt& at, const LessonFiles& files);

}  // namespace document
