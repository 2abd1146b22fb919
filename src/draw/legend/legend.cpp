#include "draw/legend/legend.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

stage::Rect Legend::bar_place(const stage::Rect& legend) {
  constexpr float bar_height = 10.0F;
  return {legend.x, legend.centre().y - bar_height / 2.0F, legend.width, bar_height};
}

const tensor::Tensor& Legend::matrix(const stage::Block& block) {
  const float low = block.colouring == stage::Colouring::weights ? 0.0F : -block.range;
  const float high = block.range;
  return matrix_.of({low, high}, [low, high] {
    constexpr std::size_t steps = 65;
    std::vector<float> values(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      values[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(steps - 1);
    }
    return tensor::Tensor({1, steps}, values);
  });
}

bool Legend::is_needed(const stage::Block& block) {
  if (block.colouring == stage::Colouring::weights || block.range != 1.0F) return true;
  const std::vector<float> values = block.matrix.values();
  return std::any_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value) && value != 0.0F; });
}

Legend::Ends Legend::ends(const stage::Block& block) {
  if (block.colouring == stage::Colouring::weights)
    return {"0", stage::number_text_telling(block.range)};
  return {stage::number_text_telling(-block.range), stage::number_text_telling(block.range)};
}

void Legend::text(const stage::Block& block, const stage::Rect& place, bool shared,
                  const Theme& theme, const Type& type, ImDrawList* list) {
  const stage::Rect bar = bar_place(place);
  const bool weights = block.colouring == stage::Colouring::weights;
  const float above = bar.y - 8.0F;
  const float below = bar.bottom() + 8.0F;
  const std::string brief =
      shared && !weights
          ? std::string(base::text("draw.legend.shared"))
          : base::text(block.is_difference ? "draw.legend.difference" : "draw.legend.value",
                       {{"tensor", model::name_of(block.tensor)}});
  std::string whole = brief;
  if (weights && block.range != 1.0F)
    whole = base::text("draw.legend.to_largest", {{"scale", brief}});
  if (!weights && !shared) whole = base::text("draw.legend.own_scale", {{"scale", brief}});
  // Without room for the whole text, the brief one, which may be cut as well.
  const bool fits = measure(type.words, 11.5F, whole).x <= place.width;
  set_text(list, type.words, 11.5F, {bar.x, above}, Align::left, packed(theme.quiet),
           fits ? whole : fitting(type.words, 11.5F, brief, place.width));
  set_text(list, type.numbers, 11.5F, {bar.x, below}, Align::left, packed(theme.quiet),
           ends(block).low);
  if (!weights)
    set_text(list, type.numbers, 11.5F, {bar.centre().x, below}, Align::centre, packed(theme.quiet),
             "0");
  set_text(list, type.numbers, 11.5F, {bar.right(), below}, Align::right, packed(theme.quiet),
           ends(block).high);
}

}  // namespace draw
