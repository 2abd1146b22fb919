#include "stage/layout/layout.hpp"

#include <algorithm>
#include <array>
#include <cfloat>

#include "lesson/steps/step.hpp"
#include "stage/layout/matrices/columns.hpp"
#include "stage/layout/matrices/folds.hpp"
#include "stage/scene/drawing.hpp"

namespace stage {

namespace {

constexpr int last_on_map = 14;  // the column of the output

bool has_room(const Fit& fit, const Task& task) {
  const Plan plan = plan_at(fit, task);
  return plan.width <= task.space.width && plan.height <= task.space.height;
}

Fit best_fit(const Task& task) {
  constexpr float next_to_nothing = 0.06F;
  // The map is there for its shape first, so its cells may be smaller.
  const float smallest = task.overview ? next_to_nothing / 2.0F : next_to_nothing;
  constexpr std::size_t most_lines = 4;
  const Space space = task.space;
  // Cells of 96 px, or more on a screen with more room.
  const float largest = 2.08F * std::max(1.0F, space.height / 450.0F);
  const auto room_for = [&](const Fit& fit) { return has_room(fit, task); };

  Fit best{{}, smallest};
  float best_scale = 0.0F;
  // The map runs along the longer side of the space. The other direction is tried only if its cells
  // would otherwise be next to nothing.
  const bool first_way = !task.overview || space.width >= space.height;
  for (const bool across : {first_way, !first_way}) {
    if (task.overview && across != first_way && best.scale >= next_to_nothing && room_for(best))
      continue;
    // Against the longer side the map stays in one line: a link from the end of one line to the
    // beginning of the next would cross others.
    const std::size_t most = task.overview && across != first_way ? 1 : most_lines;
    for (std::size_t lines = 1; lines <= most; ++lines) {
      const Arrangement arrangement{across, lines};
      // More lines must make the drawing clearly larger to be worth it. Where an arrangement does
      // not fit even at the size that it has to beat, the search is skipped.
      const float enough = best_scale * (lines == 1 ? 1.05F : 1.2F);
      if (enough > smallest && !room_for({arrangement, enough})) continue;
      float low = smallest;
      float high = largest;
      // Ten halvings find the scale to within a thousandth of its range.
      for (int i = 0; i < 10; ++i) {
        const float middle = (low + high) / 2.0F;
        (room_for({arrangement, middle}) ? low : high) = middle;
      }
      const Plan candidate = plan_at({arrangement, low}, task);
      // What does not fit at the smallest scale is compared by the size that the camera shrinks it
      // to.
      const float shrink = std::min({1.0F, space.width / std::max(1.0F, candidate.width),
                                     space.height / std::max(1.0F, candidate.height)});
      if (low * shrink > enough) {
        best_scale = low * shrink;
        best = {arrangement, low};
      }
    }
  }
  // Where the width stopped the growth, higher rows use the height that is left.
  constexpr float most_stretch = 3.0F;
  for (float high = most_stretch; high - best.stretch > 0.02F;) {
    const float middle = (best.stretch + high) / 2.0F;
    (room_for({best.arrangement, best.scale, middle}) ? best.stretch : high) = middle;
  }
  return best;
}

/// The size of the narrowest and of the lowest cells.
Point least_cells(const Fit& fit, const Task& task) {
  Point least{FLT_MAX, FLT_MAX};
  for (const Outline& outline : task.outlines) {
    if (outline.folded) continue;
    const Measured size =
        measure(outline, fit.scale, !task.overview, task.notes(), fit.stretch, task.upright);
    least.x = std::min(least.x, size.block_width / static_cast<float>(outline.columns));
    least.y = std::min(least.y, size.block_height / static_cast<float>(outline.rows));
  }
  return least;
}

bool all_have_digits(const Fit& fit, const Task& task) {
  const Point least = least_cells(fit, task);
  return least.x >= least_numbered_width && least.y >= least_numbered_height;
}

/// Where cells are a little too narrow for digits, they may be wider than high, or tokens may be
/// named once in a line.
void make_room_for_digits(Fit& fit, Task& task) {
  // As a share of the width that digits need. On the map, proportions tell shapes apart.
  const float too_narrow = task.overview ? 0.9F : 0.6F;
  const float width = least_cells(fit, task).x;
  const float wanted = least_numbered_width * 1.005F / width;
  if (wanted <= 1.005F || wanted > 1.0F / too_narrow) return;
  const Fit wider{fit.arrangement, fit.scale * wanted, fit.stretch / wanted};
  if (all_have_digits(wider, task) && has_room(wider, task)) {
    fit = wider;
    return;
  }
  if (task.overview) return;
  Task once = task;
  once.once = true;
  const Fit other = best_fit(once);
  if (!all_have_digits(other, once)) return;
  fit = other;
  task = std::move(once);
}

/// Where columns are narrower than their labels, the labels may stand upright if there is height.
void stand_labels_upright(Fit& fit, Task& task, const std::vector<Drawing>& drawings) {
  constexpr float least_height = 240.0F;
  if (task.space.height < least_height) return;
  const auto any = [&](const auto& applies) {
    return std::any_of(task.outlines.begin(), task.outlines.end(), [&](const Outline& outline) {
      return applies(outline, measure(outline, fit.scale, true, task.notes()));
    });
  };
  const bool illegible = any(lacks_upright_labels);
  if (!illegible && !any(cuts_column_labels)) return;
  Task stood = task;
  stood.upright = true;
  const Fit upright = best_fit(stood);
  // Weights say nothing without their keys, nor do cells that have no digits anyway without the
  // names of their features; other labels are not worth much smaller cells, and those of which
  // enough is left are worth no smaller ones.
  const bool weights = std::any_of(drawings.begin(), drawings.end(), [](const Drawing& drawing) {
    return drawing.blocks.front().colouring == Colouring::weights;
  });
  const bool of_keys = std::any_of(task.outlines.begin(), task.outlines.end(),
                                   [](const Outline& outline) { return outline.of_keys; });
  const bool features = !of_keys && !all_have_digits(fit, task);
  const float least = !illegible ? 0.98F : weights ? 0.0F : features ? 0.5F : 0.75F;
  if (upright.scale < least * fit.scale) return;
  fit = upright;
  task = std::move(stood);
}

}  // namespace

Stage lay_out(const document::ComputedAttention& attention, const document::ViewState& view_state,
              Space space) {
  const lesson::Step& step = lesson::step(view_state.step);
  const bool overview = view_state.step == lesson::StepId::overview;
  // A canvas can be smaller than its margins. The matrices are laid out anyway, because the
  // drawing code expects them.
  space.width = std::max(1.0F, space.width);
  space.height = std::max(1.0F, space.height);

  // The three projections work alike, so the chosen one stands for the others and gets their room.
  using lesson::StepId;
  const bool travels = view_state.step == StepId::split || view_state.step == StepId::transpose;
  const bool one_projection = travels || view_state.step == StepId::project;
  const std::vector<Drawing> drawings =
      drawings_of(attention, view_state, lesson::shown_in(step, attention.trace), one_projection);
  // The frame around an open fold reaches beyond its groups.
  const bool open = overview && view_state.map != document::MapOpen::none;
  const float beside = open ? around_open : 0.0F;
  const float over = open ? over_open : 0.0F;
  space.width = std::max(1.0F, space.width - 2.0F * beside);
  space.height = std::max(1.0F, space.height - 2.0F * over);
  Task task{{}, overview, space};
  task.outlines.reserve(drawings.size());
  for (const Drawing& drawing : drawings) {
    task.outlines.push_back(drawing.outline);
    task.outlines.back().numbered = space.numbered;
  }
  Fit fit = best_fit(task);
  if (overview && is_closed(Fold::scale, view_state)) {
    // Try the output below the column before it, which may leave room for larger cells.
    Task high = task;
    for (Outline& outline : high.outlines) {
      if (outline.place.overview == last_on_map) --outline.place.overview;
    }
    const Fit other = best_fit(high);
    if (other.scale > fit.scale) {
      task = std::move(high);
      fit = other;
    }
  }
  if (overview) {
    // Show tokens beside all rows if that costs the cells hardly any size.
    Task named = task;
    for (Outline& outline : named.outlines) outline.named = true;
    const Fit other = best_fit(named);
    constexpr float next_to_nothing = 0.06F;
    if (other.scale >= std::max(next_to_nothing, 0.95F * fit.scale)) {
      task = std::move(named);
      fit = other;
    }
  }
  if (!overview) stand_labels_upright(fit, task, drawings);
  if (!task.outlines.empty()) make_room_for_digits(fit, task);
  Stage stage;
  stage.detailed = !overview;
  stage.detail = overview ? 0.0F : 1.0F;
  stage.across = fit.arrangement.across;
  for (const Placed& placed : plan_at(fit, task).parts) {
    put(stage, drawings[placed.part.drawing], placed.part.size, placed.x, placed.y);
    stage.groups.back().line = placed.line;
  }
  link_groups(stage, attention.trace);
  if (overview) put_cards(stage, attention.trace, view_state);
  stage.bounds = {stage.bounds.x - beside, stage.bounds.y - over,
                  stage.bounds.width + 2.0F * beside, stage.bounds.height + 2.0F * over};
  return stage;
}

}  // namespace stage
