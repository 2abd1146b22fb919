#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

namespace {

constexpr float cards_numbers_line =
    16.0F;                           // above the first line of blocks, for the column numbers
constexpr float bars_beside = 8.0F;  // beside a card's rows, in the heads' hues
constexpr float card_gap = 14.0F;
/// The largest cell: one that a number fills well, or more on a screen with more room.
Space largest_cell(Space space) {
  return {std::max(64.0F, space.width / 16.0F), std::max(34.0F, space.height / 12.0F)};
}
constexpr std::size_t most_cards = 12;

/// One tensor's blocks, arranged as a grid.
struct CardPart {
  Drawing drawing;
  bool cards = false;
  float labels = 0.0F;  ///< width of the labels left of each line of blocks
  std::size_t per_line = 1;

  const Block& first() const { return drawing.blocks.front(); }
  std::size_t count() const { return drawing.blocks.size(); }
  std::size_t lines() const { return (count() + per_line - 1) / per_line; }
  /// Whether tags stand above the blocks; a card that has the line to itself has its tag on the
  /// left.
  bool tags_over() const { return !cards || per_line > 1; }
  float beside() const { return cards ? bars_beside : 0.0F; }
  float over_block() const { return (tags_over() ? tag_over - head_bar : 0.0F) + head_bar; }

  /// The height that is left for the cells of one block.
  float room_down(float height) const {
    const auto n = static_cast<float>(lines());
    return (height - caption_height - cards_numbers_line - n * over_block() -
            (n - 1.0F) * card_gap) /
           n;
  }
  float width(float cell) const {
    const auto n = static_cast<float>(per_line);
    const float words = cards && per_line > 1 ? 0.0F : labels;
    return words + n * (beside() + cell * extent_in_cells(first().columns())) +
           (n - 1.0F) * card_gap;
  }
  float height(float cell) const {
    const auto n = static_cast<float>(lines());
    return caption_height + cards_numbers_line +
           n * (over_block() + cell * extent_in_cells(first().rows())) + (n - 1.0F) * card_gap;
  }
};

/// How the parts are arranged (beside or below each other), and their sizes.
struct CardFit {
  bool across = true;
  float cell_width = 1.0F;
  float card_height = 1.0F;  ///< height of one cell of a card
  float pile_height = 1.0F;
  std::vector<std::size_t> per_line;
  float score = -1.0F;
};

/// Makes the [H,D] rows of each token a block of their own.
void make_cards(CardPart& part, const FigureInput& input) {
  const model::Trace& trace = input.attention.trace;
  const model::TensorId id = part.drawing.group.tensor;
  const tensor::Tensor& split = trace[id];  // [B,L,H,D]
  const std::size_t tokens = split.dim(1);
  const std::size_t heads = split.dim(2);
  const WordList words = part.first().row_labels;
  const std::size_t shown = std::min(tokens, most_cards);
  const std::size_t query = std::min(input.view_state.query, tokens - 1);
  const std::size_t from = std::min(query - std::min(query, shown / 2), tokens - shown);
  // A card has a row for each head, so that no column stands for one thing.
  std::vector<std::string> dimensions;
  for (std::size_t d = 0; d < split.dim(3); ++d) dimensions.push_back(std::to_string(d));
  std::vector<Block> cards;
  for (std::size_t token = from; token < from + shown; ++token) {
    Block card = part.first();
    card.head.reset();
    card.row_labels.clear();
    card.column_labels = dimensions;
    card.rows_are_queries = false;
    card.matrix = split.select(0, input.view_state.sample).select(0, token);
    card.corner = {input.view_state.sample, token, 0, 0};
    card.row_axis = 2;
    card.column_axis = 3;
    card.row_heads.clear();
    for (std::size_t head = 0; head < heads; ++head) card.row_heads.push_back(head);
    card.tag.text = words.empty() ? std::to_string(token) : words[token];
    cards.push_back(std::move(card));
  }
  part.drawing.blocks = std::move(cards);
  part.drawing.group.title = std::string(model::name_of(id));
  part.drawing.group.shape = caption_of(input.attention, id,
                                        [&] {
                                          document::ViewState all = input.view_state;
                                          all.all_heads = true;
                                          return all;
                                        }())
                                 .shape;
  part.drawing.group.note =
      shown == tokens
          ? std::string(base::text("stage.cards.all"))
          : base::text("stage.cards.part",
                       {{"first", from}, {"last", from + shown - 1}, {"count", tokens}});
}

std::vector<CardPart> parts_of(const FigureInput& input, float longest_label) {
  std::vector<CardPart> parts;
  for (Drawing& drawing : drawings_of(input.attention, input.view_state,
                                      lesson::step(input.view_state.step).tensors, true)) {
    CardPart part{std::move(drawing)};
    part.labels = labels_width(part.first().row_labels, longest_label) + label_gap;
    part.cards = parts.empty();
    if (part.cards) {
      make_cards(part, input);
    } else {
      part.drawing.group.note = base::text("stage.cards.piles");
      for (Block& block : part.drawing.blocks) {
        block.tag = {Tag::Place::over,
                     head_words(input.attention.trace, block.tensor, block.head.value_or(0))};
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The fit with the largest cells, for the number of blocks per line that the parts have.
CardFit fitted(std::vector<CardPart>& parts, bool across, Space space) {
  const auto count = static_cast<float>(parts.size());
  const float between = across ? std::clamp(space.width * 0.1F, 28.0F, 120.0F) : 24.0F;
  CardFit fit;
  fit.across = across;
  // All parts share one cell width: what their labels and bars leave, divided among the cells.
  float words = 0.0F;
  float cells = 0.0F;
  fit.cell_width = largest_cell(space).width;
  for (const CardPart& part : parts) {
    const float columns = extent_in_cells(part.first().columns());
    const float own = part.width(1.0F) - static_cast<float>(part.per_line) * columns;
    words += own;
    cells += static_cast<float>(part.per_line) * columns;
    if (!across)
      fit.cell_width = std::min(
          fit.cell_width, (space.width - own) / (static_cast<float>(part.per_line) * columns));
  }
  if (across)
    fit.cell_width =
        std::min(fit.cell_width, (space.width - words - (count - 1.0F) * between) / cells);
  float lines_of_cells = 0.0F;
  float fixed = (count - 1.0F) * between;
  fit.card_height = fit.pile_height = largest_cell(space).height;
  for (const CardPart& part : parts) {
    const float rows = extent_in_cells(part.first().rows());
    float& height = part.cards ? fit.card_height : fit.pile_height;
    if (across) height = std::min(height, part.room_down(space.height) / rows);
    lines_of_cells += static_cast<float>(part.lines()) * rows;
    fixed += part.height(0.0F);
  }
  if (!across)
    fit.card_height = fit.pile_height =
        std::min(largest_cell(space).height, (space.height - fixed) / lines_of_cells);
  // Where rows are high enough to read, they have the same height on cards and piles.
  const float one = std::min(fit.card_height, fit.pile_height);
  if (one >= 12.0F) fit.card_height = fit.pile_height = one;
  const float numbers = parts.front().first().columns() <= 16 ? fit.cell_width : 8.0F;
  fit.card_height = std::min(fit.card_height, std::max(16.0F, numbers));
  fit.pile_height = std::min(fit.pile_height, std::max(16.0F, numbers));
  // Larger cells are worth more, but only up to the size at which a number is easy to read.
  const auto worth = [](float width, float height) {
    return std::min(width, 44.0F) * std::min(height, 20.0F);
  };
  fit.score = fit.cell_width <= 0.2F || fit.card_height <= 0.2F || fit.pile_height <= 0.2F
                  ? -1.0F
                  : std::min(worth(fit.cell_width, fit.card_height),
                             worth(fit.cell_width, fit.pile_height));
  for (const CardPart& part : parts) fit.per_line.push_back(part.per_line);
  return fit;
}

CardFit best_fit(std::vector<CardPart>& parts, Space space) {
  CardFit best;
  const auto next = [](const CardPart& part, std::size_t per_line) {
    // Skip counts that do not change the number of lines.
    const std::size_t lines = (part.count() + per_line - 1) / per_line;
    do {
      ++per_line;
    } while (per_line < part.count() && (part.count() + per_line - 1) / per_line == lines);
    return per_line;
  };
  for (const bool across : {true, false}) {
    for (std::size_t cards = 1; cards <= parts.front().count();
         cards = next(parts.front(), cards)) {
      parts.front().per_line = cards;
      for (std::size_t piles = 1; piles <= parts.back().count();
           piles = next(parts.back(), piles)) {
        for (std::size_t i = 1; i < parts.size(); ++i)
          parts[i].per_line = std::min(piles, parts[i].count());
        CardFit fit = fitted(parts, across, space);
        // A single column of cards is easiest to read, so others must have clearly larger cells.
        if (fit.score > best.score * 1.15F) best = std::move(fit);
      }
    }
  }
  if (best.score <= 0.0F) {  // the camera will have to shrink it
    for (CardPart& part : parts) part.per_line = part.cards ? 1 : part.count();
    best = CardFit{false, 2.0F, 2.0F, 2.0F, {}, 0.0F};
    for (const CardPart& part : parts) best.per_line.push_back(part.per_line);
  }
  return best;
}

/// Puts a part on the stage with its top left corner at (x, y).
void put(Stage& stage, CardPart part, const CardFit& fit, float x, float y, float most_width) {
  const float cell_height = part.cards ? fit.card_height : fit.pile_height;
  const float width = fit.cell_width * extent_in_cells(part.first().columns());
  const float height = cell_height * extent_in_cells(part.first().rows());
  const bool alone = part.per_line == 1;
  const float words = part.cards && !alone ? 0.0F : part.labels;
  Group& group = part.drawing.group;
  if (caption_width(group) > most_width - words) group.note.clear();
  const float whole = std::max(part.width(fit.cell_width), words + caption_width(group));
  for (std::size_t i = 0; i < part.count(); ++i) {
    Block& block = part.drawing.blocks[i];
    const std::size_t line = i / part.per_line;
    const auto column = static_cast<float>(i % part.per_line);
    block.cells = {x + words + part.beside() + column * (width + part.beside() + card_gap),
                   y + caption_height + cards_numbers_line + part.over_block() +
                       static_cast<float>(line) * (height + part.over_block() + card_gap),
                   width, height};
    if (part.cards) block.tag.place = alone ? Tag::Place::left : Tag::Place::over;
    const bool named = height / static_cast<float>(block.rows()) >= 9.0F;
    block.show_row_labels = !part.cards && named && i % part.per_line == 0;
    if (line > 0 || width / static_cast<float>(block.columns()) < 20.0F)
      block.column_labels.clear();
  }
  group.caption = {x + words, y, whole - words, caption_height};
  group.bounds = {x, y, whole, part.height(cell_height)};
  stage.bounds = stage.bounds.united(group.bounds);
  add_group(stage, std::move(group), std::move(part.drawing.blocks));
}

}  // namespace

Stage token_cards(const FigureInput& input, Space space) {
  std::vector<CardPart> parts = parts_of(input, space.width < 480.0F ? 56.0F : 84.0F);
  const CardFit fit = best_fit(parts, space);
  Stage stage;
  stage.across = fit.across;
  float wide = 0.0F;
  float high = 0.0F;
  float widths = 0.0F;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].per_line = fit.per_line[i];
    const float width = std::max(parts[i].width(fit.cell_width),
                                 parts[i].labels + caption_width(parts[i].drawing.group, false));
    widths += width;
    wide = std::max(wide, width);
    high = std::max(high, parts[i].height(parts[i].cards ? fit.card_height : fit.pile_height));
  }
  // The rest of the width goes between cards and piles, where the rows fly.
  const auto gaps = static_cast<float>(parts.size() - 1);
  const float between = fit.across ? std::clamp((space.width - widths) / gaps, 20.0F,
                                                std::max(220.0F, space.width / 5.0F))
                                   : 24.0F;
  float x = 0.0F;
  float y = 0.0F;
  for (CardPart& part : parts) {
    const float width = std::max(part.width(fit.cell_width),
                                 part.labels + caption_width(part.drawing.group, false));
    const float height = part.height(part.cards ? fit.card_height : fit.pile_height);
    const float room = fit.across ? width + between * 0.8F : space.width;
    put(stage, std::move(part), fit, fit.across ? x : (wide - width) / 2.0F,
        fit.across ? (high - height) / 2.0F : y, room);
    x += width + between;
    y += height + between;
  }
  return stage;
}

}  // namespace stage
