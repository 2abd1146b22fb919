// A pasted block of numbers as edits of the cells under it.
#pragma once

#include <vector>

#include "document/document.hpp"
#include "files/table.hpp"
#include "stage/scene/stage.hpp"

namespace app {

/// One edit for each number of `table`, whose first one goes to that row and column of `block`.
/// Errors: the block has no room for it from there.
base::Result<std::vector<document::Edit>> edits_of(const files::Table& table,
                                                   const stage::Block& block, std::size_t row,
                                                   std::size_t column);

}  // namespace app
