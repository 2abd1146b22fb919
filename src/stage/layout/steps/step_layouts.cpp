#include "stage/layout/steps/step_layouts.hpp"

#include <algorithm>
#include <cmath>

#include "stage/layout/lettering.hpp"
#include "stage/layout/matrices/batch_stack.hpp"

namespace stage {

float extent_in_cells(std::size_t count) {
  const auto n = static_cast<float>(count);
  return n <= 9.0F ? n : 9.0F * (1.0F + 0.3F * std::log2(n / 9.0F));
}

float caption_width(const Group& group, bool note) {
  const float title = text_width(group.title, 13.0F, false, true);
  float shape = text_width(group.shape, 11.5F, true);
  if (note && !group.note.empty()) shape += 10.0F + text_width(group.note, 11.5F);
  return std::max(title, shape);
}

float labels_width(const WordList& words, float most) {
  float width = 0.0F;
  for (const std::string& word : words)
    width = std::max(width, text_width(word, 12.5F, false, true));
  return std::min(width, most);
}

namespace {

/// Whether the chosen cell belongs to a tensor that this step makes on the way to its product, such
/// as a norm or its weights: the flow shows it, and the product's crossing does not.
bool chose_on_the_way(const FigureInput& input) {
  const auto& cell = input.view_state.cell;
  const lesson::StepId step = input.view_state.step;
  if (step != lesson::StepId::scores || !cell || cell->tensor.is_gradient()) return false;
  const model::Node* product = input.attention.trace.made_by("scores");
  const bool in_crossing = cell->tensor == "scores" || product == nullptr ||
                           cell->tensor == product->of[0] || cell->tensor == product->of[1];
  return !in_crossing && lesson::step_making(cell->tensor) == step;
}

}  // namespace

Stage lay_out_step(const FigureInput& input, Space space) {
  space.width = std::max(1.0F, space.width);
  space.height = std::max(1.0F, space.height);
  switch (input.view_state.step) {
    case lesson::StepId::split:
      return split_table(input, space);
    case lesson::StepId::transpose:
      return token_cards(input, space);
    case lesson::StepId::project:
    case lesson::StepId::scores:
    case lesson::StepId::output:
      if (has_crossing(input) && !chose_on_the_way(input)) return crossing(input, space);
      break;
    case lesson::StepId::reweight:
      // Forward, a figure explains it.
      if (input.view_state.gradients && has_crossing(input)) return crossing(input, space);
      break;
    default:
      break;
  }
  Stage stage = lay_out(input.attention, input.view_state, space);
  lay_sheets(stage, input.attention, input.view_state);
  return stage;
}

}  // namespace stage
