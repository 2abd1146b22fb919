#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/focus/step_cell.hpp"
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

/// The output cell whose parts the figure shows: the chosen one, else the one that the step adds
/// up.
Index taken_apart(const FigureInput& input) {
  if (input.view_state.cell && input.view_state.cell->tensor == "output")
    return input.view_state.cell->index;
  return step_cell(input.attention, input.view_state).index;
}

/// One summand.
struct OutputPart {
  std::string name;
  double value = 0.0;
  std::optional<std::size_t> head;
};

std::vector<OutputPart> parts_of(const model::Trace& trace, const Index& index) {
  const HeadContributions made = head_contributions(trace, index);
  std::vector<OutputPart> parts;
  for (std::size_t head = 0; head < made.heads.size(); ++head)
    parts.push_back({base::text("stage.index.head", {{"index", head}}), made.heads[head], head});
  if (trace.has("out_proj_bias"))
    parts.push_back({std::string(base::text("stage.sum.bias")), made.bias, std::nullopt});
  return parts;
}

/// Notes below the sum, in lines of at most `width`.
std::vector<std::string> notes_of(const model::Trace& trace, float width) {
  if (trace.has("out_proj_weight")) return {};
  return lines_of(base::text("stage.output.no_projection"), 12.0F, width);
}

/// From the heading down, with a line for each part.
class OutputFigure {
 public:
  OutputFigure(const FigureInput& input, const Rect& given)
      : input_(input),
        trace_(input.attention.trace),
        index_(taken_apart(input)),
        parts_(parts_of(trace_, index_)),
        lines_(static_cast<float>(parts_.size() + 1)),
        place_(at_least(given, 240.0F, output_header + lines_ * least_row + 24.0F)),
        figure_(figure_in("heads", place_)),
        notes_(notes_of(trace_, place_.width - 8.0F)),
        below_(8.0F + note_line * std::max(1.0F, static_cast<float>(notes_.size()))),
        row_(std::clamp((place_.height - output_header - below_) / lines_, least_row, most_row)),
        type_(std::clamp(row_ * 0.6F, 10.5F, 12.5F)),
        right_(place_.right() - number_column - switches) {}

  Figure draw() {
    const float free = place_.height - output_header - lines_ * row_ - below_;
    y_ = place_.y + std::max(0.0F, free / 2.0F);
    heading();
    bars();
    sum();
    notes();
    return std::move(figure_);
  }

 private:
  void heading() {
    const std::string& token = input_.attention.query_tokens[index_[0]][index_[1]];
    const float width = place_.width - 8.0F;
    add_words(figure_, {place_.x, y_ + 9.0F}, Side::left,
              cut_to(base::text("stage.output.title"), 13.0F, width), Tone::strong, 13.0F);
    add_words(figure_, {place_.x, y_ + 30.0F}, Side::left,
              cut_to(base::text("stage.output.of", {{"token", token}, {"index", index_[2]}}), 12.0F,
                     width),
              Tone::quiet, 12.0F);
    y_ += output_header;
  }

  /// Bars to both sides of 0. The largest number of the whole output would take all the room, so
  /// that bars of different cells can be compared; a part that is larger still takes it instead.
  void bars() {
    double largest = std::max(1e-9, static_cast<double>(value_range(trace_["output"])));
    for (const OutputPart& part : parts_) largest = std::max(largest, std::fabs(part.value));
    const float left = place_.x + names;
    const float zero = (left + right_) / 2.0F;
    const float half = (right_ - left) / 2.0F;
    add_line(figure_, {zero, y_}, {zero, y_ + row_ * (lines_ - 1.0F)}, Tone::line);
    for (const OutputPart& part : parts_) {
      const float middle = y_ + row_ / 2.0F;
      const bool off = part.head && trace_.overrides.ablates(*part.head);
      add_words(figure_, {place_.x, middle}, Side::left, part.name, off ? Tone::quiet : Tone::text,
                type_);
      const float length = half * static_cast<float>(std::fabs(part.value) / largest);
      const auto value = static_cast<float>(part.value);
      const Rect bar{part.value < 0.0 ? zero - length : zero, middle - row_ * 0.3F,
                     std::max(length, 1.0F), row_ * 0.6F};
      figure_.bars.push_back(
          {bar, part.head ? Tone::head : Tone::line, part.head, 1.0F, value, {}});
      add_number(figure_, {right_ + number_column - 4.0F, middle}, Side::right,
                 number_text(value, 3), Tone::text, type_);
      if (part.head) put_switch(*part.head, off);
      y_ += row_;
    }
  }

  /// What switches a head off and on, at the end of its line.
  void put_switch(std::size_t head, bool off) {
    const float height = std::min(row_ - 3.0F, 20.0F);
    const Rect button{place_.right() - switches + 6.0F, y_ + row_ / 2.0F - height / 2.0F,
                      switches - 8.0F, height};
    add_frame(figure_, button, off ? Tone::line : Tone::accent, 1.0F);
    add_words(figure_, button.centre(), Side::centre,
              base::text(off ? "stage.head.off" : "stage.head.on"),
              off ? Tone::quiet : Tone::accent, type_);
    figure_.targets.push_back(
        {{place_.right() - switches + 4.0F, y_, switches - 4.0F, row_},
         base::text(off ? "stage.output.switch_on" : "stage.output.switch_off", {{"index", head}}),
         document::AblateHead{input_.attention.id, head, !off},
         {}});
  }

  void sum() {
    const float middle = y_ + row_ / 2.0F + 2.0F;
    add_line(figure_, {place_.x, y_}, {right_ + number_column, y_}, Tone::line);
    add_words(figure_, {place_.x, middle}, Side::left, base::text("stage.sum.sum"), Tone::quiet,
              type_);
    add_number(figure_, {right_ + number_column - 4.0F, middle}, Side::right,
               number_text(trace_["output"].at(index_), 3), Tone::strong, type_)
        .cell = document::CellRef{"output", index_};
  }

  /// Shown whole or not at all, since half of a note would mislead.
  void notes() {
    if (y_ + row_ + below_ - 4.0F > place_.bottom()) return;
    float line = y_ + row_ + 14.0F;
    for (const std::string& note : notes_) {
      add_words(figure_, {place_.x, line}, Side::left, note, Tone::quiet, 12.0F);
      line += note_line;
    }
  }

  const FigureInput& input_;
  const model::Trace& trace_;
  Index index_;
  std::vector<OutputPart> parts_;
  float lines_;
  Rect place_;
  Figure figure_;
  std::vector<std::string> notes_;
  float below_;  ///< the height that notes take
  float row_;    ///< the height of a line
  float type_;
  float right_;  ///< end of the bars
  float y_ = 0.0F;
};

}  // namespace

void put_output(Stage& stage, const FigureInput& input, const Rect& given) {
  stage.figures.push_back(OutputFigure(input, given).draw());
}

}  // namespace stage
