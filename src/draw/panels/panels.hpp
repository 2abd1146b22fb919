// The parts of the screen around the stage. Each draws from the screen and the view, and adds what
// the reader does to the requests.
#pragma once

#include "draw/view.hpp"
#include "model/trace.hpp"

namespace draw {

class Widgets;

/// The bar with name, example, undo, redo, reset and theme.
void bar_panel(const Screen& screen, View& view, Requests& requests);
/// What happens in this step: a sentence and the focused cell's equation; the full text on demand.
void text_panel(const Screen& screen, View& view, Requests& requests);
/// What the full text needs, in logical pixels, on a card of this width.
float words_height(const document::Session& session, const Type& type, float width);
/// Explains the letters of shapes when the reader first sees a shape; in the current area, of which
/// nothing else fills what is right of `free_from`.
void letters(const Screen& screen, View& view, float free_from);
/// The choice of attention, head, query and sample; below it, the letters.
void heads_panel(const Screen& screen, View& view, Requests& requests);
/// The query that its list shows: the chosen one; while a step moves, the one whose row is being
/// made.
std::size_t listed_query(const Screen& screen);
/// The switch in the legend: one scale for each matrix, or one for all.
void legend_panel(const Screen& screen, bool of_weights, Requests& requests);
/// The switches for what a step shows: one of the projections, the matrices or the figure.
void view_panel(const Screen& screen, Requests& requests);
/// The mistakes to switch on, and the game of guessing one.
void break_panel(const Screen& screen, View& view, Requests& requests);

/// The mistake that may be named: none while the reader is to guess it.
model::Mistake shown_mistake(const document::Document& document);

/// Targets, what learns, and steps of gradient descent.
void learn_panel(const Screen& screen, View& view, Requests& requests);
/// The choice of embed_dim, heads and lengths, and the reasons why some are fixed.
void sizes_panel(const Screen& screen, Requests& requests);
/// Switches for the variants of attention, with their numbers; empty where the example has none.
void variants_panel(const Screen& screen, View& view, Requests& requests);
/// How training goes: buttons, loss curve, heat maps; empty where the example has no task.
void training_panel(const Screen& screen, View& view, Requests& requests);
/// Method, learning rate and batch size of an example with a task.
void training_settings(const Screen& screen, View& view, Requests& requests);
/// The choice of a picture, for examples that take one.
void picture_panel(const Screen& screen, const View& view, Requests& requests);
/// Whether the variants of an example are shown as a list: several, or the attentions of a file,
/// whose name is nowhere else.
bool has_variants(lesson::ExampleId id);
/// The example's variants as a drop-down.
void variants_list(const Screen& screen, float width, Requests& requests);
/// The text field of an example that takes a sentence: in the bar of a page, otherwise in a row of
/// its own or, without room for that, among the settings.
void sentence_field(const Screen& screen, View& view, float width, Requests& requests);
/// That row: the field and, of the translator, what it says.
void sentence_panel(const Screen& screen, View& view, Requests& requests);
/// Behind a translation, if there is room: what to expect of so small a model.
void small_model(const Screen& screen, const stage::Rect& place);
/// What the example lets the reader change: mask, scale, position encoding, seed, sentence, sizes.
void settings(const Screen& screen, View& view, Requests& requests);
/// Differences to the original instead of numbers, where something was changed; not for those who
/// guess a mistake.
void compare_control(const Screen& screen, Widgets& widgets, Requests& requests);
/// The tokens of a translation, and what could be said in the place of one of them.
void translation_panel(const Screen& screen, View& view, Requests& requests);
/// Settings, Break it, Learn and Copy, and the translation where there is one. Each has a header
/// that opens and folds it: a line while all are folded, a tab while one is open. `place` must be
/// at least groups_height high.
void groups_panel(const Screen& screen, View& view, Requests& requests, const stage::Rect& place);
/// The height that the groups take of this room.
float groups_height(const Screen& screen, const View& view, const stage::Rect& room);
/// The number in focus and how it came about.
void inspector(const Screen& screen, View& view, Requests& requests);
/// Copies the number in focus or its matrix as text, code or a picture.
void copy_controls(const Screen& screen, View& view, Requests& requests);
/// Inspector and controls: in a panel beside the stage or, without room for it, in sheets over it.
void side_panels(const Screen& screen, View& view, Requests& requests);
/// The line of steps, buttons for the previous and the next one, play, speed, and progress.
void steps_panel(const Screen& screen, View& view, Requests& requests);
/// What was wrong with the last input, until it is dismissed or the next input is right. Below are
/// the cells that are offered instead.
void message_panel(const Screen& screen, View& view, Requests& requests);

}  // namespace draw
