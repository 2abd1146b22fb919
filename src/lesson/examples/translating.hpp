// The target of the translator's problem, token by token.
#pragma once

#include <vector>

#include "lesson/examples/example.hpp"

namespace lesson {

/// The problem with a decoder that reads [start] and these tokens of the vocabulary.
Problem with_target(const Problem& problem, const std::vector<std::size_t>& tokens);

/// What the translator of the problem says after the last token of `output` [1,L,E], which its last
/// layer made: `token` if that is given, else the most probable one.
Translated::Place place_after(const Problem& problem, const tensor::Tensor& output,
                              std::optional<std::size_t> token);

/// Whether a translation ends with this token.
bool is_end(std::size_t token);

/// The words of a translation.
std::string text_of(const Translated& translated);

/// The most tokens that a target may have, the longest that is shown.
inline constexpr std::size_t longest_target = 64;

}  // namespace lesson
