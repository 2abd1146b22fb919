// Decides which tokens get room, where everything stands, and when it happens.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "base/order.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/layout/lettering.hpp"

namespace stage::sentence {

namespace {

constexpr float least_slot = 36.0F;  // "0.38" in a cell
constexpr float most_slot = 124.0F;
// Of what is shown while the step plays backward.
constexpr float rows_apart = 3.0F;
constexpr float table_caption = 24.0F;

/// The indices of the `room` largest values, ascending; `kept` is always among them.
std::vector<std::size_t> most_important(const std::vector<float>& importance, std::size_t room,
                                        std::optional<std::size_t> kept) {
  std::vector<base::SortKey> keys;
  for (std::size_t i = 0; i < importance.size(); ++i) {
    const double counts = std::isnan(importance[i]) ? 0.0 : static_cast<double>(importance[i]);
    keys.push_back({kept == i ? -1e9 : -counts, static_cast<double>(i)});
  }
  std::vector<std::size_t> places = base::order_of(keys);
  places.resize(std::min(room, places.size()));
  base::sort(places);
  return places;
}

bool repeats(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return std::adjacent_find(words.begin(), words.end()) != words.end();
}

/// Lays out the tokens in one line. If not all fit, the most important ones get a slot.
Line line_of(const std::vector<std::string>& words, const std::vector<float>& importance,
             std::optional<std::size_t> kept, const Rect& place) {
  const auto widest = [&](float type) {
    float width = 0.0F;
    for (const std::string& word : words) width = std::max(width, text_width(word, type));
    return width;
  };
  Line line;
  float slot = 0.0F;
  /// Sets the words in the first of these types and distances that fits, or in the last.
  const auto set = [&](std::initializer_list<std::pair<float, float>> settings) {
    for (const auto& [type, apart] : settings) {
      line.type = type;
      slot = std::clamp(widest(type) + apart, least_slot, most_slot);
      if (slot * static_cast<float>(words.size()) <= place.width) return true;
    }
    return false;
  };
  // Words that stand there twice are told apart by their numbers, which are worth smaller type.
  const bool with_numbers =
      repeats(words) && set({{17.0F, 30.0F}, {15.0F, 30.0F}, {13.0F, 22.0F}, {small_type, 22.0F}});
  if (!with_numbers) set({{17.0F, 6.0F}, {15.0F, 6.0F}, {13.0F, 6.0F}, {small_type, 2.0F}});
  const auto room = static_cast<std::size_t>(std::max(2.0F, std::floor(place.width / slot)));
  line.tokens = most_important(importance, room, kept);
  const auto count = static_cast<float>(line.tokens.size());
  line.slot = std::min(place.width / count, std::max(slot, place.width * 0.3F));
  line.left = place.x + (place.width - line.slot * count) / 2.0F;
  return line;
}

/// In self-attention, queries and keys are the same words and share one line.
bool is_self(const QueryRow& row) {
  const document::ComputedAttention& attention = row.attention();
  return lesson::kind_of(attention.id) != lesson::AttentionId::cross_attention &&
         attention.query_tokens == attention.key_tokens;
}

std::vector<std::string> words_of(const QueryRow& row, bool keys) {
  std::vector<std::string> words;
  const std::size_t count = keys ? row.keys() : row.trace().config.query_len;
  for (std::size_t i = 0; i < count; ++i)
    words.push_back(keys ? row.key_token(i) : row.query_token(i));
  return words;
}

/// The lines of queries and keys within `place`.
void put_lines(Places& places, const QueryRow& row, const std::vector<float>& weights,
               const Rect& place) {
  places.all = place;
  places.self = is_self(row);
  places.keys = line_of(words_of(row, true), weights,
                        places.self ? std::optional(row.query()) : std::nullopt, place);
  places.queries = places.keys;
  if (places.self) return;
  std::vector<float> nearness;
  for (std::size_t i = 0; i < row.trace().config.query_len; ++i)
    nearness.push_back(-std::fabs(static_cast<float>(i) - static_cast<float>(row.query())));
  const std::vector<std::string> words = words_of(row, false);
  places.queries = line_of(words, nearness, row.query(), place);
  if (places.queries.tokens.size() == words.size()) return;
  places.queries =
      line_of(words, nearness, row.query(),
              {place.x + room_for_way, place.y, place.width - 2.0F * room_for_way, place.height});
}

/// How much of the phase that starts at `begin` is over, 0 … 1.
float part_of(float progress, float begin, float length) {
  return std::clamp((progress - begin) / length, 0.0F, 1.0F);
}

/// The same for the i-th of `count` overlapping phases between `begin` and `end`, each `length`
/// long.
float turn_of(float progress, std::size_t i, std::size_t count, float begin, float end,
              float length) {
  const float last = static_cast<float>(std::max<std::size_t>(1, count - 1));
  return part_of(progress, begin + (end - length - begin) * static_cast<float>(i) / last, length);
}

}  // namespace

Places places_for(const QueryRow& row, const std::vector<float>& weights, const Rect& place,
                  std::optional<float> notes, bool which_head) {
  const float below_bar = note_height + (which_head ? second_note : 0.0F);
  Places places;
  places.mean = notes.has_value();
  put_lines(places, row, weights, place);
  places.stacked = place.width < 560.0F;
  places.features = !row.attention().features.empty();
  // On a tall screen every cell is large enough for a finger.
  const bool tall = place.height >= 480.0F;
  places.weight_height = tall ? 30.0F : 24.0F;
  const float rows = places.mean ? 0.0F : places.stacked ? 2.0F : 1.0F;
  const float head = places.self ? 0.0F : word_height;
  const float fixed = head + word_height + places.weight_height + bar_height + below_bar +
                      rows * places.over_row() + over_cells + 8.0F +
                      (places.stacked ? stacked_gap : 0.0F) + notes.value_or(0.0F);
  const float free = std::max(0.0F, place.height - fixed);
  places.cell_height = std::clamp(free * 0.14F, tall ? 30.0F : 24.0F, 56.0F);
  const float left = std::max(0.0F, free - rows * places.cell_height);
  const float bands = std::clamp(left * 0.32F, 12.0F, 140.0F);
  const float arcs = std::clamp(left - bands, 16.0F, 380.0F);
  const float used = fixed + rows * places.cell_height + bands + arcs;
  places.queries_top = place.y + std::max(0.0F, (place.height - used) / 2.0F);
  places.arcs_top = places.queries_top + head;
  places.keys_top = places.arcs_top + arcs;
  if (places.self) places.queries_top = places.keys_top;
  places.weights_top = places.keys_top + word_height + over_cells;
  places.bar_top = places.weights_top + places.weight_height + bands;
  places.rows_top = places.bar_top + bar_height + below_bar + 8.0F;
  return places;
}

PlacesBack places_back(const QueryRow& row, const std::vector<float>& weights, const Rect& place) {
  PlacesBack back;
  constexpr float between = 14.0F;
  back.right_width = std::clamp(place.width * 0.18F, 62.0F, 150.0F);
  back.column_width = std::clamp(back.right_width * 0.6F, 48.0F, 76.0F);
  Places& places = back.words;
  put_lines(places, row, weights,
            {place.x, place.y, place.width - back.right_width - between, place.height});
  back.right = places.keys.right() + between;
  const bool tall = place.height >= 480.0F;
  const float least = tall ? 30.0F : 24.0F;
  places.weight_height = least;
  const float head = places.self ? 0.0F : word_height;
  const float fixed = head + word_height + over_cells + 2.0F * least + rows_apart + table_caption +
                      note_height + 4.0F;
  const float free = std::max(0.0F, place.height - fixed);
  const std::size_t all = row.trace().config.head_dim();
  back.dimensions = std::clamp<std::size_t>(static_cast<std::size_t>(free * 0.6F / least), 1, all);
  back.cell_height = std::clamp(free * 0.6F / static_cast<float>(back.dimensions), least, 44.0F);
  const float table = back.cell_height * static_cast<float>(back.dimensions);
  const float arcs = std::clamp(free - table, 16.0F, 380.0F);
  places.queries_top = place.y + std::max(0.0F, (free - table - arcs) / 2.0F);
  places.arcs_top = places.queries_top + head;
  places.keys_top = places.arcs_top + arcs;
  if (places.self) places.queries_top = places.keys_top;
  places.weights_top = places.keys_top + word_height + over_cells;
  back.gradients_top = places.weights_top + least + rows_apart;
  back.table_top = back.gradients_top + least + table_caption;
  return back;
}

float arc_grown(float progress, std::size_t i, std::size_t count) {
  return turn_of(progress, i, count, 0.02F, 0.42F, 0.16F);
}

float band_fallen(float progress, std::size_t i, std::size_t count) {
  return turn_of(progress, i, count, 0.44F, 0.88F, 0.14F);
}

std::size_t arrived(float progress, std::size_t count) {
  std::size_t here = 0;
  while (here < count && band_fallen(progress, here, count) >= 1.0F) ++here;
  return here;
}

float largest_weight(const QueryRow& row, bool mean, const std::vector<float>& weights) {
  if (!mean) return value_range(row.trace()["attention_weights"]);
  float largest = 0.0F;
  for (const float weight : weights) largest = std::max(largest, length_of(weight));
  return largest;
}

float length_of(float weight) { return std::isfinite(weight) ? std::fabs(weight) : 0.0F; }

}  // namespace stage::sentence
