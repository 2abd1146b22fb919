#include "stage/scene/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/order.hpp"
#include "model/roles.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/layout/matrices/folds.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

using model::TensorId;

namespace {

// Logical pixels; cells at scale 1.
constexpr float cell_width = 46.0F;
constexpr float cell_height = 32.0F;
constexpr float caption_line = 18.0F;
constexpr float label_line = 16.0F;
constexpr float block_gap = 10.0F;
constexpr float longest_label = 92.0F;
constexpr float smallest_labelled_row = 9.0F;
constexpr float smallest_named_row = 10.0F;  // on the map, where only some matrices have tokens
constexpr std::size_t most_named_rows = 12;
constexpr float smallest_labelled_column = 20.0F;
constexpr float label_type = 11.0F;
constexpr float tick_line = 10.0F;  // the caption above leaves some room, too
constexpr float around_label = 3.0F;
constexpr float least_of_a_name = 30.0F;
constexpr float highest_upright_label = 64.0F;

/// The length of `count` cells: proportional up to nine, from then on logarithmic, so that even 512
/// columns stay in the picture.
float extent(std::size_t count, float one, float smallest) {
  const auto n = static_cast<float>(count);
  const float length = n <= 9.0F ? n * one : 9.0F * one * (1.0F + 0.3F * std::log2(n / 9.0F));
  return std::max(length, smallest);
}

std::size_t blocks_per_row(const Outline& outline, bool detailed) {
  const TensorId tensor = outline.place.tensor;
  const std::size_t count = outline.blocks;
  // [B, L, H, D]: with the heads side by side, each token keeps one row, as it has in memory.
  const ops::Axes axes = model::axes_of(tensor);
  if (axes.rank() == 4 && axes[2] == model::Axis::H) return count;
  if (is_of_heads(tensor) && detailed && count * outline.rows <= 12)
    return 1;  // few rows: every head gets a line of its own
  if (count <= 4) return count;
  return std::min<std::size_t>(4, (count + 1) / 2);
}

}  // namespace

document::Projection projection_of(TensorId tensor) {
  const std::string_view name = model::name_of(tensor);
  if (name.starts_with('k')) return document::Projection::k;
  if (name.starts_with('v')) return document::Projection::v;
  return document::Projection::q;
}

float label_width(std::string_view text) {
  // A letter takes about 6.6 px at 12 px type. One outside ASCII has several bytes but is only
  // about one and a half times as wide.
  float width = 0.0F;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x80)
      width += 6.7F;
    else if (code >= 0xC0)
      width += 10.0F;
  }
  return width;
}

Outline outline_of(const Group& group, std::span<const Block> blocks, const Place& place,
                   std::size_t sheets) {
  const Block& first = blocks.front();
  Outline outline{place,
                  sheets,
                  blocks.size(),
                  first.rows(),
                  first.columns(),
                  !first.row_labels.empty(),
                  first.rows_are_queries,
                  !first.column_labels.empty(),
                  0.0F,
                  label_width(group.title),
                  label_width(group.shape),
                  label_width(group.note)};
  for (const std::string& label : first.row_labels) {
    outline.row_labels = std::max(outline.row_labels, label_width(label));
  }
  outline.of_keys =
      first.column_axis && model::axes_of(first.tensor)[*first.column_axis] == model::Axis::Lk;
  const auto is_index = [](const std::string& label) {
    return std::all_of(label.begin(), label.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  for (const std::string& label : first.column_labels) {
    if (outline.of_keys || !is_index(label))
      outline.column_words = std::max(outline.column_words, text_width(label, label_type));
  }
  return outline;
}

std::vector<Drawing> drawings_of(const document::ComputedAttention& attention,
                                 const document::ViewState& view_state,
                                 std::span<const TensorId> tensors, bool one_projection) {
  const bool overview = view_state.step == lesson::StepId::overview;
  // The map has little room for captions, and it marks the chosen query in every row anyway.
  document::ViewState captioned = view_state;
  if (overview) captioned.query = attention.trace.config.query_len;  // none of them
  std::vector<Drawing> drawings;
  for (const Place& place : places()) {
    // The three projections work alike, so the chosen one stands for the other two.
    if (one_projection && projection_of(place.tensor) != view_state.projection) continue;
    if (std::find(tensors.begin(), tensors.end(), place.tensor) == tensors.end()) continue;
    // Self-attention's inputs are the same tensor and are drawn once, except where one projection
    // is shown alone and needs its own.
    if (!one_projection && is_repeated_input(attention.trace, place.tensor)) continue;
    if (!attention.trace.offers(place.tensor)) continue;
    const Place placed = place_in(place, view_state.step, attention.trace);
    const std::optional<Place> here =
        overview ? place_on_map(placed, view_state) : std::optional(placed);
    if (!here) continue;
    Group group = caption_of(attention, place.tensor, captioned);
    std::vector<Block> blocks = matrices_of(attention, place.tensor, view_state);
    if (overview) group.fold = fold_of(placed);
    if (is_closed(group.fold, view_state)) fold(group, blocks);
    Outline outline =
        outline_of(group, blocks, *here, sheet_count(attention, place.tensor, view_state));
    outline.folded = group.folded;
    // On the map, only the inputs have tokens beside their rows. All later rows stand for the same
    // tokens, and labels at every matrix could leave its cells no room.
    outline.named = model::roles::is_input(place.tensor);
    drawings.push_back({std::move(group), std::move(blocks), outline});
  }
  return base::sorted_by(std::move(drawings), [overview](const Drawing& drawing) {
    const Place& place = drawing.outline.place;
    const int column = overview ? place.overview : place.column;
    return base::SortKey{static_cast<double>(column), static_cast<double>(place.lane)};
  });
}

Measured measure(const Outline& outline, float scale, bool detailed, bool notes, float stretch,
                 bool upright) {
  Measured m;
  if (outline.folded) {
    m.per_row = outline.blocks;
    m.width = card_width(outline.place);
    m.height = m.block_height = card_height;
    m.block_width = m.width / static_cast<float>(outline.blocks);
    return m;
  }
  m.note = detailed && notes;
  m.per_row = blocks_per_row(outline, detailed);
  // Many heads side by side get narrower cells, but not much lower ones.
  const float crowd = std::min(1.0F, 3.0F / static_cast<float>(m.per_row));
  m.caption = caption_line * (detailed ? 2.0F : 1.0F) + 4.0F;

  // Rows of very many columns become stripes: they need more height to be told apart and clicked.
  const float stripes = outline.columns > 16 && outline.rows <= 64 ? 1.5F : 1.0F;
  const float row_height = (detailed ? cell_height : cell_width) * stripes;
  m.block_width = extent(outline.columns, cell_width * scale * crowd, 6.0F);
  // Numbers read well in cells up to a square; stripes have no numbers and may grow higher.
  const float most = outline.columns > 16 ? 3.0F : cell_width / cell_height;
  // Small matrices stand closer: on the map, gaps would otherwise take more room than numbers.
  m.gap = detailed ? block_gap : std::clamp(m.block_width * 0.4F, 3.0F, block_gap);
  m.block_height =
      extent(outline.rows, row_height * scale * std::sqrt(crowd) * std::min(stretch, most), 6.0F);
  const bool named = detailed || outline.named;
  if (!detailed && named && outline.has_row_labels && outline.rows <= most_named_rows) {
    const float row = notes ? smallest_named_row : smallest_labelled_row;
    const float readable = row * static_cast<float>(outline.rows);
    m.block_height = std::max(m.block_height, readable);
  }
  m.row_labels = named && outline.has_row_labels &&
                 m.block_height / static_cast<float>(outline.rows) >= smallest_labelled_row;
  const float column = m.block_width / static_cast<float>(outline.columns);
  const bool fit = outline.column_words > 0.0F && outline.column_words <= column - around_label;
  m.column_labels =
      detailed && outline.has_column_labels && (column >= smallest_labelled_column || fit);
  if (upright && detailed && outline.column_words > 0.0F && column >= smallest_upright_column) {
    m.column_labels = true;
    m.upright = std::min(outline.column_words, highest_upright_label) + around_label;
  }
  if (detailed && outline.of_keys && outline.has_column_labels && !m.column_labels)
    m.ticks = tick_line;
  m.row_numbers = m.row_labels && detailed && outline.numbered;
  if (m.row_labels)
    m.labels = std::min(outline.row_labels, longest_label) + label_gap +
               (m.row_numbers ? number_room : 0.0F);
  // Upright labels stand only over the first line of blocks and serve those below, too.
  m.above = head_bar + (m.column_labels && m.upright == 0.0F ? label_line : 0.0F);

  const auto across = static_cast<float>(m.per_row);
  const std::size_t rows = (outline.blocks + m.per_row - 1) / m.per_row;
  const auto down = static_cast<float>(rows);
  m.sheets = sheet_step * static_cast<float>(outline.sheets);
  const float grid_width = across * (m.block_width + m.sheets) + (across - 1.0F) * m.gap;
  const float grid_height = down * (m.above + m.block_height + m.sheets) + (down - 1.0F) * m.gap;
  // label_width is for 12 px type; captions are semibold and therefore slightly wider.
  float caption_width = outline.title * 1.04F * caption_type_size(detailed ? 1.0F : 0.0F) / 12.0F;
  if (detailed) {
    const float note = !notes || outline.note == 0.0F ? 0.0F : outline.note + 12.0F;
    caption_width = std::max(caption_width, outline.shape * 1.05F + note);
  }
  m.width = m.labels + std::max(grid_width, caption_width);
  m.height = m.caption + m.upright + m.ticks + grid_height;
  return m;
}

bool lacks_upright_labels(const Outline& outline, const Measured& measured) {
  const float column = measured.block_width / static_cast<float>(outline.columns);
  // Other names may be cut in the middle while enough of them is left.
  const bool cut =
      outline.column_words > column - around_label && (outline.of_keys || column < least_of_a_name);
  return column >= smallest_upright_column && cut;
}

bool cuts_column_labels(const Outline& outline, const Measured& measured) {
  const float column = measured.block_width / static_cast<float>(outline.columns);
  return column >= smallest_upright_column && outline.column_words > column - around_label;
}

Measured without_row_labels(Measured measured) {
  measured.width -= std::exchange(measured.labels, 0.0F);
  measured.row_labels = false;
  return measured;
}

void put(Stage& stage, const Drawing& drawing, const Measured& m, float x, float y) {
  Group group = drawing.group;
  if (!m.note) group.note.clear();
  group.caption = {x + m.labels, y, m.width - m.labels, m.caption};
  group.bounds = {x, y, m.width, m.height};
  std::vector<Block> blocks = drawing.blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    const auto column = static_cast<float>(i % m.per_row);
    const std::size_t rows_above = i / m.per_row;
    const auto row = static_cast<float>(rows_above);
    block.cells = {x + m.labels + column * (m.block_width + m.sheets + m.gap),
                   y + m.caption + m.upright + m.ticks + m.above +
                       row * (m.block_height + m.sheets + m.above + m.gap),
                   m.block_width, m.block_height};
    block.show_row_labels = m.row_labels && i % m.per_row == 0;
    block.show_row_numbers = m.row_numbers && block.show_row_labels;
    if (m.ticks > 0.0F && rows_above == 0) block.column_ticks = block.column_labels;
    if (!m.column_labels || (m.upright > 0.0F && rows_above > 0)) block.column_labels.clear();
    if (!block.column_labels.empty()) block.upright_labels = m.upright;
  }
  stage.bounds = stage.bounds.united(group.bounds);
  add_group(stage, std::move(group), std::move(blocks));
}

}  // namespace stage
