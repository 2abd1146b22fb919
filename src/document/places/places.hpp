// The sample, head, query and key that a cell lies at: they and the chosen cell say the same.
#pragma once

#include "document/document.hpp"

namespace document {

/// The view state with the places that this cell has; those that it has not stay. A number of a row
/// in which the heads lie side by side belongs to one of them. The cell must be there.
ViewState at_places_of(ViewState view_state, const model::Trace& trace, const CellRef& cell);

/// The cell of a tensor at these places: of the chosen head, or of the one that it shares. The
/// first one along all other axes.
tensor::Index chosen_index(const model::Trace& trace, model::TensorId tensor,
                           const ViewState& view_state);

/// Whether the step "sentence" is drawn with the mean over the heads (mean_weights), not with the
/// chosen one. Its matrices and its gradients are those of heads all the same.
bool draws_mean(const model::Trace& trace, const ViewState& view_state);

/// The cell at the places of `now` along those axes where they are other ones than `before`: who
/// chooses another query while a cell is chosen chooses that query's.
CellRef moved_along(CellRef cell, const model::Trace& trace, const ViewState& before,
                    const ViewState& now);

}  // namespace document
