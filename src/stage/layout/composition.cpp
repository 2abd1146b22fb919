#include "stage/layout/composition.hpp"

#include <algorithm>

#include "stage/figures/step_figures.hpp"
#include "stage/highlight/mistake_diff.hpp"
#include "stage/layout/batch_stack.hpp"
#include "stage/motion/motion.hpp"

namespace stage {

namespace {

/// Where a step is about one query, the rows of the others step back.
void light(Stage& stage, const document::ViewState& view_state) {
  const bool one_query = view_state.step == lesson::StepId::reweight;
  const bool one_pair = view_state.step == lesson::StepId::scores;
  if (!one_query && !one_pair) return;
  for (Block& block : stage.blocks) {
    if (block.rows() < 2 || block.run) continue;
    // The two vectors whose dot product is a score; the scores themselves have no axis D.
    if (one_pair && model::axes_of(block.tensor).has(model::Axis::D))
      block.lit_row = block.rows_are_queries ? view_state.query : view_state.key;
    if (one_query && block.rows_are_queries) block.lit_row = view_state.query;
    if (block.lit_row && *block.lit_row >= block.rows()) block.lit_row.reset();
  }
}

/// The largest range for all blocks that are coloured around zero.
void share_scale(Stage& stage) {
  float largest = 0.0F;
  for (const Block& block : stage.blocks) {
    if (block.colouring == Colouring::diverging) largest = std::max(largest, block.range);
  }
  for (Block& block : stage.blocks) {
    if (block.colouring == Colouring::diverging) block.range = largest;
  }
}

}  // namespace

Composition compose(const document::Computed& computed, const document::ViewState& view_state,
                    Space space, const document::Computed* right) {
  const document::ComputedAttention& attention = computed.find(view_state.attention);
  const FigureInput input{computed, attention, view_state};
  const std::optional<FigurePlan> plan = figure_for(input);
  const Division division = divide(plan, view_state.show, space);
  Composition result;
  result.either = division.either;
  if (plan) {
    result.figure = plan->name;
    result.other = plan->other_name;
    result.shows_figure = division.figure.has_value();
  }
  if (division.matrices && plan && plan->other != nullptr) {
    plan->other(result.stage, input,
                {0.0F, 0.0F, division.matrices->width, division.matrices->height});
  } else if (division.matrices) {
    result.stage = lay_out(attention, view_state, *division.matrices);
    // In the middle of its own part; a flow larger than its part spreads to all sides alike.
    const Rect& bounds = result.stage.bounds;
    move(result.stage, (division.matrices->width - bounds.width) / 2.0F - bounds.x,
         (division.matrices->height - bounds.height) / 2.0F - bounds.y);
    light(result.stage, view_state);
    lay_sheets(result.stage, attention, view_state);
  }
  if (plan && division.figure) plan->put(result.stage, input, *division.figure);
  for (const Figure& figure : result.stage.figures)
    result.stage.bounds = result.stage.bounds.united(figure.bounds);
  if (view_state.shared_scale) share_scale(result.stage);
  if (view_state.weights_to_one) {
    for (Block& block : result.stage.blocks) {
      if (block.colouring == Colouring::weights) block.range = 1.0F;
    }
  }
  if (right != nullptr) mark_wrong(result.stage, *right, view_state);
  plan_motion(result.stage, view_state.step);
  return result;
}

}  // namespace stage
