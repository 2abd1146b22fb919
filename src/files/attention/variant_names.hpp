// What the settings of attention are called in options of the command and of the engine, and in
// metadata.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/attention/config.hpp"

namespace files {

/// "none", "sqrt-head-dim", "sqrt-keys"; nothing for others, numbers too.
std::optional<model::Scale::Kind> scale_named(std::string_view name);
std::string_view name_of(model::Scale::Kind kind);

/// "linear:4", "llama3:8,8192,1,4" and "yarn:4,4096,32,1": the kind, then factor, original length
/// and the two bounds, of which those at the end may be left out. Nothing where it is none of
/// these.
std::optional<model::RopeScaling> rope_scaling_from(std::string_view text);
/// The same the other way, with all numbers of its kind.
std::string rope_scaling_text(const model::RopeScaling& scaling);

/// "heads", "rotated", "all".
std::optional<model::Variants::NormPlace> norm_place_named(std::string_view name);
std::string_view name_of(model::Variants::NormPlace place);

/// "none", "given", "t5", "t5-look-back", "window".
std::optional<model::PositionBias> position_bias_named(std::string_view name);
std::string_view name_of(model::PositionBias bias);

/// With nine digits, which tell every float32 from its neighbours.
std::string digits_of(float number);

}  // namespace files
