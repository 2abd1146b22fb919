#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

using lesson::AttentionId;

namespace {

constexpr float padding = 12.0F;
constexpr float attention_heading = 44.0F;
constexpr float token_type = 10.5F;
constexpr float most_token = 56.0F;   // the width of a query's name
constexpr float keys_line = 18.0F;    // with the bar in the hue of the head below it
constexpr float least_named = 20.0F;  // the width of a cell under a name

std::string_view title_of(AttentionId id) {
  constexpr std::array keys = {"stage.attentions.one", "stage.attentions.encoder",
                               "stage.attentions.decoder", "stage.attentions.cross"};
  return base::text(keys[static_cast<std::size_t>(kind_of(id))]);
}

/// The queries beside the rows of the first head, the keys over the columns of each.
void put_tokens(Figure& figure, const std::vector<Block>& blocks,
                const std::vector<std::string>& queries, const std::vector<std::string>& keys) {
  const Block& first = blocks.front();
  for (std::size_t row = 0; row < first.rows(); ++row) {
    add_words(figure, {first.cells.x - 7.0F, first.cell(row, 0).centre().y}, Side::right,
              cut_to(queries[row], token_type, most_token), Tone::quiet, token_type);
  }
  // Over each column, or over none.
  constexpr float least_of_a_name = 28.0F;
  const float room = first.cells.width / static_cast<float>(first.columns()) - 3.0F;
  for (const std::string& key : keys)
    if (room < std::min(text_width(key, token_type), least_of_a_name)) return;
  for (const Block& block : blocks) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      const Rect cell = block.cell(0, column);
      add_words(figure, {cell.centre().x, block.cells.y - 14.0F}, Side::centre,
                cut_to(keys[column], token_type, room), Tone::quiet, token_type);
    }
  }
}

/// The weights of all heads, side by side in `whole`, with their tokens where these have room.
void put_weights(Stage& stage, Figure& figure, const document::ComputedAttention& attention,
                 const document::ViewState& view_state, const Rect& whole) {
  const std::vector<std::string>& queries = attention.query_tokens[view_state.sample];
  const std::vector<std::string>& keys = attention.key_tokens[view_state.sample];
  float names = 0.0F;
  for (const std::string& query : queries)
    names = std::max(names, std::min(text_width(query, token_type), most_token) + 9.0F);
  Rect room{whole.x + names, whole.y + keys_line, whole.width - names, whole.height - keys_line};
  const auto cells = static_cast<float>(attention.trace.config.num_heads * keys.size());
  const bool named = room.width / cells >= least_named && room.height >= 3.0F * least_named;
  if (!named) room = whole;
  document::ViewState all = view_state;
  all.all_heads = true;
  std::vector<Block> blocks = matrices_of(attention, "attention_weights", all);
  Group group;
  group.tensor = "attention_weights";
  group.in_figure = true;
  group.bounds = room;
  constexpr float gap = 8.0F;
  const auto count = static_cast<float>(blocks.size());
  const float width = (room.width - gap * (count - 1.0F)) / count;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    const auto rows = static_cast<float>(block.rows());
    const auto columns = static_cast<float>(block.columns());
    const float cell = std::min(width / columns, 52.0F);
    const float line = std::min({cell, room.height / rows, 46.0F});
    block.cells = {room.x + (width + gap) * static_cast<float>(i) + (width - cell * columns) / 2.0F,
                   room.y + (room.height - line * rows) / 2.0F, cell * columns, line * rows};
    block.row_labels.clear();
    block.column_labels.clear();
    block.rows_are_queries = false;
    block.only_seen = true;
  }
  if (named) put_tokens(figure, blocks, queries, keys);
  add_group(stage, std::move(group), std::move(blocks));
}

void put_card(Stage& stage, Figure& figure, const FigureInput& input,
              const document::ComputedAttention& attention, const Rect& card) {
  const bool here = attention.id == input.attention.id;
  add_frame(figure, card, here ? Tone::accent : Tone::line, here ? 2.0F : 1.0F);
  const float room = card.width - 2.0F * padding;
  add_words(figure, {card.x + padding, card.y + 16.0F}, Side::left,
            cut_to(title_of(attention.id), 13.0F, room), here ? Tone::strong : Tone::text, 13.0F);
  const model::Config& config = attention.trace.config;
  const std::string shape = "[H " + std::to_string(config.num_heads) + ", Lq " +
                            std::to_string(config.query_len) + ", Lk " +
                            std::to_string(config.key_len) + "]";
  if (text_width(shape, 11.0F, true) <= room) {
    add_number(figure, {card.x + padding, card.y + 33.0F}, Side::left, shape, Tone::quiet, 11.0F);
  }
  put_weights(stage, figure, attention, input.view_state,
              {card.x + padding, card.y + attention_heading + 4.0F, room,
               card.height - attention_heading - padding - 4.0F});
  figure.targets.push_back(
      {card,
       base::text("stage.attentions.show", {{"attention", title_of(attention.id)}}),
       document::ChooseAttention{attention.id},
       {}});
}

void put_arrow(Figure& figure, Point from, Point to, const std::string& label) {
  Stroke& arrow = add_line(figure, from, to, Tone::text);
  arrow.arrow = true;
  arrow.width = 1.5F;
  const bool level = from.y == to.y;
  const Point middle{(from.x + to.x) / 2.0F, (from.y + to.y) / 2.0F};
  add_words(figure, level ? Point{middle.x, middle.y - 12.0F} : Point{middle.x + 8.0F, middle.y},
            level ? Side::centre : Side::left, label, Tone::quiet, 12.0F);
}

}  // namespace

bool has_attentions(const FigureInput& input) { return input.computed.attentions.size() == 3; }

void put_attentions(Stage& stage, const FigureInput& input, const Rect& given) {
  const Rect place = at_least(given, 300.0F, 280.0F);
  Figure figure = figure_in("three-attentions", place);
  // As in the usual diagram of the Transformer, numbers go up: the encoder stands at the lower
  // left, the decoder at the lower right, and the cross-attention above the decoder.
  const float gap = std::clamp(place.width * 0.12F, 44.0F, 96.0F);
  const float width = std::min((place.width - gap) / 2.0F, 400.0F);
  const float lift = 56.0F;
  const float height = std::min((place.height - lift) / 2.0F, 240.0F);
  const float left = place.x + (place.width - 2.0F * width - gap) / 2.0F;
  const float top = place.y + (place.height - 2.0F * height - lift) / 2.0F;
  const Rect encoder{left, top, width, height};
  const Rect cross{left + width + gap, top, width, height};
  const Rect decoder{cross.x, cross.bottom() + lift, width, height};
  put_card(stage, figure, input, input.computed.find(AttentionId::encoder_self_attention), encoder);
  put_card(stage, figure, input, input.computed.find(AttentionId::cross_attention), cross);
  put_card(stage, figure, input, input.computed.find(AttentionId::decoder_self_attention), decoder);
  put_arrow(figure, {encoder.right() + 4.0F, encoder.centre().y},
            {cross.x - 4.0F, cross.centre().y}, "K, V");
  put_arrow(figure, {decoder.centre().x, decoder.y - 4.0F},
            {cross.centre().x, cross.bottom() + 4.0F}, "Q");
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
