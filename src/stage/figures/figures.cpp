#include "stage/figures/figures.hpp"

#include <algorithm>

#include "stage/figures/step_figures.hpp"

namespace stage {

namespace {

/// Runs of memory, below the matrices.
FigurePlan memory_plan(float share, float most_height) {
  return {.name = base::text("stage.view.memory"),
          .dock = Dock::below,
          .share = share,
          .least_width = 300.0F,
          .least_height = 132.0F,
          .most_height = most_height,
          .put = put_ribbon};
}

std::optional<FigurePlan> gradient_plan(const FigureInput& input) {
  using lesson::StepId;
  const StepId step = input.view_state.step;
  if (step == StepId::sentence && has_sentence_gradient(input)) {
    return FigurePlan{.name = base::text("stage.view.sentence"),
                      .dock = Dock::alone,
                      .put = put_sentence_gradient};
  }
  if (step == StepId::input && has_gathering(input)) {
    return FigurePlan{.name = base::text("stage.view.parts"),
                      .share = 0.42F,
                      .most_width = 480.0F,
                      .first = true,
                      .put = put_gathering};
  }
  if (step != StepId::softmax || !has_softmax_gradient(input)) return std::nullopt;
  return FigurePlan{.name = base::text("stage.view.one_row"),
                    .least_width = 280.0F,
                    .most_width = 460.0F,
                    .first = true,
                    .put = put_softmax_gradient};
}

/// The picture whose patches are the tokens, beside the matrices or instead of the map.
FigurePlan picture_plan(bool on_map) {
  return {.name = base::text("stage.view.picture"),
          .dock = on_map ? Dock::instead : Dock::right,
          .share = 0.38F,
          .most_width = 380.0F,
          .first = !on_map,
          .title = on_map ? base::text("stage.map.picture") : "",
          .put = put_picture};
}

FigurePlan sentence_plan(const FigureInput& input) {
  if (has_picture(input)) {
    return {.name = base::text("stage.view.picture"),
            .dock = Dock::alone,
            .other = put_sentence,
            .other_name = base::text("stage.view.sentence"),
            .put = put_picture_sentence};
  }
  return {.name = base::text("stage.view.sentence"), .dock = Dock::alone, .put = put_sentence};
}

std::optional<FigurePlan> map_plan(const FigureInput& input) {
  if (has_all_heads(input)) {
    return FigurePlan{.name = base::text("stage.view.all_heads"),
                      .dock = Dock::instead,
                      .first = true,
                      .title = base::text("stage.map.all_heads"),
                      .put = put_all_heads};
  }
  if (!has_attentions(input)) return std::nullopt;
  return FigurePlan{.name = base::text("stage.view.three_attentions"),
                    .dock = Dock::instead,
                    .title = base::text("stage.map.all_attentions"),
                    .put = put_attentions};
}

/// Two matrices as wide as a token's vector stand side by side, and their digits need the room.
bool has_wide_rows(const FigureInput& input) { return input.attention.trace.config.embed_dim > 6; }

std::optional<FigurePlan> project_plan(const FigureInput& input) {
  if (has_cache(input)) {
    return FigurePlan{.name = base::text("stage.view.cache"),
                      .share = has_wide_rows(input) ? 0.34F : 0.42F,
                      .least_width = 280.0F,
                      .least_beside = 440.0F,
                      .most_width = 480.0F,
                      .first = true,
                      .put = put_cache_figure};
  }
  if (!has_by_head(input)) return std::nullopt;
  return FigurePlan{.name = base::text("stage.view.by_head"),
                    .dock = Dock::instead,
                    .least_width = 220.0F,
                    .least_height = 200.0F,
                    .most_width = 560.0F,
                    .put = put_by_head};
}

FigurePlan scores_plan(const FigureInput& input) {
  if (has_rotation(input)) {
    return {.name = base::text("stage.view.rotation"),
            .share = 0.42F,
            .least_width = 280.0F,
            .most_width = 480.0F,
            .put = put_rotation_figure};
  }
  return {.name = base::text("stage.view.plane"),
          .share = 0.38F,
          .least_width = 280.0F,
          .most_width = 440.0F,
          .put = put_scores_figure};
}

FigurePlan mask_plan(const FigureInput& input) {
  if (has_alibi(input)) {
    return {.name = base::text("stage.view.slopes"),
            .least_width = 280.0F,
            .least_beside = 440.0F,  // there are up to five matrices
            .most_height = 420.0F,
            .most_width = 480.0F,
            .put = put_alibi_figure};
  }
  return {.name = base::text("stage.view.one_row"),
          .least_width = 280.0F,
          .most_width = 480.0F,
          .put = put_mask_figure};
}

}  // namespace

std::optional<FigurePlan> figure_for(const FigureInput& input) {
  using lesson::StepId;
  const StepId step = input.view_state.step;
  // Most figures explain how numbers are computed, not their gradients.
  if (input.view_state.gradients) return gradient_plan(input);
  const bool pictured =
      step == StepId::overview || step == StepId::input || step == StepId::softmax;
  if (pictured && has_picture(input)) return picture_plan(step == StepId::overview);
  switch (step) {
    case StepId::sentence:
      return sentence_plan(input);
    case StepId::overview:
      return map_plan(input);
    case StepId::project:
      return project_plan(input);
    case StepId::transpose:
      // The run between two rows of arcs; of wide memory, the run and all of it to scale below.
      return memory_plan(runs_through_all(input) ? 0.465F : 0.53F, 252.0F);
    case StepId::split:
      return memory_plan(0.37F, 152.0F);  // the run and three lines of text
    case StepId::merge:
      return memory_plan(0.6F, 222.0F);  // two runs and two lines of text
    case StepId::scores:
      return scores_plan(input);
    case StepId::scale:
      return FigurePlan{.name = base::text("stage.view.scales"),
                        .least_width = 280.0F,
                        .most_width = 480.0F,
                        .put = put_scale_figure};
    case StepId::mask:
      return mask_plan(input);
    case StepId::softmax:
      return FigurePlan{.name = base::text("stage.view.one_row"),
                        .least_width = 280.0F,
                        .most_width = 460.0F,
                        .first = true,
                        .put = put_softmax_figure};
    case StepId::reweight:
      return FigurePlan{.name = base::text("stage.view.weighted_sum"),
                        .dock = Dock::alone,
                        .other = put_matrix_vector,
                        .other_name = base::text("stage.view.matrix_vector"),
                        .put = put_reweight};
    case StepId::output:
      return FigurePlan{.name = base::text("stage.view.heads"),
                        .share = has_wide_rows(input) ? 0.28F : 0.36F,
                        .most_width = 360.0F,
                        .put = put_output};
    default:
      return std::nullopt;
  }
}

Division divide(const std::optional<FigurePlan>& plan, document::Show show, Space space) {
  constexpr float gap = 28.0F;
  const bool automatic = show == document::Show::automatic;
  const Space everything = space;
  if (!plan) return {everything, std::nullopt, false};
  const Rect whole{0.0F, 0.0F, std::min(space.width, plan->most_width),
                   std::min(space.height, plan->most_height)};
  if (plan->dock == Dock::alone || plan->dock == Dock::instead) {
    const bool wanted = plan->dock == Dock::alone || plan->first;
    if (show == document::Show::matrices || (automatic && !wanted))
      return {everything, std::nullopt, true};
    return {std::nullopt, whole, true};
  }
  const bool right = plan->dock == Dock::right;
  const float width =
      right ? std::clamp(space.width * plan->share, plan->least_width, plan->most_width)
            : whole.width;
  const float height =
      right ? whole.height
            : std::clamp(space.height * plan->share, plan->least_height, plan->most_height);
  // Beside the figure the matrices need at least this much room, or else they are shown alone. In a
  // narrow space they stand below each other, which takes more of the height.
  const float least_over = space.width < 480.0F ? 300.0F : 150.0F;
  const bool both =
      right ? space.width - width - gap >= plan->least_beside && height >= plan->least_height
            : space.height - height - gap >= least_over && width >= plan->least_width;
  if (both && automatic) {
    if (right) {
      return {Space{space.width - width - gap, space.height, space.numbered},
              Rect{space.width - width, (space.height - height) / 2.0F, width, height}, false};
    }
    return {Space{space.width, space.height - height - gap, space.numbered},
            Rect{0.0F, space.height - height, width, height}, false};
  }
  const bool readable = space.height >= plan->least_height;
  if (show == document::Show::figure || (automatic && plan->first && readable))
    return {std::nullopt, whole, true};
  return {everything, std::nullopt, true};
}

}  // namespace stage
