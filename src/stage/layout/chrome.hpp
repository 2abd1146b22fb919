// Divides the screen into bar, texts, stage, panel and step bar. There are three designs, for a
// page, an embedded figure and a phone.
#pragma once

#include "stage/layout/geometry.hpp"

namespace stage {

/// The design that a screen size gets.
enum class Form : unsigned char {
  page,   ///< wide and high: a panel stands beside the stage
  embed,  ///< of middle width, or low: no panel and a title of one line
  phone,  ///< narrow: all parts stand below each other
};

/// A phone's step bar needs this height for the row of step markers above the names.
inline constexpr float least_steps_of_two_rows = 72.0F;

/// The parts of the screen around the stage. Authors who embed a figure choose among them; the
/// stage itself is always there.
struct Parts {
  bool bar = true;
  bool text = true;
  bool heads = true;
  bool legend = true;  ///< and the switches in its row
  bool panel = true;   ///< or the sheets over the stage, where it has no room
  bool steps = true;
  bool words = false;  ///< captions are words, not tensors' names and shapes
  friend bool operator==(const Parts&, const Parts&) = default;
};

struct Chrome {
  Form form = Form::page;
  Rect bar;   ///< at the top: name, example, undo, menu
  Rect text;  ///< title, sentence and equation; empty where the screen is too low for them
  /// The step's words in full: over the panel of a page, else above the stage or, where that is low,
  /// beside it. Without height unless they are open.
  Rect words;
  /// The field of an example that takes a sentence, and the translation: in the bar of a page.
  Rect sentence;
  Rect heads;  ///< choices of head, query and sample, in one row
  /// What the letters in shapes mean; empty unless that is asked for and fits.
  Rect letters;
  Rect stage;  ///< the window onto the plane
  /// Inspector and, on a page, controls. On a phone it stands below the stage. Empty where they
  /// open over the stage instead.
  Rect panel;
  Rect controls;       ///< a sheet beside or below the stage; empty unless it is open
  Rect legend;         ///< the colour scale
  Rect view;           ///< beside the legend: switches for what the step shows
  Rect training;       ///< how training goes, above the step bar; empty unless that is opened
  Rect steps;          ///< the step bar, at the bottom
  bool sheets = true;  ///< there are controls and an inspector
};

/// What the reader has opened, which needs room, too.
struct Opened {
  bool letters = false;   ///< what the letters in shapes mean
  float words = 0.0F;     ///< the height that the step's words need; they explain the letters, too
  bool controls = false;  ///< where they have no panel
  bool training = false;  ///< the example has a task, which is trained
  bool sentence = false;  ///< the example takes a sentence
  bool translation = false;  ///< ... and says something of its own
};

/// Divides a screen of `width` x `height` logical pixels. The parts never overlap and stay on the
/// screen. A part that is not wanted is empty and leaves its room to the stage. All others are
/// there from 320 x 240 up, except panel and text where the design has none; smaller screens leave
/// out the least important parts, so that the stage keeps some room.
/// What is opened covers none of them on screens of usual sizes: the stage keeps about half of its
/// room.
Chrome arrange(float width, float height, const Parts& parts = {}, const Opened& opened = {});

}  // namespace stage
