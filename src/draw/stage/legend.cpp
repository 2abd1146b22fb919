#include "draw/stage/legend.hpp"

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
  const std::string name = (block.is_difference ? "difference in " : "value in ") +
                           std::string(model::name_of(block.tensor));
  const std::string note = weights  ? (block.range == 1.0F ? "" : " (up to the largest weight)")
                           : shared ? ""
                                    : " (each matrix has its own scale)";
  // Without room for the whole text, only its first part, which may be cut as well.
  const std::string first = weights || !shared ? name : "value, one scale for all matrices";
  const bool all = measure(type.words, 11.5F, first + note).x <= place.width;
  set_text(list, type.words, 11.5F, {bar.x, above}, Align::left, packed(theme.quiet),
           all ? first + note : fitting(type.words, 11.5F, first, place.width));
  set_text(list, type.numbers, 11.5F, {bar.x, below}, Align::left, packed(theme.quiet),
           ends(block).low);
  if (!weights)
    set_text(list, type.numbers, 11.5F, {bar.centre().x, below}, Align::centre, packed(theme.quiet),
             "0");
  set_text(list, type.numbers, 11.5F, {bar.right(), below}, Align::right, packed(theme.quiet),
           ends(block).high);
}

}  // namespace draw
