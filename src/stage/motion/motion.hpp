// What moves while a step is played, as a function of the progress: cells that travel, cells that
// are computed one after another.
#pragma once

#include "lesson/steps/step.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Adds to a stage that has been laid out what moves on it in the view state's step.
void plan_motion(Stage& stage, const model::Trace& trace, const document::ViewState& view_state);

/// The stage at a point of its step, `progress` in 0 … 1. At 1 it is `stage` itself; at 0 nothing
/// has arrived and nothing is computed. The same progress always gives the same stage.
Stage at(const Stage& stage, float progress);

/// How far a sweep over `count` cells is at this progress.
Done done_at(const Sweep& sweep, std::size_t count, float progress);

/// How much of the time of its slow cells is over, 0 … 1.
float slow_time(const Sweep& sweep, std::size_t count, float progress);

/// How the rows [Lq,Lk] of a block appear where the step explains one of them, the query's: that
/// one slowly. In softmax its weights come after the sum.
Sweep sweep_of_rows(lesson::StepId step, std::size_t block, std::size_t query, std::size_t keys);

/// When, in the time of a row of softmax, all its exponentials are there, and when the first of
/// them is divided by their sum.
inline constexpr float all_exponentials = 0.42F;
inline constexpr float first_weight = 0.55F;

/// The cell that is being computed at this progress where that is shown in detail, else the one
/// that was computed last, in the block of `head` where there is one for each head; nothing where
/// nothing is being computed.
std::optional<Hit> computed_last(const Stage& stage, float progress, std::size_t head);

/// True where the layout or the figure is itself a function of the progress: the step is composed
/// for each one.
bool is_figure_moving(lesson::StepId step);

/// How long a step plays at normal speed, in seconds.
float seconds_for(lesson::StepId step);

}  // namespace stage
