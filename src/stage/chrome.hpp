// Where the parts of the screen are: bar, text, stage, panel, steps. Designed for three sizes:
// page, embed, phone.
#pragma once

#include "stage/geometry.hpp"

namespace stage {

/// Which of the three designs a size gets.
enum class Form : unsigned char {
  page,   ///< wide and high: a panel beside the stage
  embed,  ///< wide but low, or narrow-ish: no panel, one line of title
  phone,  ///< narrow: everything under everything
};

struct Chrome {
  Form form = Form::page;
  Rect bar;     ///< top: name, example, undo, menu
  Rect text;    ///< title and words of the step; empty where the screen is too low for them
  Rect heads;   ///< which head, query, sample: one row
  Rect stage;   ///< the plane is seen through this
  Rect panel;   ///< controls and inspector; empty where they open over the stage
  Rect legend;  ///< the colour scale
  Rect view;    ///< beside the legend: which part of the step is seen
  Rect steps;   ///< bottom: the step bar
};

/// `width` and `height` in logical pixels; from 320 x 240 up the parts never overlap and stay
/// inside.
Chrome arrange(float width, float height);

}  // namespace stage
