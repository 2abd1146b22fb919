#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

namespace {

constexpr float above = 24.0F;  // the bars in the heads' hues and the column numbers
/// The largest cell: one that a number fills well, or more on a screen with more room.
Space largest_split_cell(Space space) {
  return {std::max(104.0F, space.width / 10.0F), std::max(46.0F, space.height / 8.0F)};
}

// When each phase begins or ends, as shares of the progress.
constexpr float opens = 0.15F;
constexpr float open = 0.6F;
constexpr float is_split = 0.4F;  // from here on the table's caption says q_split
constexpr float named = 0.9F;

float way(float progress, float from, float to) {
  return eased(std::clamp((progress - from) / (to - from), 0.0F, 1.0F));
}

/// Turns a head's block into the same cells of the tensor before the split.
void show_unsplit(Block& block, model::TensorId whole, std::size_t sample, std::size_t first,
                  std::size_t columns) {
  block.tensor = whole;
  block.corner = {sample, 0, first};
  block.row_axis = 1;
  block.column_axis = 2;
  if (block.column_labels.empty()) return;
  if (columns > 12) return block.column_labels.clear();
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < block.columns(); ++i) numbers.push_back(std::to_string(first + i));
  block.column_labels = std::move(numbers);
}

/// "head 1", where it has room with the columns that it gets: "head 1: columns 3 … 5".
std::string section_words(std::string head, std::size_t first, std::size_t count, float width) {
  std::string all = base::text("stage.split.section",
                               {{"head", head}, {"first", first}, {"last", first + count - 1}});
  return label_width(all) * 1.06F <= width ? all : head;  // it is semibold
}

}  // namespace

Stage split_table(const FigureInput& input, Space space) {
  const document::ComputedAttention& attention = input.attention;
  // The step is about the borders between heads, so it always shows all of them.
  document::ViewState view_state = input.view_state;
  view_state.all_heads = true;
  std::vector<Drawing> drawings =
      drawings_of(attention, view_state, lesson::step(view_state.step).tensors, true);
  Drawing& whole = *std::prev(drawings.end(), 2);  // before it there may be what was normalised
  Drawing& split = drawings.back();
  std::vector<Block>& blocks = split.blocks;
  const auto heads = static_cast<float>(blocks.size());
  const std::size_t dim = blocks.front().columns();
  const std::size_t columns = dim * blocks.size();

  const float sheets =
      sheet_step * static_cast<float>(sheet_count(attention, split.group.tensor, view_state));
  const float labels =
      labels_width(blocks.front().row_labels, space.width < 480.0F ? 64.0F : 92.0F) + label_gap +
      (space.numbered ? number_room : 0.0F);
  const float between = heads - 1.0F;
  const float gap = std::clamp(0.06F * space.width / std::max(1.0F, between), 8.0F, 40.0F);
  const Space largest = largest_split_cell(space);
  const float cell_width =
      std::clamp((space.width - labels - sheets - gap * between) / extent_in_cells(columns), 1.0F,
                 largest.width);
  const float rows = extent_in_cells(blocks.front().rows());
  // Numbers read well in cells up to a square; stripes have no numbers and may be higher.
  constexpr float lowest_cell = 3.0F;
  const float most =
      columns > 32 ? largest.height : std::clamp(cell_width, lowest_cell, largest.height);
  const float cell_height = std::clamp(
      (space.height - caption_height - above - tag_under - sheets) / rows, lowest_cell, most);

  // Backward, the gaps close.
  const float progress =
      input.view_state.gradients ? 1.0F - input.view_state.progress : input.view_state.progress;
  const float width = cell_width * extent_in_cells(columns) / heads;
  const float height = cell_height * rows;
  const float apart = gap * way(progress, opens, open);
  const bool cut = progress >= is_split;
  const float all = labels + width * heads + gap * between + sheets;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    const auto place = static_cast<float>(i);
    // The gaps open from the middle to both sides, so that the table stays centred.
    const float x =
        labels + gap * between / 2.0F + (place - between / 2.0F) * apart + width * place;
    block.cells = {x, caption_height + above, width, height};
    block.show_row_labels = i == 0 && height / static_cast<float>(block.rows()) >= 9.0F;
    block.show_row_numbers = block.show_row_labels && space.numbered;
    if (width / static_cast<float>(dim) < 20.0F) block.column_labels.clear();
    block.tag = {
        Tag::Place::under,
        section_words(head_words(attention.trace, split.group.tensor, i), i * dim, dim, width),
        way(progress, open, named)};
    if (!cut) show_unsplit(block, whole.group.tensor, input.view_state.sample, i * dim, columns);
  }
  Group group = cut ? split.group : whole.group;
  const auto caption = [&](bool note) {
    return std::max(caption_width(whole.group, note), caption_width(split.group, note));
  };
  const bool notes = labels + caption(true) <= space.width;
  if (!notes) group.note.clear();
  group.caption = {labels, 0.0F, std::max(all - labels, caption(notes)), caption_height};
  group.bounds = {0.0F, 0.0F, group.caption.right(),
                  caption_height + above + height + sheets + tag_under};
  Stage stage;
  stage.bounds = group.bounds;
  add_group(stage, std::move(group), std::move(blocks));
  if (cut) lay_sheets(stage, attention, view_state);
  return stage;
}

}  // namespace stage
