// What the trained translator's heads do over held-out sentences, as tools/translator/heads.json
// has it, which is part of the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "lesson/heads/head_pattern.hpp"

namespace lesson {

/// What is recorded for a head of an attention, "decoder.2.cross_attention"; nothing where there is
/// none.
std::optional<Shares> recorded_shares(std::string_view attention, std::size_t head);

/// Over how many sentences that was measured.
std::size_t recorded_sentences();

}  // namespace lesson
