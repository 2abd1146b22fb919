// What a head measurably does over the tokens of the sentence on screen, or over held-out ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "document/computed.hpp"
#include "lesson/heads/head_pattern.hpp"

namespace stage {

using lesson::HeadPattern;
using lesson::Pattern;

/// What this head's attention_weights of `sample` do.
HeadPattern pattern_of(const document::ComputedAttention& attention, std::size_t sample,
                       std::size_t head);

/// What is recorded for this head over held-out sentences. Nothing but the trained translator has
/// that.
std::optional<HeadPattern> held_out_pattern_of(const document::Computed& computed,
                                               const document::ComputedAttention& attention,
                                               std::size_t head);

/// "previous token", "mixed".
std::string_view words_for(Pattern pattern);
/// "prev", "mixed".
std::string_view short_words_for(Pattern pattern);

/// 0.834 as "83 %".
std::string percent(float share);
/// How a pattern is measured whose name does not say so, after a colon; empty for others.
std::string meaning_of(const HeadPattern& does);

/// "500 held-out sentences": what held_out_pattern_of is about.
std::string held_out_words();

}  // namespace stage
