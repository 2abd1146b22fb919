// Where the parts of the screen are: bar, text, stage, panel, steps. Designed for three sizes:
// page, embed, phone.
#pragma once

#include "stage/layout/geometry.hpp"

namespace stage {

/// Which of the three designs a size gets.
enum class Form : unsigned char {
  page,   ///< wide and high: a panel beside the stage
  embed,  ///< wide but low, or narrow-ish: no panel, one line of title
  phone,  ///< narrow: everything under everything
};

/// A phone's step bar of less height has no room for the line of steps over the names.
inline constexpr float least_steps_of_two_rows = 72.0F;

/// What of the program's screen is shown beside the stage. An author who puts a figure into a page
/// chooses: the stage is always there.
struct Parts {
  bool bar = true;
  bool text = true;
  bool heads = true;
  bool legend = true;  ///< with the switches of its row
  bool panel = true;   ///< where there is no room for it: the sheets over the stage
  bool steps = true;
  friend bool operator==(const Parts&, const Parts&) = default;
};

struct Chrome {
  Form form = Form::page;
  Rect bar;    ///< top: name, example, undo, menu
  Rect text;   ///< title, sentence and equation; empty where the screen is too low for them
  Rect heads;  ///< which head, query, sample: one row
  /// What the letters of shapes mean; empty but where that is to be said.
  Rect letters;
  Rect stage;  ///< the plane is seen through this
  /// Inspector and, on a page, controls; empty where they open over the stage. On a phone it lies
  /// under the stage.
  Rect panel;
  Rect legend;         ///< the colour scale
  Rect view;           ///< beside the legend: which part of the step is seen
  Rect steps;          ///< bottom: the step bar
  bool sheets = true;  ///< controls and inspector may open over the stage
};

/// `width` and `height` in logical pixels. Parts never overlap and stay inside. What is not wanted
/// is empty and leaves its room to the stage; from 320 x 240 up everything else is there, but for
/// the panel and the text where the design has none. On a smaller screen what takes the stage's
/// room is left out.
/// `letters`: there is something to say about the letters of shapes.
Chrome arrange(float width, float height, const Parts& parts = {}, bool letters = false);

}  // namespace stage
