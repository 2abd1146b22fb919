// The command `translate`: English in, Spanish out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace app {

/// As a text: the lines of standard input.
inline constexpr std::string_view standard_input = "-";

struct TranslateRequest {
  std::string text;     ///< a sentence, or standard_input
  std::string weights;  ///< a file; the program's own if empty
  std::string trace;    ///< a file for every tensor, of one sentence; none if empty
  /// A file of sentence pairs: nothing is translated but what is held out of it, to measure what
  /// each head does meanwhile. None if empty.
  std::string measure_heads;
  std::size_t beam = 1;
  bool json = false;
};

/// Makes the weights that are part of the program those of the example `translator`.
void install_translator();

/// Prints the translation, or JSON with its tokens, probabilities and alignments; of standard input
/// one line for each of its lines, an empty one for a line without a word. Or else the mean shares
/// of weight of each head over held-out sentences, in the order of lesson::Pattern. Errors: a
/// text without a word or with too many, a file of weights that cannot be used, as one sentence.
base::Result<void> run_translate(const TranslateRequest& request);

}  // namespace app
