// One matrix by itself, as it is copied out of the lesson.
#pragma once

#include <optional>
#include <string>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// A stage with nothing but this tensor of the view state's sample and query under its caption,
/// with its labels, cells as large as they are in a step with much room, and space around it;
/// `head`: only that one. Nothing where this attention has no such tensor.
std::optional<Stage> picture_of(const document::ComputedAttention& attention,
                                const document::ViewState& view_state, model::TensorId tensor,
                                std::optional<std::size_t> head);

/// "scores-head-0": a file name for it, without what says the kind of file. Heads count from 0, as
/// in its caption.
std::string picture_name(model::TensorId tensor, std::optional<std::size_t> head);

}  // namespace stage
