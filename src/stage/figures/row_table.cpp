#include "stage/figures/row_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order.hpp"
#include "base/text.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::TensorId;
using tensor::Tensor;

namespace {

constexpr float least_pitch = 16.0F;
constexpr float most_pitch = 36.0F;
constexpr float table_note_line = 16.0F;
constexpr float note_type = 11.5F;
constexpr float arrow_width = 28.0F;

/// ▲ and ▼, which choose the previous and the next query.
void put_arrows(Figure& figure, const QueryRow& row, float right, float y) {
  const std::size_t count = row.trace().config.query_len;
  if (count < 2) return;
  const auto put = [&](const char* sign, float x, bool possible, std::size_t query,
                       const char* key) {
    add_words(figure, {x, y}, Side::centre, sign, possible ? Tone::text : Tone::line, 12.0F);
    if (!possible) return;
    figure.targets.push_back({{x - arrow_width / 2.0F, y - 13.0F, arrow_width, 26.0F},
                              base::text(key, {{"token", row.query_token(query)}}),
                              document::ChooseQuery{query},
                              {}});
  };
  put("▲", right - 1.5F * arrow_width, row.query() > 0, row.query() - 1, "stage.query.previous");
  put("▼", right - 0.5F * arrow_width, row.query() + 1 < count, row.query() + 1,
      "stage.query.next");
}

}  // namespace

std::string number_in(float value, int room, int decimals) {
  std::string text = number_text_fitting(value, room, decimals);
  if (!text.empty() || !std::isfinite(value)) return text;
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const float digits = value / std::pow(10.0F, static_cast<float>(exponent));
  return number_text(digits, exponent < 10 ? 1 : 0) + "e" + std::to_string(exponent);
}

std::string brief_number(float value) {
  std::string text = number_in(value, 7, 4);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string short_text(double value) { return number_in(static_cast<float>(value), 7, 3); }

void put_query(Figure& figure, const QueryRow& row, float x, float right, float y) {
  const float arrows = row.trace().config.query_len > 1 ? 2.0F * arrow_width : 0.0F;
  const std::string query = base::text("stage.query.number", {{"index", row.query()}});
  add_words(figure, {x, y}, Side::left, query, Tone::quiet, 11.5F);
  const float token_x = x + text_width(query, 11.5F) + 8.0F;
  std::string head = base::text("stage.index.head", {{"index", row.head()}});
  const bool heads = row.trace().config.num_heads > 1;
  if (row.trace().overrides.ablates(row.head())) {
    const auto with = [&](std::string_view key) {
      return head + " · " + std::string(base::text(key));
    };
    head = longest_fitting({with("stage.weighted.off.short"), with("stage.weighted.off.shortest")},
                           11.5F, (right - arrows - token_x) / 2.0F);
  }
  const float head_width = heads ? text_width(head, 11.5F) + 12.0F : 0.0F;
  const std::string token = cut_to(row.query_token(), 14.0F, right - arrows - head_width - token_x);
  add_words(figure, {token_x, y}, Side::left, token, Tone::strong, 14.0F);
  if (heads) {
    add_words(figure, {token_x + text_width(token, 14.0F, false, true) + 12.0F, y}, Side::left,
              head, Tone::quiet, 11.5F);
  }
  put_arrows(figure, row, right, y);
}

QueryRow::QueryRow(const FigureInput& input)
    : attention_(&input.attention),
      sample_(std::min(input.view_state.sample, trace().config.batch - 1)),
      head_(std::min(input.view_state.head, trace().config.num_heads - 1)),
      query_(std::min(input.view_state.query, trace().config.query_len - 1)),
      guessed_(input.view_state.guessing) {}

const std::string& QueryRow::token(const std::vector<std::vector<std::string>>& tokens,
                                   std::size_t place) const {
  static const std::string none;
  if (sample_ >= tokens.size() || place >= tokens[sample_].size()) return none;
  return tokens[sample_][place];
}

std::string QueryRow::with_head(const std::string& name) const {
  if (trace().config.num_heads == 1) return name;
  return name + ", " + base::text("stage.index.head", {{"index", head_}});
}

std::vector<float> QueryRow::values(TensorId tensor) const { return view(tensor).values(); }

Tensor QueryRow::view(TensorId tensor) const {
  if (tensor == "mean_weights") return trace().at_query(tensor, query_).select(0, sample_);
  return trace()[tensor].select(0, sample_).select(0, head_).narrow(0, query_, 1);
}

KeyRows key_rows(const std::vector<float>& importance, float top, float height) {
  KeyRows rows;
  rows.top = top;
  const std::size_t count = importance.size();
  rows.keys.resize(count);
  std::iota(rows.keys.begin(), rows.keys.end(), std::size_t{0});
  const auto room = static_cast<std::size_t>(std::max(2.0F, height / least_pitch));
  if (count > room) {
    std::vector<base::SortKey> keys;
    for (const float counts : importance) {
      keys.push_back({std::isnan(counts) ? std::numeric_limits<double>::infinity()
                                         : -static_cast<double>(counts),
                      0.0});
    }
    rows.keys = base::order_of(keys);
    rows.keys.resize(room - 1);  // the last line says how many more there are
    base::sort(rows.keys);
    rows.left_out = count - rows.keys.size();
  }
  const auto lines = static_cast<float>(rows.keys.size() + (rows.left_out > 0 ? 1 : 0));
  rows.pitch = std::clamp(height / lines, least_pitch, most_pitch);
  return rows;
}

Rect at_least(const Rect& place, float width, float height) {
  return {place.x, place.y, std::max(place.width, width), std::max(place.height, height)};
}

KeyTable begin_table(const QueryRow& row, std::string name, const Rect& place,
                     const TableSizes& sizes, const std::vector<float>& importance,
                     std::size_t strong) {
  KeyTable table;
  std::vector<std::string> notes = lines_of(sizes.notes, note_type, place.width);
  const float whole = query_line + sizes.headings + sizes.footing + 2.0F * table_note_line + 8.0F +
                      20.0F * static_cast<float>(importance.size());
  if (!sizes.aside.empty() && whole <= place.height) {
    for (std::string& line : lines_of(sizes.aside, note_type, place.width))
      notes.push_back(std::move(line));
  }
  const auto notes_height = [&] {
    return notes.empty() ? 0.0F : table_note_line * static_cast<float>(notes.size()) + 8.0F;
  };
  // Numbers matter more than notes: without room for three rows, the notes go.
  const float table_height = query_line + sizes.headings + sizes.footing;
  if (place.height - table_height - notes_height() < 3.0F * least_pitch) notes.clear();
  const float fixed = table_height + notes_height();
  table.rows = key_rows(importance, 0.0F, place.height - fixed);
  const float height = fixed + table.rows.bottom();
  const float top = place.y + std::max(0.0F, (place.height - height) / 2.0F);
  table.headings = top + query_line;
  table.rows.top = table.headings + sizes.headings;
  table.footing = table.rows.bottom();
  table.right = place.right();
  table.type = std::clamp(table.rows.pitch * 0.62F, 10.5F, place.width < 300.0F ? 11.5F : 13.0F);
  table.figure.name = std::move(name);
  table.figure.bounds = {place.x, top, place.width, height};

  put_query(table.figure, row, place.x, table.right, top + query_line / 2.0F - 2.0F);

  const float longest = std::clamp(place.width * 0.24F, 40.0F, 96.0F);
  float tokens = 0.0F;
  for (const std::size_t key : table.rows.keys)
    tokens = std::max(tokens, text_width(row.key_token(key), table.type));
  tokens = std::clamp(tokens, 28.0F, longest);
  table.left = place.x + tokens + 10.0F;
  std::vector<std::string> labels;
  for (const std::size_t key : table.rows.keys) labels.push_back(row.key_token(key));
  labels = shortened_apart(labels, table.type, tokens);
  for (std::size_t i = 0; i < table.rows.keys.size(); ++i) {
    const std::size_t key = table.rows.keys[i];
    const bool padding = row.key_token(key) == lesson::pad_token;
    const Tone tone = key == strong ? Tone::strong : padding ? Tone::quiet : Tone::text;
    add_words(table.figure, {place.x, table.rows.middle(i)}, Side::left, labels[i], tone,
              table.type);
  }
  if (table.rows.left_out > 0) {
    add_words(table.figure, {place.x, table.rows.middle(table.rows.keys.size())}, Side::left,
              base::text("stage.table.more", {{"count", table.rows.left_out}}), Tone::quiet, 10.5F);
  }
  float y = table.footing + sizes.footing + 8.0F + table_note_line / 2.0F;
  for (const std::string& line : notes) {
    add_words(table.figure, {place.x, y}, Side::left, line, Tone::quiet, note_type);
    y += table_note_line;
  }
  return table;
}

void put_number(KeyTable& table, float x, float y, std::string text, Tone tone,
                std::optional<document::CellRef> cell) {
  add_number(table.figure, {x, y}, Side::right, std::move(text), tone, table.type).cell = cell;
}

BarAxis bar_axis(const std::vector<float>& weights, float left, float width) {
  const bool two_sided =
      std::any_of(weights.begin(), weights.end(), [](float weight) { return weight < 0.0F; });
  return two_sided ? BarAxis{left + width / 2.0F, width / 2.0F} : BarAxis{left, width};
}

void put_weight(KeyTable& table, std::size_t i, float x, float length, Bar bar, float most) {
  const float height = std::min(18.0F, table.rows.pitch - 6.0F);
  const float share = std::isfinite(bar.value) ? std::min(std::fabs(bar.value) / most, 1.0F) : 0.0F;
  if (bar.value < 0.0F) bar.tone = Tone::below;
  const float left = bar.value < 0.0F ? x - length * share : x;
  bar.place = {left, table.rows.middle(i) - height / 2.0F, length * share, height};
  table.figure.bars.push_back(bar);
}

bool is_same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void put_heading(KeyTable& table, float x, float width, Side side, const Lengths& first,
                 const Lengths& second) {
  const float at = side == Side::left ? x : side == Side::centre ? x + width / 2.0F : x + width;
  add_words(table.figure, {at, table.headings + 8.0F}, side, longest_fitting(first, 11.5F, width),
            Tone::text, 11.5F);
  const std::string under = longest_fitting(second, 10.5F, width);
  if (under.empty()) return;
  add_words(table.figure, {at, table.headings + 22.0F}, side, under, Tone::quiet, 10.5F);
}

void put_cells(Stage& stage, const QueryRow& row, TensorId tensor, const KeyRows& rows, float x,
               float width) {
  if (!row.trace().has(tensor) || rows.keys.empty()) return;
  Group group;
  group.tensor = tensor;
  group.title = std::string(model::name_of(tensor));
  group.shape = "[Lk " + std::to_string(row.keys()) + "]";
  group.in_figure = true;
  std::vector<Block> blocks;
  const Tensor column = row.view(tensor).transpose(0, 1);  // [Lk,1]
  for (std::size_t first = 0; first < rows.keys.size();) {
    std::size_t last = first;
    while (last + 1 < rows.keys.size() && rows.keys[last + 1] == rows.keys[last] + 1) ++last;
    const std::size_t count = last + 1 - first;
    Block block;
    block.attention = row.attention().id;
    block.tensor = tensor;
    block.matrix = column.narrow(0, rows.keys[first], count);
    block.corner = row.index(rows.keys[first]);
    block.row_axis = 3;
    block.colouring = colouring_of(row.trace(), tensor);
    block.range = value_range(row.trace()[tensor]);
    block.cells = {x, rows.top + rows.pitch * static_cast<float>(first), width,
                   rows.pitch * static_cast<float>(count)};
    group.bounds = group.bounds.united(block.cells);
    blocks.push_back(std::move(block));
    first = last + 1;
  }
  add_group(stage, std::move(group), std::move(blocks));
}

std::string divisor_text(const model::Scale& scale, std::size_t head_dim, std::size_t key_len) {
  switch (scale.kind) {
    case model::Scale::Kind::sqrt_head_dim:
      return "√" + std::to_string(head_dim);
    case model::Scale::Kind::sqrt_keys:
      return "√" + std::to_string(key_len);
    case model::Scale::Kind::number:
      return brief_number(scale.number);
    case model::Scale::Kind::none:
      break;
  }
  return "1";
}

Lengths names_of_variant(const model::Trace& trace) {
  if (trace.has("biased_scores"))
    return {base::text("stage.score.biased"), base::text("stage.score.biased.short")};
  if (!trace.has("capped_scores")) return {};
  return {base::text("stage.score.capped"), base::text("stage.score.capped.short")};
}

Lengths names_of_masked_score(const QueryRow& row) {
  const model::Trace& trace = row.trace();
  if (trace.has("mask"))
    return {base::text("stage.score.masked"), base::text("stage.score.masked.short")};
  if (trace.has("capped_scores") || trace.has("biased_scores")) return names_of_variant(trace);
  // A mistake can leave the division out, so compare what was really computed.
  if (!row.is_guessed() && trace["scaled_scores"].shares_storage_with(trace["scores"]))
    return {base::text("stage.score.plain")};
  const model::Config& config = trace.config;
  return {base::text("stage.score.scaled",
                     {{"divisor", divisor_text(config.scale, config.head_dim(), config.key_len)}}),
          base::text("stage.score.scaled.short")};
}

}  // namespace stage
