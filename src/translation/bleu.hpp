// BLEU (Papineni et al., 2002): how much of translations is in the references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace translation {

/// The words that are compared: the tokens of mteval-v13a, sacrebleu's "13a".
std::vector<std::string> bleu_words(std::string_view text);

/// From 0 to 100, over all sentences together: the geometric mean of the shares of runs of one to
/// four words that are in a reference, as often as the reference with most of them has them, times
/// a penalty for what is shorter than the references that are closest in length. Without smoothing,
/// as sacrebleu wherever no count is 0. `references[i]` has at least one.
double bleu(const std::vector<std::string>& translations,
            const std::vector<std::vector<std::string>>& references);

}  // namespace translation
