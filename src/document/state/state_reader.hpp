// A state as JSON, read field by field into a document.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "document/state/json_value.hpp"

namespace document {

/// In the order of Theme and of model::Scale::Kind; a scale of kind `number` is that number.
inline constexpr std::array<std::string_view, 3> theme_names = {"auto", "light", "dark"};
/// In the order of Projection.
inline constexpr std::array<std::string_view, 3> projection_names = {"q", "k", "v"};
/// In the order of Show.
inline constexpr std::array<std::string_view, 3> method_names = {"sgd", "momentum", "adam"};
inline constexpr std::array<std::string_view, 4> map_names = {"cards", "split", "scale", "all"};
inline constexpr std::array<std::string_view, 3> show_names = {"auto", "matrices", "figure"};
inline constexpr std::array<std::string_view, 3> scale_names = {"none", "sqrt-head-dim",
                                                                "sqrt-keys"};

/// Sets the fields that `json`, an object, names. After an error `document` is partly set, so pass
/// a copy. Errors: as with_json.
base::Result<void> read_state(const base::Json& json, Document& document);

}  // namespace document
