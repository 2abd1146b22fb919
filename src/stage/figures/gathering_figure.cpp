// The step "input", backward: what comes back through q, k and v, beside the sum.
#include <algorithm>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/motion/input_rows.hpp"
#include "stage/motion/products_back.hpp"

namespace stage {

using model::TensorId;

namespace {

constexpr float part_caption = 22.0F;
constexpr float part_gap = 10.0F;
constexpr float part_type = 12.0F;
constexpr float widest_part_cell = 96.0F;
constexpr float highest_part_cell = 44.0F;

/// The parts whose sum this gradient is; empty if it is no such sum.
std::vector<TensorId> parts_of(const model::Trace& trace, TensorId gradient) {
  std::vector<TensorId> parts;
  const model::Node* row = trace.made_by(gradient);
  if (row == nullptr || row->operation != &ops::add) return parts;
  for (const TensorId read : row->operands()) {
    if (read.value() != gradient.value() || read.is_whole_gradient()) return {};
    // Of more than three, some have been added up before.
    const std::vector<TensorId> before = parts_of(trace, read);
    if (before.empty()) parts.push_back(read);
    parts.insert(parts.end(), before.begin(), before.end());
  }
  return parts;
}

TensorId gathered() { return TensorId("query_input").gradient(); }

}  // namespace

bool has_gathering(const FigureInput& input) {
  return !input.view_state.guessing && parts_of(input.attention.trace, gathered()).size() > 1;
}

void put_gathering(Stage& stage, const FigureInput& input, const Rect& given) {
  const model::Trace& trace = input.attention.trace;
  const std::vector<TensorId> parts = parts_of(trace, gathered());
  const auto sum = std::find_if(stage.blocks.begin(), stage.blocks.end(),
                                [](const Block& block) { return block.tensor == gathered(); });
  std::vector<TensorId> shown = parts;
  auto into = static_cast<std::size_t>(sum - stage.blocks.begin());
  // Where it is not beside them, it stands above them.
  if (sum == stage.blocks.end()) shown.insert(shown.begin(), gathered());
  const auto count = static_cast<float>(shown.size());
  const Rect place = at_least(given, 200.0F, 60.0F * count);
  const auto rows = static_cast<float>(trace[gathered()].dim(1));
  const auto columns = static_cast<float>(trace[gathered()].dim(2));
  const float cell_width = std::min(place.width / columns, widest_part_cell);
  const float free = place.height - count * part_caption - (count - 1.0F) * part_gap;
  const float cell_height = std::min(free / (count * rows), highest_part_cell);
  const float used = count * (part_caption + cell_height * rows) + (count - 1.0F) * part_gap;
  Figure figure = figure_in("gathering", place);
  float y = place.y + (place.height - used) / 2.0F;
  std::vector<std::size_t> blocks;
  for (const TensorId tensor : shown) {
    std::string name = words_of_part(trace, tensor);
    if (tensor == gathered()) name = model::name_of(tensor);
    if (name.empty()) name = base::text("stage.gathering.part", {{"number", blocks.size()}});
    add_words(figure, {place.x, y + part_caption / 2.0F - 2.0F}, Side::left,
              cut_to(name, part_type, place.width),
              tensor == gathered() ? Tone::strong : Tone::text, part_type);
    Block block;
    block.attention = input.attention.id;
    block.tensor = tensor;
    block.matrix = trace[tensor].select(0, input.view_state.sample);
    block.corner = {input.view_state.sample, 0, 0};
    block.row_axis = 1;
    block.column_axis = 2;
    block.range = value_range(trace[tensor]);
    block.cells = {place.x, y + part_caption, cell_width * columns, cell_height * rows};
    Group group;
    group.tensor = tensor;
    group.title = model::name_of(tensor);
    group.in_figure = true;
    group.bounds = block.cells;
    group.caption = {block.cells.x, block.cells.y, 0.0F, 0.0F};
    if (tensor == gathered())
      into = stage.blocks.size();
    else
      blocks.push_back(stage.blocks.size());
    add_group(stage, std::move(group), {std::move(block)});
    y += part_caption + cell_height * rows + part_gap;
  }
  gather_rows(stage, into, blocks, input.view_state.progress);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
