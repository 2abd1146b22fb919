#include "stage/figures/step_figures.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "stage/figures/patch_grid.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

constexpr float line = 20.0F;
constexpr float widest = 360.0F;

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
  const PatchGrid grid(picture, frame);
  grid.put_pixels(figure);
  const std::vector<float> weights = row.values("attention_weights");
  const float largest = std::max(1e-9F, *std::max_element(weights.begin(), weights.end()));
  std::optional<std::size_t> key;
  if (weighted) {
    grid.put_weights(figure, row, "attention_weights");
    key = std::min(input.view_state.key, row.keys() - 1);  // of the weight in focus
  }
  grid.put_targets(figure, row);
  grid.put_frames(figure, row.query(), key);

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
