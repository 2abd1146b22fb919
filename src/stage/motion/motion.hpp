// What moves while a step plays, as a function of its progress: cells that travel, and cells that
// are computed one after another.
#pragma once

#include "lesson/steps/step.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Adds to a finished layout what moves in the view state's step.
void plan_motion(Stage& stage, const model::Trace& trace, const document::ViewState& view_state);

/// The stage at `progress` in 0 … 1. At 1 it is `stage` itself; at 0 nothing has arrived and
/// nothing has been computed. The same progress always gives the same stage.
Stage at(const Stage& stage, float progress);

/// How far a sweep over `count` cells has come at this progress.
Done done_at(const Sweep& sweep, std::size_t count, float progress);

/// How much of the time for the sweep's slow cells has passed, 0 … 1.
float slow_time(const Sweep& sweep, std::size_t count, float progress);

/// A sweep over the rows [Lq,Lk] of a block that takes the query's row slowly, since the step
/// explains that one. In softmax, the row's weights wait for their sum.
Sweep sweep_of_rows(lesson::StepId step, std::size_t block, std::size_t query, std::size_t keys);

/// A sweep over `count` cells of the query's row, from its cell `first` on, which stand in a block
/// of their own: each appears when sweep_of_rows computes it in the block of all rows.
Sweep sweep_of_row(lesson::StepId step, std::size_t block, std::size_t query,
                   const model::Config& config, std::size_t first, std::size_t count);

/// In the time of one row of softmax: when all exponentials are there, and when the first of them
/// is divided by their sum.
inline constexpr float all_exponentials = 0.42F;
inline constexpr float first_weight = 0.55F;

/// The cell that is being computed in detail at this progress, or else the last one that was
/// finished. Where there is a block for each head, in that of `head`. Empty where nothing is being
/// computed.
std::optional<Hit> computed_last(const Stage& stage, float progress, std::size_t head);

/// Whether the step's layout or figure itself depends on the progress, so that the step has to be
/// composed again for every frame.
bool is_figure_moving(lesson::StepId step);

/// How long the step plays at normal speed, in seconds.
float seconds_for(lesson::StepId step);

}  // namespace stage
