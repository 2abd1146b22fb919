// The methods of the API that say what is shown: for a mirror of the canvas in words, and for pages
// that hold a figure.
#pragma once

#include <optional>
#include <string_view>

#include "app/api/api_json.hpp"
#include "model/trace.hpp"

namespace app {

/// What `method` answers if it is one of describe, choices, explain, cells, parts, play and
/// pointed; else nothing.
std::optional<base::Result<Json>> describing(App& app, std::string_view method,
                                             Arguments& arguments);

/// A cell that the arguments name, of the attention on screen or another, with its arithmetic.
struct ExplainedCell {
  const document::ComputedAttention& attention;
  document::CellRef cell;
  model::Explanation explanation;
};
ExplainedCell explained(const App& app, Arguments& arguments);

}  // namespace app
