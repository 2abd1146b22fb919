#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using tensor::Index;

namespace {

constexpr float output_header = 52.0F;
constexpr float most_row = 30.0F;
constexpr float least_row = 13.0F;
constexpr float names = 60.0F;
constexpr float number_column = 56.0F;
constexpr float switches = 40.0F;
constexpr float note_line = 16.0F;

/// The output cell whose parts the figure shows.
Index taken_apart(const FigureInput& input) {
  if (input.view_state.cell && input.view_state.cell->tensor == "output")
    return input.view_state.cell->index;
  return {input.view_state.sample, input.view_state.query, 0};
}

/// One summand.
struct OutputPart {
  std::string name;
  double value = 0.0;
  std::optional<std::size_t> head;
};

/// Notes below the sum, in lines of at most `width`.
std::vector<std::string> notes_of(const model::Trace& trace, float width) {
  if (trace.has("out_proj_weight")) return {};
  return lines_of(base::text("stage.output.no_projection"), 12.0F, width);
}

}  // namespace

void put_output(Stage& stage, const FigureInput& input, const Rect& given) {
  const model::Trace& trace = input.attention.trace;
  const Index index = taken_apart(input);
  const HeadContributions made = head_contributions(trace, index);

  std::vector<OutputPart> parts;
  for (std::size_t head = 0; head < made.heads.size(); ++head)
    parts.push_back({base::text("stage.index.head", {{"index", head}}), made.heads[head], head});
  if (trace.has("out_proj_bias"))
    parts.push_back({std::string(base::text("stage.sum.bias")), made.bias, std::nullopt});
  const auto rows = static_cast<float>(parts.size() + 1);
  const Rect place = at_least(given, 240.0F, output_header + rows * least_row + 24.0F);

  Figure figure = figure_in("heads", place);
  const std::vector<std::string> notes = notes_of(trace, place.width - 8.0F);
  const float below = 8.0F + note_line * std::max(1.0F, static_cast<float>(notes.size()));
  const float row = std::clamp((place.height - output_header - below) / rows, least_row, most_row);
  float y = place.y + std::max(0.0F, (place.height - output_header - rows * row - below) / 2.0F);
  const std::string token = input.attention.query_tokens[index[0]][index[1]];
  add_words(figure, {place.x, y + 9.0F}, Side::left,
            cut_to(base::text("stage.output.title"), 13.0F, place.width - 8.0F), Tone::strong,
            13.0F);
  add_words(figure, {place.x, y + 30.0F}, Side::left,
            cut_to(base::text("stage.output.of", {{"token", token}, {"index", index[2]}}), 12.0F,
                   place.width - 8.0F),
            Tone::quiet, 12.0F);
  y += output_header;

  double largest = 1e-9;
  for (const OutputPart& part : parts) largest = std::max(largest, std::fabs(part.value));
  const float left = place.x + names;
  const float right = place.right() - number_column - switches;
  const float zero = (left + right) / 2.0F;
  const float half = (right - left) / 2.0F;
  const float type = std::clamp(row * 0.6F, 10.5F, 12.5F);
  add_line(figure, {zero, y}, {zero, y + row * (rows - 1.0F)}, Tone::line);
  for (const OutputPart& part : parts) {
    const float middle = y + row / 2.0F;
    const bool off = part.head && trace.overrides.ablates(*part.head);
    add_words(figure, {place.x, middle}, Side::left, part.name, off ? Tone::quiet : Tone::text,
              type);
    const float length = half * static_cast<float>(std::fabs(part.value) / largest);
    const auto value = static_cast<float>(part.value);
    const Rect bar{part.value < 0.0 ? zero - length : zero, middle - row * 0.3F,
                   std::max(length, 1.0F), row * 0.6F};
    figure.bars.push_back({bar, part.head ? Tone::head : Tone::line, part.head, 1.0F, value, {}});
    add_number(figure, {right + number_column - 4.0F, middle}, Side::right, number_text(value, 3),
               Tone::text, type);
    if (part.head) {
      const float height = std::min(row - 3.0F, 20.0F);
      const Rect button{place.right() - switches + 6.0F, middle - height / 2.0F, switches - 8.0F,
                        height};
      add_frame(figure, button, off ? Tone::line : Tone::accent, 1.0F);
      add_words(figure, button.centre(), Side::centre,
                base::text(off ? "stage.head.off" : "stage.head.on"),
                off ? Tone::quiet : Tone::accent, type);
      figure.targets.push_back(
          {{place.right() - switches + 4.0F, y, switches - 4.0F, row},
           base::text(off ? "stage.output.switch_on" : "stage.output.switch_off",
                      {{"index", *part.head}}),
           document::AblateHead{input.attention.id, *part.head, !off},
           {}});
    }
    y += row;
  }
  add_line(figure, {place.x, y}, {right + number_column, y}, Tone::line);
  add_words(figure, {place.x, y + row / 2.0F + 2.0F}, Side::left, base::text("stage.sum.sum"),
            Tone::quiet, type);
  add_number(figure, {right + number_column - 4.0F, y + row / 2.0F + 2.0F}, Side::right,
             number_text(trace["output"].at(index), 3), Tone::strong, type)
      .cell = document::CellRef{"output", index};
  // The note is shown whole or not at all, since half of it would mislead.
  if (y + row + below - 4.0F <= place.bottom()) {
    float line = y + row + 14.0F;
    for (const std::string& note : notes) {
      add_words(figure, {place.x, line}, Side::left, note, Tone::quiet, 12.0F);
      line += note_line;
    }
  }
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
