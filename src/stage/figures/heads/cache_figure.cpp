// Token by token: the keys and values that a decoder keeps, how much room they take, and how many
// multiplications they save.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "model/attention/kv_cache.hpp"
#include "model/roles.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

using model::KvCache;
using model::TensorId;

namespace {

constexpr float cache_type = 11.5F;
constexpr float cache_line = 16.0F;
constexpr float cache_caption = 26.0F;  // with the bar in the hue of the head below it
constexpr float over_chart = 26.0F;     // its heading
constexpr float least_chart = 48.0F;

/// The last tensor that has a row for each key, before heads share it: what is kept.
TensorId kept(const model::Trace& trace, std::initializer_list<TensorId> latest_first) {
  return *std::find_if(latest_first.begin(), latest_first.end(),
                       [&](TensorId id) { return trace.has(id); });
}
TensorId kept_keys(const model::Trace& trace) {
  return kept(trace, {"k_rotated", "k_normed", "k_groups", "k_heads"});
}
TensorId kept_values(const model::Trace& trace) { return kept(trace, {"v_groups", "v_heads"}); }

/// The rows of the chosen head that are kept, in an area that has room for all tokens.
void put_kept(Stage& stage, Figure& figure, const FigureInput& input, TensorId tensor,
              const Rect& area, const KvCache& cache, std::size_t place) {
  const auto tokens = static_cast<float>(input.attention.trace.config.key_len);
  const float pitch = area.height / tokens;
  const std::size_t first = place + 1 - cache.tokens;
  const auto y_of = [&](std::size_t row) { return area.y + pitch * static_cast<float>(row); };
  Block block = matrix_of_head(input.attention, input.view_state, tensor);
  block.matrix = block.matrix.narrow(0, first, cache.tokens);
  block.corner[*block.row_axis] = first;
  block.cells = {area.x, y_of(first), area.width, pitch * static_cast<float>(cache.tokens)};
  Group group;
  group.tensor = tensor;
  group.title = std::string(model::name_of(tensor));
  group.shape =
      "[Lk " + std::to_string(cache.tokens) + ", D " + std::to_string(block.matrix.dim(1)) + "]";
  group.in_figure = true;
  group.bounds = block.cells;
  add_group(stage, std::move(group), {std::move(block)});
  add_frame(figure, area, Tone::line, 1.0F);  // what has still room
  add_frame(figure, {area.x, y_of(place), area.width, pitch}, Tone::accent, 1.5F);
  add_words(figure, {area.x, area.y - 16.0F}, Side::left,
            cut_to(model::name_of(tensor), cache_type, area.width), Tone::text, cache_type);
}

/// A bar for each token: filled, its multiplications with the cache; its frame, without.
void put_chart(Figure& figure, const QueryRow& row, const Rect& area) {
  const model::Config& config = row.trace().config;
  const auto most =
      static_cast<float>(model::kv_cache_at(config, config.query_len - 1).multiplications_without);
  const float pitch = area.width / static_cast<float>(config.query_len);
  const float gap = std::min(3.0F, pitch / 4.0F);
  for (std::size_t place = 0; place < config.query_len; ++place) {
    const KvCache cache = model::kv_cache_at(config, place);
    const float x = area.x + pitch * static_cast<float>(place);
    const auto bar_of = [&](std::size_t multiplications) {
      const float height = area.height * static_cast<float>(multiplications) / most;
      return Rect{x, area.bottom() - height, pitch - gap, height};
    };
    const bool chosen = place == row.query();
    add_frame(figure, bar_of(cache.multiplications_without), chosen ? Tone::accent : Tone::line,
              1.0F);
    figure.bars.push_back({bar_of(cache.multiplications),
                           chosen ? Tone::accent : Tone::quiet,
                           {},
                           1.0F,
                           static_cast<float>(cache.multiplications),
                           {}});
    figure.targets.push_back(
        {Rect{x, area.y, pitch - gap, area.height},
         base::text("stage.cache.token", {{"token", row.query_token(place)},
                                          {"with", cache.multiplications},
                                          {"without", cache.multiplications_without}}),
         document::ChooseQuery{place},
         {}});
  }
  add_line(figure, {area.x, area.bottom()}, {area.right(), area.bottom()});
}

std::vector<std::string> cache_words(const model::Config& config, const KvCache& cache,
                                     float width) {
  const std::size_t numbers = config.num_kv_heads * config.head_dim();
  return lines_of(
      {base::text("stage.cache.kept",
                  {{"tokens", cache.tokens}, {"numbers", numbers}, {"bytes", cache.bytes}}),
       base::text("stage.cache.saved", {{"bytes", cache.bytes_before},
                                        {"with", cache.multiplications},
                                        {"without", cache.multiplications_without}})},
      cache_type, width);
}

}  // namespace

bool has_cache(const FigureInput& input) { return document::keeps_tokens(input.attention); }

void put_cache_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 240.0F, 160.0F);
  const QueryRow row(input);
  const model::Config& config = row.trace().config;
  const KvCache cache = model::kv_cache_at(config, row.query());
  Figure figure = figure_in("cache", place);
  put_query(figure, row, place.x, place.right(), place.y + query_line / 2.0F);

  const std::vector<std::string> words = cache_words(config, cache, place.width);
  // As many lines for every token as the last one needs, so that nothing moves between them.
  const std::size_t lines =
      cache_words(config, model::kv_cache_at(config, config.query_len - 1), place.width).size();
  const float notes = cache_line * static_cast<float>(std::max(lines, words.size())) + 6.0F;
  const float top = place.y + query_line + cache_caption;
  const float room = place.bottom() - notes - top;
  const float chart = room * 0.4F - over_chart >= least_chart ? room * 0.4F : 0.0F;

  // Rows no higher than those of a table; tokens beside them where they can be read.
  const auto tokens = static_cast<float>(config.key_len);
  const float height = std::min(room - chart - 4.0F, 26.0F * tokens);
  const float pitch = height / tokens;
  const bool labelled = pitch >= 13.0F;
  const float labels = labelled ? std::min(place.width * 0.24F, 84.0F) : 0.0F;
  for (std::size_t key = 0; labelled && key < config.key_len; ++key) {
    add_words(figure, {place.x, top + pitch * (static_cast<float>(key) + 0.5F)}, Side::left,
              cut_to(row.key_token(key), cache_type, labels - 8.0F),
              key == row.query()  ? Tone::strong
              : key < row.query() ? Tone::text
                                  : Tone::quiet,
              cache_type);
  }
  constexpr float between = 16.0F;
  const float width = (place.width - labels - between) / 2.0F;
  const float left = place.x + labels;
  put_kept(stage, figure, input, kept_keys(row.trace()), {left, top, width, height}, cache,
           row.query());
  put_kept(stage, figure, input, kept_values(row.trace()),
           {left + width + between, top, width, height}, cache, row.query());
  float y = top + height + 4.0F;
  if (chart > 0.0F) {
    add_words(
        figure, {place.x, y + over_chart / 2.0F + 2.0F}, Side::left,
        longest_fitting({base::text("stage.cache.chart"), base::text("stage.cache.chart.short")},
                        cache_type, place.width),
        Tone::quiet, cache_type);
    put_chart(figure, row, {place.x, y + over_chart, place.width, chart - over_chart - 4.0F});
    y += chart;
  }
  y += 6.0F;
  for (const std::string& line : words) {
    add_words(figure, {place.x, y + cache_line / 2.0F - 2.0F}, Side::left, line, Tone::text,
              cache_type);
    y += cache_line;
  }
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
