// Where the reader stands, held to what was computed.
#pragma once

#include "document/computed.hpp"

namespace document {

/// `wanted`, made valid for what was computed. A head, query or the like that does not exist is
/// replaced by one that does if `before` has it too; if not, it was asked for, and is an error.
base::Result<ViewState> settle(const ViewState& wanted, const ViewState& before,
                               const Computed& computed);

}  // namespace document
