// Tables of relative positions: numbers that are added to scores by the places of query and key.
#pragma once

#include <span>

#include "files/layers/unread.hpp"

namespace files {

/// Gives each attention the table that it adds, if it lies in the file. T5 keeps one for all layers
/// of an encoder or of a decoder, in the first block (modeling_t5.py: T5Stack; UMT5 has one in
/// each); Swin has one beside every attention (modeling_swin.py: SwinSelfAttention). Both tell how
/// many heads there are.
void join_position_tables(const NamedEntries& named, std::span<FoundAttention> attentions);

}  // namespace files
