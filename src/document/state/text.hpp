// Words and numbers for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lesson/examples/example.hpp"

namespace document {

/// The shortest decimal that reads back as this float: "0.1"; "NaN", "Infinity", "-Infinity".
std::string number_text(float number);

/// "encoder_self_attention, decoder_self_attention and cross_attention"
std::string list_of(std::span<const lesson::AttentionId> attentions);
/// "There is no cross_attention here; there is attention."
tl::unexpected<base::Error> no_attention(lesson::AttentionId id,
                                         std::span<const lesson::AttentionId> there);
/// "a, b and c"
std::string list_of(std::span<const std::string_view> words);

/// Text from outside, in quotation marks: at most 40 bytes, cut between characters, with control
/// characters replaced.
std::string quote(std::string_view text);

}  // namespace document
