#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::TensorId;
using tensor::Tensor;

namespace {

struct HeadParts {
  TensorId weight;
  TensorId whole;
};

HeadParts parts_of(document::Projection projection) {
  constexpr std::array<HeadParts, 3> all = {
      {{"q_proj_weight", "q"}, {"k_proj_weight", "k"}, {"v_proj_weight", "v"}}};
  return all[static_cast<std::size_t>(projection)];
}

/// The rows of the projection's weight that belong to the head.
Drawing weight_rows(const FigureInput& input, TensorId weight, std::size_t head) {
  const std::size_t dim = input.attention.trace.config.head_dim();
  Drawing drawing;
  drawing.group = caption_of(input.attention, weight, input.view_state);
  drawing.group.title += ", " + head_words(input.attention.trace, weight, head);
  drawing.blocks = matrices_of(input.attention, weight, input.view_state);
  Block& block = drawing.blocks.front();
  block.matrix = block.matrix.narrow(0, head * dim, dim);
  block.corner[0] = head * dim;
  block.head = head;
  block.rows_per_head = 0;
  drawing.group.shape = "[D " + std::to_string(dim) + ", " +
                        std::string(name_of(input.attention.trace.axes_of(weight)[1])) + " " +
                        std::to_string(block.columns()) + "]";
  drawing.outline = outline_of(drawing.group, drawing.blocks, {weight});
  return drawing;
}

/// The head's own product `made` [B,L,D], drawn under the name of the whole one.
Drawing alone(const FigureInput& input, TensorId whole, std::size_t head, const Tensor& made) {
  const std::size_t dim = input.attention.trace.config.head_dim();
  Drawing drawing;
  drawing.group = caption_of(input.attention, whole, input.view_state);
  drawing.group.title = base::text(
      "stage.by_head.alone",
      {{"tensor", drawing.group.title}, {"head", head_words(input.attention.trace, whole, head)}});
  drawing.group.note.clear();
  drawing.blocks = matrices_of(input.attention, whole, input.view_state);
  Block& block = drawing.blocks.front();
  block.matrix = made.select(0, input.view_state.sample);
  block.corner[2] = head * dim;
  block.head = head;
  block.columns_per_head = 0;
  if (!block.column_labels.empty()) {
    const auto first = block.column_labels.begin() + static_cast<std::ptrdiff_t>(head * dim);
    block.column_labels = std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(dim));
  }
  drawing.group.shape = "[" + std::string(name_of(input.attention.trace.axes_of(whole)[1])) + " " +
                        std::to_string(block.rows()) + ", D " + std::to_string(dim) + "]";
  drawing.outline = outline_of(drawing.group, drawing.blocks, {whole});
  return drawing;
}

/// The largest difference between the head's own product and its columns of the whole one.
float largest_difference(const FigureInput& input, TensorId whole, std::size_t head,
                         const Tensor& made) {
  const model::Trace& trace = input.attention.trace;
  const std::size_t dim = trace.config.head_dim();
  const Tensor columns = trace[whole].narrow(2, head * dim, dim);
  const std::vector<float> a = made.values();
  const std::vector<float> b = columns.values();
  float largest = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace

bool has_by_head(const FigureInput& input) {
  const model::Trace& trace = input.attention.trace;
  return trace.has(parts_of(input.view_state.projection).weight) && trace.config.num_heads > 1;
}

void put_by_head(Stage& stage, const FigureInput& input, const Rect& place) {
  const HeadParts parts = parts_of(input.view_state.projection);
  const std::size_t dim = input.attention.trace.config.head_dim();
  const std::size_t head =
      document::chosen_index(input.attention.trace, parts.whole, input.view_state)[2] / dim;
  const Drawing weight = weight_rows(input, parts.weight, head);
  const Tensor product = project_head(input.attention.trace, parts.whole, head);  // [B,L,D]
  const Drawing made = alone(input, parts.whole, head, product);

  constexpr float gap = 24.0F;
  constexpr float line = 20.0F;
  constexpr float words = 12.0F + 2.0F * line;
  const auto parts_at = [&](float scale) {
    return std::pair(measure(weight.outline, scale, true, false),
                     measure(made.outline, scale, true, false));
  };
  /// The largest scale at which both fit, one beside the other or below it.
  const auto scale_for = [&](bool beside) {
    float scale = 0.06F;
    for (float low = 0.06F, high = 1.2F; high - low > 0.002F;) {
      const float middle = (low + high) / 2.0F;
      const auto [a, b] = parts_at(middle);
      const float width = beside ? a.width + gap + b.width : std::max(a.width, b.width);
      const float height = beside ? std::max(a.height, b.height) : a.height + gap + b.height;
      const bool fits = width <= place.width && height <= place.height - words;
      (fits ? low : high) = middle;
      scale = low;
    }
    return scale;
  };
  const float side_by_side = scale_for(true);
  const float stacked = scale_for(false);
  const bool beside = side_by_side > stacked;
  const auto [a, b] = parts_at(std::max(side_by_side, stacked));
  const float over_words = beside ? std::max(a.height, b.height) : a.height + gap + b.height;
  float y = place.y + std::max(0.0F, (place.height - over_words - words) / 2.0F);
  put(stage, weight, a, place.x, y);
  put(stage, made, b, beside ? place.x + a.width + gap : place.x, beside ? y : y + a.height + gap);
  y += over_words + 12.0F + line / 2.0F;

  const float difference = largest_difference(input, parts.whole, head, product);
  Figure figure = figure_in("by-head", place);
  const std::string key = difference == 0.0F ? "stage.by_head.exact." : "stage.by_head.rounded.";
  const auto columns = [&](const char* length) {
    return base::text(key + length, {{"first", head * dim},
                                     {"last", (head + 1) * dim - 1},
                                     {"tensor", model::name_of(parts.whole)}});
  };
  add_words(figure, {place.x, y}, Side::left,
            longest_fitting({columns("long"), columns("short"), base::text(key + "shortest")},
                            12.0F, place.width),
            Tone::text, 12.0F);
  const std::string largest = number_text(difference, difference == 0.0F ? 0 : 9);
  add_words(figure, {place.x, y + line}, Side::left,
            base::text("stage.by_head.difference", {{"difference", largest}}), Tone::quiet, 12.0F);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
