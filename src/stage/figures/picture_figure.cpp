#include "stage/figures/step_figures.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

constexpr float line = 20.0F;
constexpr float widest = 360.0F;
constexpr float patch_for_number = 40.0F;

/// Whether the picture shows weights; the first steps are not about them yet.
bool shows_weights(lesson::StepId step) {
  return step != lesson::StepId::input && step != lesson::StepId::project;
}

}  // namespace

bool has_picture(const FigureInput& input) {
  if (!input.computed.picture) return false;
  const lesson::Picture& picture = *input.computed.picture;
  return picture.patch_size > 0 && picture.patches_per_row() * picture.patches_per_column() ==
                                       input.attention.trace.config.key_len;
}

void put_picture(Stage& stage, const FigureInput& input, const Rect& given) {
  const lesson::Picture& picture = *input.computed.picture;
  const Rect place = at_least(given, 240.0F, 160.0F);
  const QueryRow row(input);
  const bool weighted = shows_weights(input.view_state.step);

  Figure figure = figure_in("picture", place);
  const float side = std::min({place.width, place.height - 2.0F * line - 12.0F, widest});
  const Rect frame{place.x + (place.width - side) / 2.0F,
                   place.y + (place.height - side - 2.0F * line - 12.0F) / 2.0F, side, side};
  const float pixel = side / static_cast<float>(picture.width);
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      const std::uint8_t* rgb = &picture.rgb[(y * picture.width + x) * 3];
      const Rect patch{frame.x + pixel * static_cast<float>(x),
                       frame.y + pixel * static_cast<float>(y), pixel, pixel};
      figure.patches.push_back({patch, rgb[0], rgb[1], rgb[2], 1.0F});
    }
  }

  const std::vector<float> weights = row.values("attention_weights");
  const float largest = std::max(1e-9F, *std::max_element(weights.begin(), weights.end()));
  const std::size_t across = picture.patches_per_row();
  const float size = side / static_cast<float>(across);
  const auto place_of_patch = [&](std::size_t token) {
    const std::size_t row_of_patch = token / across;
    return Rect{frame.x + size * static_cast<float>(token % across),
                frame.y + size * static_cast<float>(row_of_patch), size, size};
  };
  for (std::size_t key = 0; key < weights.size(); ++key) {
    const Rect patch = place_of_patch(key);
    if (weighted) {
      // A layer of the page's colour dims the patches that get little attention.
      const float opacity = 0.85F * (1.0F - std::clamp(weights[key] / largest, 0.0F, 1.0F));
      const document::CellRef cell = row.cell("attention_weights", key);
      figure.bars.push_back({patch, Tone::paper, {}, opacity, weights[key], cell});
      if (size >= patch_for_number) {
        Words& number = add_number(figure, patch.centre(), Side::centre,
                                   number_text(weights[key], 2), Tone::text, 11.0F);
        number.cell = cell;
        number.plate = true;
      }
    }
    figure.targets.push_back({patch,
                              base::text("stage.picture.choose", {{"patch", row.key_token(key)}}),
                              document::ChooseQuery{key},
                              {}});
  }
  for (std::size_t i = 0; i <= across; ++i) {
    const float at = size * static_cast<float>(i);
    add_line(figure, {frame.x + at, frame.y}, {frame.x + at, frame.bottom()}, Tone::line);
    add_line(figure, {frame.x, frame.y + at}, {frame.right(), frame.y + at}, Tone::line);
  }
  // The weight in focus is that of this key.
  const std::size_t key = std::min(input.view_state.key, row.keys() - 1);
  if (weighted && key != row.query()) add_frame(figure, place_of_patch(key), Tone::text, 1.5F);
  add_frame(figure, place_of_patch(row.query()), Tone::accent, 2.5F);

  const float below = frame.bottom() + 12.0F + line / 2.0F;
  const auto say = [&](float y, std::string_view text) {
    add_words(figure, {place.centre().x, y}, Side::centre, cut_to(text, 12.0F, place.width - 8.0F),
              Tone::quiet, 12.0F);
  };
  if (weighted)
    say(below, base::text("stage.picture.weights", {{"query", row.with_head(row.query_token())},
                                                    {"largest", number_text(largest, 3)}}));
  else
    say(below, base::text("stage.picture.query", {{"patch", row.query_token()}}));
  say(below + line, base::text("stage.picture.select"));
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
