#include "stage/figures/heads/memory_jumps.hpp"

#include <utility>

#include "base/text.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {

std::vector<Jump> jumps_to(const model::Trace& trace, model::TensorId id,
                           const tensor::Index& index) {
  const ops::Axes axes = trace.axes_of(id);
  const tensor::Tensor& tensor = trace[id];
  std::vector<Jump> jumps;
  std::size_t at = 0;
  for (std::size_t axis = 1; axis < tensor.rank(); ++axis) {
    const model::Axis letter = axes[axis];
    const char* name = ops::counts_heads(letter)  ? "head"
                       : letter == model::Axis::D ? "column"
                                                  : "token";
    for (std::size_t i = 0; i < index[axis]; ++i) {
      jumps.push_back({at, at + tensor.strides()[axis], 1, name});
      at = jumps.back().to;
    }
  }
  return jumps;
}

std::vector<Jump> in_one(const std::vector<Jump>& jumps) {
  std::vector<Jump> merged;
  for (const Jump& jump : jumps) {
    if (merged.empty() || merged.back().axis != jump.axis) {
      merged.push_back(jump);
      continue;
    }
    merged.back().to = jump.to;
    merged.back().count += jump.count;
  }
  return merged;
}

void put_arcs(Figure& figure, const std::vector<Jump>& jumps,
              const std::function<float(std::size_t)>& x_of, float y, bool over, float arc_height) {
  constexpr float shortest = 10.0F;
  const float way = over ? -1.0F : 1.0F;
  for (const Jump& jump : jumps) {
    if (x_of(jump.to) - x_of(jump.from) < shortest) continue;
    const float from = x_of(jump.from) + 3.0F;
    const float to = x_of(jump.to) - 3.0F;
    const float top = y + way * arc_height * 4.0F / 3.0F;
    Stroke arc;
    arc.points = {{from, y}, {from, top}, {to, top}, {to, y}};
    arc.curved = true;
    arc.arrow = true;
    arc.tone = Tone::accent;
    arc.width = 1.5F;
    figure.strokes.push_back(std::move(arc));
    const std::string stride = std::to_string((jump.to - jump.from) / jump.count);
    const std::string by =
        jump.count == 1 ? "+" + stride : "+" + std::to_string(jump.count) + "·" + stride;
    const std::string text = longest_fitting(
        {base::counted_text("stage.memory.jumps." + jump.axis, jump.count, {{"stride", by}}),
         base::text("stage.memory.skip." + jump.axis, {{"stride", by}}), by, ""},
        11.0F, to - from - 2.0F);
    add_words(figure, {(from + to) / 2.0F, y + way * (arc_height + 9.0F)}, Side::centre, text,
              Tone::text, 11.0F);
  }
}

}  // namespace stage
