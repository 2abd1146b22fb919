// The methods of the API that say what is shown: for a mirror of the canvas in words, and for pages
// that hold a figure.
#pragma once

#include <optional>
#include <string_view>

#include "app/api/api_json.hpp"

namespace app {

/// What `method` answers if it is one of describe, choices, explain, cells, parts, play and
/// pointed; else nothing.
std::optional<base::Result<Json>> describing(App& app, std::string_view method,
                                             const Json& arguments);

}  // namespace app
