// The figure as a whole, the weights below the words, and the bar that they add up to.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/figures/weights/sum_to_one.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/breadcrumb.hpp"

namespace stage {

using tensor::Tensor;

namespace sentence {

namespace {

/// The weights that are drawn.
model::TensorId weights_of(const Places& places) {
  return places.mean ? model::TensorId("mean_weights") : model::TensorId("attention_weights");
}

}  // namespace

void put_weights(Stage& stage, const QueryRow& row, const Places& places,
                 const std::vector<float>& grown) {
  const model::TensorId tensor = weights_of(places);
  const Tensor weights = row.view(tensor);  // [1,Lk]
  const Line& line = places.keys;
  Group group;
  group.tensor = tensor;
  group.title = std::string(model::name_of(group.tensor));
  group.shape = "[Lk " + std::to_string(row.keys()) + "]";
  group.in_figure = true;
  group.first_block = stage.blocks.size();
  for (std::size_t first = 0; first < line.tokens.size();) {
    std::size_t last = first;
    while (last + 1 < line.tokens.size() && line.tokens[last + 1] == line.tokens[last] + 1) ++last;
    const std::size_t count = last + 1 - first;
    Block block;
    block.attention = row.attention().id;
    block.tensor = tensor;
    block.matrix = weights.narrow(1, line.tokens[first], count);
    block.corner = row.cell(tensor, line.tokens[first]).index;
    block.row_axis = block.corner.rank() - 2;
    block.column_axis = block.corner.rank() - 1;
    if (!places.mean) block.head = row.head();
    block.colouring = colouring_of(row.trace(), tensor);
    block.range = value_range(places.mean ? weights : row.trace()[tensor]);
    block.cells = {line.left + line.slot * static_cast<float>(first), places.weights_top,
                   line.slot * static_cast<float>(count), places.weight_height};
    block.shown = 0;
    while (block.shown < count && grown[first + block.shown] >= 1.0F) ++block.shown;
    block.group = stage.groups.size();
    group.bounds = group.bounds.united(block.cells);
    stage.blocks.push_back(std::move(block));
    first = last + 1;
  }
  group.caption = {group.bounds.x, group.bounds.y, 0.0F, 0.0F};
  group.block_count = stage.blocks.size() - group.first_block;
  stage.groups.push_back(std::move(group));
}

namespace {

/// What a translator says after the query: the token that the row is about. Empty for others.
std::string said_next(const FigureInput& input, const QueryRow& row) {
  const auto& translated = input.computed.translated;
  const bool source =
      lesson::kind_of(row.attention().id) == lesson::AttentionId::encoder_self_attention;
  if (!translated || source || row.query() >= translated->places.size()) return {};
  return translated->places[row.query()].said.piece;
}

std::string words_said_next(const FigureInput& input, const QueryRow& row) {
  const std::string next = said_next(input, row);
  if (next.empty()) return {};
  return base::text("stage.sentence.says", {{"token", row.query_token()}, {"next", next}});
}

/// Why a word looks elsewhere than at its own translation: it looks for what is said next.
std::string words_for_next(const FigureInput& input, const QueryRow& row,
                           const std::vector<float>& weights) {
  const std::string next = said_next(input, row);
  if (next.empty()) return {};
  const auto largest = std::max_element(weights.begin(), weights.end());
  const auto key = static_cast<std::size_t>(largest - weights.begin());
  return base::text("stage.sentence.for_next", {{"token", row.query_token()},
                                                {"next", next},
                                                {"key", row.key_token(key)},
                                                {"weight", number_text(*largest, 2)}});
}

/// "decoder layer 3, cross, head 2": what is drawn, of all attentions of a translator.
std::string name_of_shown(const QueryRow& row, bool mean) {
  const lesson::AttentionId id = row.attention().id;
  return mean ? base::text("stage.sentence.mean_of", {{"attention", layer_words(id)},
                                                      {"count", row.trace().config.num_heads}})
              : base::text("stage.sentence.head_in",
                           {{"attention", layer_words(id)}, {"head", row.head()}});
}

/// A translator has many heads, and each looks elsewhere: which one is drawn.
std::string which_head_words(const QueryRow& row, bool mean, float type, float width) {
  const std::string name = name_of_shown(row, mean);
  const std::string whole =
      base::text(mean ? "stage.sentence.which_layer" : "stage.sentence.which_head",
                 {{"token", row.query_token()}, {"name", name}});
  const std::string brief =
      base::text(mean ? "stage.sentence.which_layer.short" : "stage.sentence.which_head.short",
                 {{"name", name}});
  return longest_fitting({whole, brief, name}, type, width);
}

/// What the heads are, where there are several: each makes a mixture of its own.
std::string heads_words(const QueryRow& row, float width) {
  const std::size_t heads = row.trace().config.num_heads;
  const std::size_t dim = row.trace().config.head_dim();
  const std::vector<std::string>& features = row.attention().features;
  std::string named;
  if (features.size() == heads * dim) {
    std::string list;
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (i % dim != 0)
        list += ", " + features[i];
      else
        list += (i == 0 ? "" : ". ") + base::text("stage.sentence.head_mixes",
                                                  {{"head", i / dim}, {"feature", features[i]}});
    }
    named = base::text("stage.sentence.heads_named", {{"list", list}});
  }
  const std::string whole = base::text("stage.sentence.heads", {{"heads", heads}, {"count", dim}});
  const std::string brief = base::text("stage.sentence.heads.short", {{"heads", heads}});
  return named.empty() ? longest_fitting({whole, brief, ""}, small_type, width)
                       : longest_fitting({named, whole, brief, ""}, small_type, width);
}

/// Which row stands there; that its numbers are random matters more.
std::string row_words(const QueryRow& row, const Places& places, const std::string& says,
                      bool random, float width) {
  const std::string_view tensor = model::name_of(weights_of(places));
  const std::string whole =
      base::text("stage.sentence.weights", {{"query", row.query()}, {"tensor", tensor}});
  const std::string brief =
      base::text("stage.sentence.weights.short", {{"query", row.query()}, {"tensor", tensor}});
  const bool by_hand =
      !places.mean && model::explain(row.trace(), "attention_weights", row.index(0)).rule ==
                          model::Rule::given_by_hand;
  if ((!random || by_hand) && !says.empty())
    return longest_fitting({says + " · " + whole, says + " · " + brief, says, ""}, small_type,
                           width);
  if (!random || by_hand) return longest_fitting({whole, brief, ""}, small_type, width);
  const std::string untrained(base::text("stage.sentence.random"));
  return longest_fitting({whole + " · " + untrained, brief + " · " + untrained, untrained, ""},
                         small_type, width);
}

/// The weights of the query, added up.
struct Sums {
  float lengths = 0.0F;
  float weights = 0.0F;
  float left_out = 0.0F;  ///< of the keys that have no place
};

Sums sums_of(const std::vector<float>& weights, const Places& places) {
  Sums sums;
  for (std::size_t key = 0; key < weights.size(); ++key) {
    sums.lengths += length_of(weights[key]);
    const float weight = std::isfinite(weights[key]) ? weights[key] : 0.0F;
    sums.weights += weight;
    sums.left_out += places.keys.of(key) ? 0.0F : weight;
  }
  return sums;
}

/// The word and the weight of a share, as far as there is room in it.
void put_share_words(Figure& figure, const QueryRow& row, std::size_t key, const Bar& bar) {
  const std::string number = number_text(bar.value, 2);
  const float room = bar.place.width - 8.0F;
  const std::string& word = row.key_token(key);
  const float word_width = text_width(word, 12.0F);
  const float number_width = text_width(number, 12.0F, true);
  const Point middle = bar.place.centre();
  if (word_width + 6.0F + number_width <= room) {
    const float between = middle.x + (word_width - number_width) / 2.0F;
    figure.words.push_back(
        words_at({between - 3.0F, middle.y}, Side::right, word, Tone::text, 12.0F));
    Words digits = number_at({between + 3.0F, middle.y}, Side::left, number, Tone::text, 12.0F);
    digits.cell = bar.cell;
    figure.words.push_back(std::move(digits));
  } else if (word_width <= room) {
    figure.words.push_back(words_at(middle, Side::centre, word, Tone::text, 12.0F));
  }
}

/// The line below the bar: what the row is, or what is missing from it, and its sum.
void put_bar_notes(Figure& figure, const QueryRow& row, const Places& places,
                   const std::vector<float>& weights, const Sums& sums, const std::string& says,
                   bool random) {
  const float y = places.bar_top + bar_height + note_height / 2.0F + 2.0F;
  const std::size_t left_out = row.keys() - places.keys.tokens.size();
  std::string said;
  if (sums.lengths <= 0.0F)
    said = base::text("stage.sentence.all_hidden");
  else if (left_out > 0)
    said = base::counted_text("stage.sentence.more_keys", left_out,
                              {{"weight", number_text(sums.left_out, 2)}});
  const std::string sum = number_text(sums.weights, 2);
  const std::string total_words = base::text("stage.sentence.sum", {{"sum", sum}});
  // The cells under the words have three decimals where they have room for them.
  const bool rounded =
      left_out == 0 && !rounded_sum(weights, places.keys.slot < 44.0F ? 2 : 3).empty();
  const std::string total = longest_fitting(
      {rounded ? total_words + "; " + std::string(base::text("stage.sum.rounded.short"))
               : total_words,
       total_words, base::text("stage.sentence.sum.short", {{"sum", sum}})},
      small_type, places.all.width * 0.5F);
  float total_width = text_width(total, small_type) + 12.0F;
  figure.words.push_back(
      words_at({places.all.right(), y}, Side::right, total, Tone::quiet, small_type));
  if (!places.mean && put_sum_to_one(figure, row, {places.all.right() - total_width, y},
                                     Side::right, places.all.width * 0.3F, small_type))
    total_width += figure.targets.back().place.width + 12.0F;
  if (said.empty()) said = row_words(row, places, says, random, places.all.width - total_width);
  said = cut_to(said, small_type, places.all.width - total_width);
  if (!said.empty())
    figure.words.push_back(words_at({places.all.x, y}, Side::left, said, Tone::quiet, small_type));
}

/// The bar with each key's share, and the bands that lead there.
void put_bar(Figure& figure, const QueryRow& row, const Places& places,
             const std::vector<float>& weights, float largest, const Sums& sums, float progress) {
  const float left = places.all.x;
  const float unit =
      places.all.width / std::max(1.0F, sums.lengths);  // the length of a weight of 1
  const std::size_t count = places.keys.tokens.size();
  const Rect frame{left, places.bar_top, places.all.width, bar_height};
  float x = left;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t key = places.keys.tokens[i];
    const float width = length_of(weights[key]) * unit;
    const float fallen = band_fallen(progress, i, count);
    const float cell = places.keys.left + places.keys.slot * static_cast<float>(i);
    const Tone tone = weights[key] < 0.0F ? Tone::below : Tone::text;
    if (width > 0.0F && fallen > 0.0F) {
      Band band;
      band.top = places.weights_top + places.weight_height + 2.0F;
      band.bottom = places.bar_top;
      band.upper = {cell + 2.0F, cell + places.keys.slot - 2.0F};
      band.lower = {x, x + width};
      band.drawn = fallen;
      band.tone = tone;
      band.opacity = 0.08F + 0.22F * std::min(1.0F, length_of(weights[key]) / largest);
      figure.bands.push_back(band);
    }
    if (fallen >= 1.0F) {
      Bar bar;
      bar.place = {x, places.bar_top, width, bar_height};
      bar.tone = tone;
      bar.opacity = 0.34F;
      bar.value = weights[key];
      bar.cell = row.cell(weights_of(places), key);
      figure.strokes.push_back(line_between({x, places.bar_top}, {x, frame.bottom()}));
      put_share_words(figure, row, key, bar);
      figure.bars.push_back(bar);
    }
    x += width;
  }
  // The frame of the whole bar, however much of it is filled.
  add_frame(figure, frame, Tone::line, 1.0F);
}

constexpr float mean_note_type = 12.5F;
constexpr float mean_note_line = 17.0F;

/// What is said of a mean, after `first`: which layer it is of, how it is made, and that no head
/// mixes values with it.
std::vector<std::string> mean_notes(const QueryRow& row, const std::string& first, bool translates,
                                    const Rect& place) {
  const std::size_t heads = row.trace().config.num_heads;
  // Where there is little height, the equation above the stage has to say how it is made.
  const bool low = place.height < 320.0F && !first.empty();
  std::vector<std::string> notes;
  if (!first.empty()) notes.push_back(first);
  if (translates) notes.push_back(which_head_words(row, true, mean_note_type, place.width));
  if (!low) {
    notes.push_back(base::text(heads == 2 ? "stage.mean.made.two" : "stage.mean.made",
                               {{"count", heads}, {"last", heads - 1}}));
  }
  notes.emplace_back(base::text("stage.mean.mixtures"));
  return lines_of(notes, mean_note_type, place.width);
}

void put_mean_notes(Figure& figure, const std::vector<std::string>& notes, const Places& places) {
  float y = places.rows_top + mean_note_line / 2.0F;
  for (const std::string& line : notes) {
    figure.words.push_back(
        words_at({places.all.x, y}, Side::left, line, Tone::text, mean_note_type));
    y += mean_note_line;
  }
}

}  // namespace
}  // namespace sentence

void put_sentence(Stage& stage, const FigureInput& input, const Rect& given) {
  using namespace sentence;
  const QueryRow row(input);
  const Rect place = at_least(given, 240.0F, given.width < 560.0F ? 276.0F : 220.0F);
  const float progress = input.view_state.progress;
  const bool mean = document::draws_mean(row.trace(), input.view_state);
  const std::vector<float> weights =
      row.values(mean ? model::TensorId("mean_weights") : model::TensorId("attention_weights"));
  const float largest = largest_weight(row, mean, weights);
  const bool translates = input.computed.translated.has_value();
  std::vector<std::string> notes;
  if (mean) {
    const bool narrow = place.width < 560.0F;
    notes =
        mean_notes(row, narrow ? words_said_next(input, row) : words_for_next(input, row, weights),
                   translates, place);
  }
  const std::string says = mean ? "" : words_said_next(input, row);
  constexpr float roomy = 360.0F;
  const bool says_heads =
      !translates && !mean && row.trace().config.num_heads > 1 && place.height >= roomy;
  const bool second_line = says_heads || (translates && !mean);
  const Places places = places_for(
      row, weights, place,
      mean ? std::optional(mean_note_line * static_cast<float>(notes.size())) : std::nullopt,
      second_line);

  Figure figure;
  figure.name = "sentence";
  figure.bounds = place;
  put_words(figure, row, places);
  std::vector<float> grown;
  for (std::size_t i = 0; i < places.keys.tokens.size(); ++i)
    grown.push_back(arc_grown(progress, i, places.keys.tokens.size()));
  put_arcs(figure, row, places, weights, grown);
  put_weights(stage, row, places, grown);
  const Sums sums = sums_of(weights, places);
  put_bar(figure, row, places, weights, largest, sums, progress);
  put_bar_notes(figure, row, places, weights, sums, says, input.computed.random);
  if (second_line) {
    const float y = places.bar_top + bar_height + note_height + second_note / 2.0F;
    const float x = says_heads ? places.all.x : place.x;
    figure.words.push_back(words_at({x, y}, Side::left,
                                    says_heads
                                        ? heads_words(row, places.all.width)
                                        : which_head_words(row, false, small_type, place.width),
                                    Tone::text, small_type));
  }
  if (mean)
    put_mean_notes(figure, notes, places);
  else
    put_rows(stage, figure, input, row, places, progress);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
