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
/// Cells that are less high have no digits.
constexpr float numbered = 15.0F;
constexpr float beside_gap = 8.0F;

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

/// What a part is called; `number`: of the part, where nothing says what it comes through.
std::string name_of_part(const model::Trace& trace, TensorId tensor, std::size_t number) {
  if (tensor == gathered()) return std::string(model::name_of(tensor));
  const std::string name = words_of_part(trace, tensor);
  if (!name.empty()) return name;
  return std::string(base::text("stage.gathering.part", {{"number", number}}));
}

/// How large the cells are, and where the names stand: above the cells, or where that leaves no
/// room for digits, beside them.
struct PartSizes {
  float beside = 0.0F;  ///< the width of the names there
  float caption = 0.0F;
  float cell_width = 0.0F;
  float cell_height = 0.0F;
};

PartSizes sizes_in(const Rect& place, float names, float count, float rows, float columns) {
  const auto sizes = [&](float beside, float caption) {
    const float free = place.height - count * caption - (count - 1.0F) * part_gap;
    return PartSizes{beside, caption, std::min((place.width - beside) / columns, widest_part_cell),
                     std::min(free / (count * rows), highest_part_cell)};
  };
  const PartSizes above = sizes(0.0F, part_caption);
  if (above.cell_height >= numbered) return above;
  const PartSizes aside = sizes(names + beside_gap, 0.0F);
  return aside.cell_height >= numbered && aside.cell_width >= numbered * 2.0F ? aside : above;
}

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
  std::vector<std::string> names;
  float widest = 0.0F;
  for (const TensorId tensor : shown) {
    names.push_back(name_of_part(trace, tensor, names.size()));
    widest = std::max(widest, text_width(names.back(), part_type));
  }
  const PartSizes sizes = sizes_in(place, widest, count, rows, columns);
  const float height = sizes.caption + sizes.cell_height * rows;
  float y = place.y + (place.height - count * height - (count - 1.0F) * part_gap) / 2.0F;
  Figure figure = figure_in("gathering", place);
  std::vector<std::size_t> blocks;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const TensorId tensor = shown[i];
    Block block;
    block.attention = input.attention.id;
    block.tensor = tensor;
    block.matrix = trace[tensor].select(0, input.view_state.sample);
    block.corner = {input.view_state.sample, 0, 0};
    block.row_axis = 1;
    block.column_axis = 2;
    block.range = value_range(trace[tensor]);
    block.cells = {place.x + sizes.beside, y + sizes.caption, sizes.cell_width * columns,
                   sizes.cell_height * rows};
    const float middle =
        sizes.beside > 0.0F ? block.cells.centre().y : y + part_caption / 2.0F - 2.0F;
    add_words(figure, {place.x, middle}, Side::left, cut_to(names[i], part_type, place.width),
              tensor == gathered() ? Tone::strong : Tone::text, part_type)
        .plate = true;  // rows pass there
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
    y += height + part_gap;
  }
  gather_rows(stage, into, blocks, input.view_state.progress);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
