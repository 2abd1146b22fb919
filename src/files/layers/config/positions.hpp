// How an attention that was found knows the places of its tokens.
#pragma once

#include "files/layers/config/config_fields.hpp"
#include "files/layers/found_attention.hpp"

namespace files {

/// As its names or its architecture have it: `part` of each head is turned, from 0 to 1.
void set_positions(FoundAttention& found, Positions positions, float part);

/// Whether the layer is one of those with a window, where these have rotary positions of their own.
bool is_local(const ConfigFields& config, const Architecture* row, const FoundAttention& found);

void set_rotary_part(FoundAttention& found, double part);

/// As a config says it. `row` is the architecture of its model_type, or null.
void take_positions(const ConfigFields& config, const Architecture* row, FoundAttention& found);

}  // namespace files
