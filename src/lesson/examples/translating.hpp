// The target of the translator's problem, token by token.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lesson/examples/example.hpp"
#include "translation/decoding/search.hpp"

namespace lesson {

/// The problem with a decoder that reads [start] and these tokens of the vocabulary.
Problem with_target(const Problem& problem, const std::vector<std::size_t>& tokens);

/// The BLEU of held-out sentences that the weights' file says; empty where it says none, or for the
/// weights before training.
std::string bleu_of(const Translated& translated);

/// The logits [1,L,V] of what comes after each token, where the last layer made `output` [1,L,E].
tensor::Tensor logits_after(const Translated& translated, const tensor::Tensor& output);

/// The natural logarithm of how probable all tokens of `translated` are together, where the last
/// layer makes `output` [1,L,E] while it reads them.
double log_probability(const Translated& translated, const tensor::Tensor& output);

/// What the translator says as the parameters ask for: after their tokens, greedy or with a beam.
/// `start` begins to decode anew. `most`: tokens that the translation may have. Errors: as a step.
base::Result<Translated> say(bool trained, const Parameters& parameters, std::size_t most,
                             const std::function<translation::Step()>& start);

/// Begins to decode with the layers of the problem's decoder, as translation::Decoder; `memory`
/// [1,Ls,E] is what the encoder made. Keys and values of earlier tokens are kept.
translation::Step decoding(const Problem& problem, const tensor::Tensor& memory);

/// The tokens of a translation.
std::vector<std::size_t> tokens_of(const Translated& translated);

/// Those that the decoder reads after [start] while it says them: all but the last.
std::vector<std::size_t> tokens_read(const Translated& translated);

/// The most tokens that a translation of the problem's source may have.
std::size_t longest_translation(const Problem& problem);

/// Whether a translation ends with this token.
bool is_end(std::size_t token);

/// How many translations a beam search follows at the same time.
inline constexpr std::size_t beam_width = 4;

/// The most tokens that a target may have, the longest that is shown.
inline constexpr std::size_t longest_target = 64;

}  // namespace lesson
