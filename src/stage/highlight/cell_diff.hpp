// Finds the cells on a stage that a mistake has spoiled, and those that edits have changed.
#pragma once

#include "document/session.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Compares every block with the same cells of `right` and marks those that differ. Each group's
/// note then says how many there are.
void mark_wrong(Stage& stage, const document::Computed& right,
                const document::ViewState& view_state);

/// The same for the cells that edits changed: `before` was computed without them. A group whose
/// note speaks of a mistake keeps it.
void mark_changed(Stage& stage, const document::Computed& before,
                  const document::ViewState& view_state);

/// Whether two numbers differ by more than rounding, as numbers do that are computed in another
/// way.
bool differ(float a, float b);

/// Whether the mistake that is made changes a number of the output on screen: of the chosen
/// attention and sample. True where the computation without it has other lengths.
bool mistake_shows(const document::Session& session);

/// Whether they differ at all: without an edit, the same numbers come out bit for bit.
bool is_another(float a, float b);

}  // namespace stage
