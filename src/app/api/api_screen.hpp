// The methods of the API about the screen around the numbers: its parts and colours, what plays,
// and what is saved of it.
#pragma once

#include <optional>
#include <string_view>

#include "app/api/api_json.hpp"

namespace app {

/// The result of `method` if it is one of parts, colours, play and save; else nothing.
std::optional<base::Result<Json>> on_the_screen(App& app, std::string_view method,
                                                Arguments& arguments);

}  // namespace app
