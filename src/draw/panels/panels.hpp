// The parts of the screen around the stage. Each reads the screen and the view and adds to the
// requests.
#pragma once

#include "draw/view.hpp"
#include "model/trace.hpp"

namespace draw {

/// Name, example, undo, redo, reset, theme.
void bar_panel(const Screen& screen, View& view, Requests& requests);
/// What happens in this step, in a sentence and as the equation of the focus; on demand, in full.
void text_panel(const Screen& screen, View& view);
/// What the letters of shapes mean, where a shape is seen for the first time: in the area that has
/// begun.
void letters(const Screen& screen, View& view);
/// Which attention, head, query and sample; under it, the letters.
void heads_panel(const Screen& screen, View& view, Requests& requests);
/// The legend as a switch: a scale of its own for each matrix, or one for all.
void legend_panel(const Screen& screen, bool of_weights, Requests& requests);
/// Which part of the step: one of the projections, the matrices or the figure.
void view_panel(const Screen& screen, Requests& requests);
/// The mistakes that can be made, and the game of guessing which one is.
void break_panel(const Screen& screen, View& view, Requests& requests);
/// embed_dim, heads and lengths: what can be chosen, and why the rest is fixed.
void sizes_panel(const Screen& screen, Requests& requests);
/// A picture of the reader's own, where the example takes one.
void picture_panel(const Screen& screen, const View& view, Requests& requests);
/// The variants of the example as a drop-down; there are several.
void variants_list(const Screen& screen, float width, Requests& requests);
/// The sentence of an example that takes one: in the bar of a page, else among the settings.
void sentence_field(const Screen& screen, View& view, float width, Requests& requests);
/// Mask, scale, position encoding, seed, sentence, sizes: what the example offers.
void settings(const Screen& screen, View& view, Requests& requests);
/// Settings, Break it and Copy, each under a line that opens and folds it, in a place as high as
/// groups_height or higher.
void groups_panel(const Screen& screen, View& view, Requests& requests, const stage::Rect& place);
/// What they need: it changes with which of them is open, and with nothing else. At most `most`.
float groups_height(const View& view, float most);
/// What has the focus: its number and what that was made of.
void inspector(const Screen& screen, View& view, Requests& requests);
/// The focus' number or its matrix as text, code or picture.
void copy_controls(const Screen& screen, View& view, Requests& requests);
/// Inspector and controls: a panel beside the stage, or sheets over it where there is no room.
void side_panels(const Screen& screen, View& view, Requests& requests);
/// All steps; the chosen one; the one before and after; play, speed, and how far the step has come.
void steps_panel(const Screen& screen, View& view, Requests& requests);
/// What was wrong with the last input, until it is dismissed or the next input is right. Under it,
/// the cells that are offered instead.
void message_panel(const Screen& screen, View& view, Requests& requests);

}  // namespace draw
