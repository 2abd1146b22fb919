// Measures what the translator's heads do over many sentences.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lesson/heads/head_pattern.hpp"
#include "translation/corpus.hpp"
#include "translation/translator.hpp"

namespace lesson {

/// The shares of each head, under the name of its attention: "decoder.2.cross_attention".
using SharesOfHeads = std::map<std::string, std::vector<Shares>, std::less<>>;

/// Over the first `count` of these sentences, while the translator says its own greedy translation
/// of each, as it does in the page. Errors: as Translator::translate.
base::Result<SharesOfHeads> measure_heads(const translation::Translator& translator,
                                          const std::vector<translation::HeldOut>& sentences,
                                          std::size_t count);

}  // namespace lesson
