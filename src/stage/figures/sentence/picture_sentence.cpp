// The step "sentence" where the tokens are patches of a picture: arcs over the picture, and the
// query's patch before and after as pixels.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/patch_grid.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {
namespace sentence {
namespace {

constexpr float patch_line = 18.0F;
constexpr float apart = 32.0F;       // between the picture and the two patches
constexpr float arrow_room = 84.0F;  // between the patch before and the patch after
constexpr float rows_apart_from_picture = 12.0F;

/// Where the parts of the figure stand.
struct PictureRoom {
  Rect picture;
  Rect before;
  Rect after;
  bool beside = true;  ///< the patch after is right of the patch before, not below it
  float words_left = 0.0F;
  float words_width = 0.0F;
  Places rows;  ///< of the numbers below, as put_rows takes them
};

PictureRoom rooms_in(const Rect& place, bool mean, std::size_t notes) {
  PictureRoom room;
  room.rows.all = place;
  room.rows.stacked = place.width < 560.0F;
  room.rows.mean = mean;
  const bool tall = place.height >= 480.0F;
  room.rows.cell_height = tall ? 40.0F : 26.0F;
  const float one = room.rows.over_row() + room.rows.cell_height;
  const float rows = mean                ? patch_line * static_cast<float>(notes)
                     : room.rows.stacked ? 2.0F * one + stacked_gap
                                         : one;
  const float height = place.height - rows - rows_apart_from_picture;
  const float side = std::min({height - patch_line, place.width * 0.56F, 760.0F});
  const float top = place.y + std::max(0.0F, (height - patch_line - side) / 2.0F);
  room.picture = {place.x, top, side, side};
  room.rows.rows_top = place.bottom() - rows;

  const float left = room.picture.right() + (place.width < 560.0F ? 14.0F : apart);
  const float width = place.right() - left;
  room.words_left = left;
  room.words_width = width;
  room.beside = width >= 330.0F;
  const float patch =
      room.beside ? std::clamp((width - arrow_room) / 2.0F, 60.0F, std::max(150.0F, side * 0.36F))
                  : std::clamp((side - 4.0F * patch_line) / 2.0F, 36.0F, std::min(width, 130.0F));
  room.before = {left, top + patch_line + 4.0F, patch, patch};
  room.after = room.beside
                   ? Rect{left + patch + arrow_room, room.before.y, patch, patch}
                   : Rect{left, room.before.bottom() + 2.0F * patch_line + 4.0F, patch, patch};
  return room;
}

/// A patch's numbers, from −1 to 1, as pixels: the reds of all its pixels, the greens, the blues.
/// No numbers, no pixels.
void put_as_pixels(Figure& figure, const std::vector<float>& numbers, std::size_t side,
                   const Rect& place) {
  if (numbers.empty()) return;
  const std::size_t colour = side * side;
  const auto byte = [&](std::size_t i) {
    const float number = std::isnan(numbers[i]) ? -1.0F : std::clamp(numbers[i], -1.0F, 1.0F);
    return static_cast<unsigned char>(std::lround((number + 1.0F) * 127.5F));
  };
  const float pixel = place.width / static_cast<float>(side);
  for (std::size_t i = 0; i < colour; ++i) {
    const std::size_t row = i / side;
    const Rect at{place.x + pixel * static_cast<float>(i % side),
                  place.y + pixel * static_cast<float>(row), pixel, pixel};
    figure.patches.push_back({at, byte(i), byte(i + colour), byte(i + 2 * colour), 1.0F});
  }
}

/// How many of these numbers no pixel can show: those beyond −1 … 1, and NaN.
std::size_t without_colour(const std::vector<float>& numbers) {
  return static_cast<std::size_t>(std::count_if(numbers.begin(), numbers.end(), [](float number) {
    constexpr float rounding = 1.0F / 255.0F;
    return !(std::fabs(number) <= 1.0F + rounding);
  }));
}

/// The query's row of all heads' outputs; until all keys have arrived, the sums over those that
/// have, and nothing while there are none.
std::vector<float> mixed_so_far(const QueryRow& row, float progress) {
  const model::Trace& trace = row.trace();
  const std::size_t here = arrived(progress, row.keys());
  std::vector<float> numbers;
  if (here == row.keys()) {
    for (std::size_t i = 0; i < trace.config.embed_dim; ++i)
      numbers.push_back(trace["merged"].at({row.sample(), row.query(), i}));
    return numbers;
  }
  if (here == 0) return numbers;
  for (std::size_t head = 0; head < trace.config.num_heads; ++head) {
    const tensor::Tensor sums = running_sums(trace, row.sample(), head, row.query());
    for (std::size_t i = 0; i < trace.config.head_dim(); ++i)
      numbers.push_back(sums.at({here - 1, i}));
  }
  return numbers;
}

/// An arc from each patch to the query's, wide and dark by its weight. Where a weight has next to
/// no width, nothing is drawn, so that the picture stays visible.
void put_arcs_over(Figure& figure, const QueryRow& row, const PatchGrid& grid,
                   const std::vector<float>& weights, float progress) {
  const float largest = *std::max_element(weights.begin(), weights.end());
  if (!(largest > 0.0F)) return;
  constexpr float thinnest = 1.0F;
  const float widest = std::clamp(grid.frame().width * 0.018F, 4.0F, 8.0F);
  const Point to = grid.patch(row.query()).centre();
  std::vector<base::SortKey> order;  // the widest last, on top
  for (std::size_t key = 0; key < weights.size(); ++key)
    order.push_back({static_cast<double>(length_of(weights[key])), static_cast<double>(key)});
  for (const std::size_t key : base::order_of(order)) {
    const float share = length_of(weights[key]) / largest;
    const float grown = arc_grown(progress, key, weights.size());
    if (key == row.query() || share * widest < thinnest || grown <= 0.0F) continue;
    const Point from = grid.patch(key).centre();
    // Bent to one side, by a part of its length.
    const Point bend{(to.y - from.y) * 0.22F, (from.x - to.x) * 0.22F};
    const auto between = [&](float t) {
      const float away = 4.0F * t * (1.0F - t);
      return Point{from.x + (to.x - from.x) * t + bend.x * away,
                   from.y + (to.y - from.y) * t + bend.y * away};
    };
    Stroke stroke;
    constexpr int pieces = 24;
    for (int i = 0; i <= pieces; ++i)
      stroke.points.push_back(between(1.0F - grown * static_cast<float>(i) / pieces));
    stroke.tone = weights[key] < 0.0F ? Tone::below : Tone::text;
    stroke.width = share * widest;
    stroke.opacity = 0.35F + 0.5F * share;
    figure.strokes.push_back(std::move(stroke));
  }
}

/// What each head works on, and what the whole figure shows.
std::string picture_words(const QueryRow& row) {
  const model::Config& config = row.trace().config;
  if (config.num_heads == 3) return std::string(base::text("stage.patches.heads"));
  return base::text("stage.sentence.heads",
                    {{"heads", config.num_heads}, {"count", config.head_dim()}});
}

void put_patches(Figure& figure, const QueryRow& row, const PictureRoom& room, std::size_t side,
                 float progress) {
  std::vector<float> before;
  for (std::size_t i = 0; i < row.trace().config.embed_dim; ++i)
    before.push_back(row.trace()["query_input"].at({row.sample(), row.query(), i}));
  const std::vector<float> after = mixed_so_far(row, progress);
  put_as_pixels(figure, before, side, room.before);
  put_as_pixels(figure, after, side, room.after);
  add_frame(figure, room.before, Tone::accent, 2.5F);
  add_frame(figure, room.after, Tone::text, 1.5F);
  const auto title = [&](const Rect& patch, std::string_view key) {
    const float width = room.beside ? patch.width + arrow_room - 8.0F : room.words_width;
    figure.words.push_back(
        words_at({patch.x, patch.y - 4.0F - patch_line / 2.0F}, Side::left,
                 cut_to(base::text(key, {{"token", row.query_token()}}), 13.0F, width),
                 Tone::strong, 13.0F));
  };
  title(room.before, "stage.sentence.before");
  title(room.after, "stage.sentence.after");

  Stroke arrow =
      room.beside
          ? line_between({room.before.right() + 14.0F, room.before.centre().y},
                         {room.after.x - 14.0F, room.before.centre().y}, Tone::text)
          : line_between({room.before.centre().x, room.before.bottom() + 3.0F},
                         {room.before.centre().x, room.after.y - patch_line - 6.0F}, Tone::text);
  arrow.arrow = true;
  arrow.width = 1.5F;
  figure.strokes.push_back(std::move(arrow));

  // What remains of the column's height is for words.
  float y = room.after.bottom() + 12.0F + patch_line / 2.0F;
  const auto say = [&](const std::string& text, Tone tone) {
    for (const std::string& each : lines_of(text, small_type, room.words_width)) {
      if (y + patch_line / 2.0F > room.picture.bottom() + patch_line) return;
      figure.words.push_back(words_at({room.words_left, y}, Side::left, each, tone, small_type));
      y += patch_line;
    }
    y += 4.0F;
  };
  if (room.words_width < 160.0F) return;
  if (const std::size_t count = without_colour(before) + without_colour(after); count > 0)
    say(base::text("stage.picture.beyond", {{"count", count}}), Tone::strong);
  say(base::text("stage.picture.mixture", {{"count", row.keys()}}), Tone::text);
  say(picture_words(row), Tone::text);
  say(std::string(base::text("stage.picture.as_pixels")), Tone::quiet);
}

}  // namespace
}  // namespace sentence

void put_picture_sentence(Stage& stage, const FigureInput& input, const Rect& given) {
  using namespace sentence;
  const lesson::Picture& picture = *input.computed.picture;
  const QueryRow row(input);
  const Rect place = at_least(given, 260.0F, given.width < 560.0F ? 330.0F : 220.0F);
  const float progress = input.view_state.progress;
  const bool mean = document::draws_mean(row.trace(), input.view_state);
  const model::TensorId tensor =
      mean ? model::TensorId("mean_weights") : model::TensorId("attention_weights");
  const std::vector<float> weights = row.values(tensor);
  const std::vector<std::string> notes =
      mean ? lines_of(base::text("stage.mean.mixtures"), 12.5F, place.width)
           : std::vector<std::string>{};
  PictureRoom room = rooms_in(place, mean, notes.size());
  for (std::size_t key = 0; key < row.keys(); ++key) room.rows.keys.tokens.push_back(key);

  Figure figure = figure_in("picture-sentence", place);
  const PatchGrid grid(picture, room.picture);
  grid.put_pixels(figure);
  grid.put_weights(figure, row, tensor);
  grid.put_targets(figure, row);
  grid.put_frames(figure, row.query(), std::nullopt);
  put_arcs_over(figure, row, grid, weights, progress);
  put_patches(figure, row, room, picture.patch_size, progress);
  const float largest = *std::max_element(weights.begin(), weights.end());
  const std::string name = mean ? row.query_token() : row.with_head(row.query_token());
  const std::string said =
      base::text("stage.picture.weights", {{"query", name}, {"largest", number_text(largest, 3)}});
  const float under = place.width < 560.0F ? place.width : room.picture.width;
  figure.words.push_back(words_at(
      {room.picture.x, room.picture.bottom() + patch_line / 2.0F + 1.0F}, Side::left,
      longest_fitting({said + " · " + std::string(base::text("stage.picture.select")), said, ""},
                      small_type, under),
      Tone::quiet, small_type));
  float y = room.rows.rows_top + patch_line / 2.0F;
  for (const std::string& note : notes) {
    figure.words.push_back(words_at({place.x, y}, Side::left, note, Tone::text, 12.5F));
    y += patch_line;
  }
  if (!mean) put_rows(stage, figure, input, row, room.rows, progress);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
