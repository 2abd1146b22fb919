// What moves while a step is played, as a function of the progress: cells that travel, cells that
// are computed one after another.
#pragma once

#include "lesson/steps/step.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Adds to a stage that has been laid out what moves on it in this step.
void plan_motion(Stage& stage, lesson::StepId step);

/// The stage at a point of its step, `progress` in 0 … 1. At 1 it is `stage` itself; at 0 nothing
/// has arrived and nothing is computed. The same progress always gives the same stage.
Stage at(const Stage& stage, float progress);

/// The cell that was computed last at this progress, in the block of `head` where there is one for
/// each head; nothing where nothing is being computed.
std::optional<Hit> computed_last(const Stage& stage, float progress, std::size_t head);

/// True where the figure itself is made for a progress: see FigureInput.
bool is_figure_moving(lesson::StepId step);

/// How long a step plays at normal speed, in seconds.
float seconds_for(lesson::StepId step);

}  // namespace stage
