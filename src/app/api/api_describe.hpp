// The methods of the API that describe what is shown, for "Read as text" and for pages with
// figures.
#pragma once

#include <optional>
#include <string_view>

#include "app/api/api_json.hpp"
#include "model/trace.hpp"

namespace app {

/// The result of `method` if it is one of describe, choices, explain, cells, go and pointed; else
/// nothing.
std::optional<base::Result<Json>> describing(App& app, std::string_view method,
                                             Arguments& arguments);

/// The cell that the arguments name, with its explanation.
struct ExplainedCell {
  const document::ComputedAttention& attention;
  document::CellRef cell;
  model::Explanation explanation;
};
ExplainedCell explained(const App& app, Arguments& arguments);

}  // namespace app
