#include "stage/layout/composition.hpp"

#include <algorithm>

#include "lesson/steps/formula.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/focus.hpp"
#include "stage/highlight/cell_diff.hpp"
#include "stage/highlight/gradients.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/motion.hpp"

namespace stage {

namespace {

/// Gives all blocks that are coloured around zero the largest range of any of them, so that equal
/// colours mean equal numbers.
void share_scale(Stage& stage) {
  float largest = 0.0F;
  for (const Block& block : stage.blocks) {
    if (block.colouring == Colouring::diverging) largest = std::max(largest, block.range);
  }
  for (Block& block : stage.blocks) {
    if (block.colouring == Colouring::diverging) block.range = largest;
  }
}

/// The view state with the places of the cell that is being computed or dealt, so that the figure
/// explains that cell while the step plays.
document::ViewState following(const Stage& stage, const document::ComputedAttention& attention,
                              document::ViewState view_state) {
  const bool travels =
      view_state.step == lesson::StepId::transpose || view_state.step == lesson::StepId::merge;
  if (travels && view_state.progress < 1.0F) {
    Stage whole = stage;  // motion is planned when everything stands on the stage
    plan_motion(whole, attention.trace, view_state);
    const auto moving = moving_focus(attention, view_state, whole);
    return moving ? focused(view_state, attention, *moving) : view_state;
  }
  const auto hit = computed_last(stage, view_state.progress, view_state.head);
  if (!hit) return view_state;
  const Block& block = stage.blocks[hit->block];
  const tensor::Index index = block.index_of(hit->row, hit->column);
  if (view_state.step == lesson::StepId::scores) {
    view_state.query = index[2];
    view_state.key = index[3];
  }
  if (view_state.step == lesson::StepId::output)
    view_state.cell = document::CellRef{block.tensor, index};
  return view_state;
}

/// The title of the step's matrices. The map may be one of a part of the computation.
std::string_view title_of_matrices(const FigureInput& input) {
  const lesson::Step& step = lesson::step(input.view_state.step);
  if (step.id == lesson::StepId::overview) {
    if (!input.view_state.all_heads && input.attention.trace.config.num_heads > 1)
      return base::text("stage.map.one_head");
    if (input.computed.attentions.size() > 1) return base::text("stage.map.one_attention");
  }
  if (step.id == lesson::StepId::sentence && input.computed.picture)
    return base::text("stage.patches.title");
  if (step.id == lesson::StepId::sentence &&
      lesson::kind_of(input.attention.id) == lesson::AttentionId::cross_attention)
    return base::text("stage.cross.title");
  return lesson::title_for(step, input.attention.trace);
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
  const bool own_title = division.figure && !plan->title.empty();
  result.title = own_title ? plan->title : title_of_matrices(input);
  if (own_title && plan->put == put_all_heads && shows_one_head(view_state, *division.figure))
    result.title = base::text("stage.map.one_head");
  if (plan) {
    result.figure = plan->name;
    result.other = plan->other_name;
    result.shows_figure = division.figure.has_value();
  }
  if (division.matrices && plan && plan->other != nullptr) {
    plan->other(result.stage, input,
                {0.0F, 0.0F, division.matrices->width, division.matrices->height});
  } else if (division.matrices) {
    result.stage = lay_out_step(input, *division.matrices);
    // Centred in its part of the space; a flow that is too large overlaps equally on all sides.
    const Rect& bounds = result.stage.bounds;
    move(result.stage, (division.matrices->width - bounds.width) / 2.0F - bounds.x,
         (division.matrices->height - bounds.height) / 2.0F - bounds.y);
  }
  if (view_state.gradients) show_gradients(result.stage, input);
  if (plan && division.figure) {
    // Its figure has no matrices that would move, too, and must know what does.
    if (view_state.step == lesson::StepId::output)
      plan_motion(result.stage, attention.trace, view_state);
    const document::ViewState shown = following(result.stage, attention, view_state);
    plan->put(result.stage, {computed, attention, shown}, *division.figure);
  }
  for (const Figure& figure : result.stage.figures)
    result.stage.bounds = result.stage.bounds.united(figure.bounds);
  if (view_state.shared_scale) share_scale(result.stage);
  if (view_state.weights_to_one) {
    for (Block& block : result.stage.blocks) {
      if (block.colouring == Colouring::weights) block.range = 1.0F;
    }
  }
  if (view_state.gradients) {
    show_read_values(result.stage, input);
    return result;
  }
  if (right != nullptr) mark_wrong(result.stage, *right, view_state);
  plan_motion(result.stage, attention.trace, view_state);
  return result;
}

}  // namespace stage
