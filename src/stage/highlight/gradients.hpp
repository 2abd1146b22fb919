// Shows each matrix's gradient in its place.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Every matrix on the stage becomes its gradient: the same place, labels and axes. What the loss
/// does not depend on has none and fades. The step plays the other way round: the last matrix is
/// there, and the others are made from it, from the end of the step to its beginning. Where they
/// are products, the factor that is multiplied by is shown itself meanwhile (see
/// products_back.hpp). Cells that the step carries to another place (transpose, merge) are carried
/// back as gradients. The sheets of other samples are removed, since they would show numbers below
/// gradients.
void show_gradients(Stage& stage, const FigureInput& input);

/// Lays the numbers that the chosen cell's gradient was multiplied with over their own gradients,
/// and says so in their captions. For a stage that shows gradients.
void show_read_values(Stage& stage, const FigureInput& input);

/// Whether the matrices of a group, which shows values, have a gradient to show.
bool gives_gradient(const Group& group, const Stage& stage, const model::Trace& trace);

/// The gradient cell that a step explains: of what it reads, made from that of what it makes.
/// `cell`'s own, or `cell` itself, where none of those is on the stage, unless that is empty.
document::CellRef gradient_cell(const document::ComputedAttention& attention,
                                const document::ViewState& view_state,
                                const document::CellRef& cell, const Stage& stage);

}  // namespace stage
