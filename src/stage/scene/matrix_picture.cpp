#include "stage/scene/matrix_picture.hpp"

#include <array>

#include "stage/scene/drawing.hpp"

namespace stage {

std::optional<Stage> picture_of(const document::ComputedAttention& attention,
                                const document::ViewState& view_state, model::TensorId tensor,
                                std::optional<std::size_t> head) {
  document::ViewState alone = view_state;
  alone.step = lesson::StepId::output;  // its captions are the fullest
  alone.all_heads = !head.has_value();
  if (head) alone.head = *head * attention.trace.sharing(tensor);
  const std::array ids{tensor};
  const std::vector<Drawing> drawings = drawings_of(attention, alone, ids);
  if (drawings.empty()) return std::nullopt;
  Stage stage;
  const Drawing& drawing = drawings.front();
  Measured size = measure(drawing.outline, 1.0F, true, true);
  if (lacks_upright_labels(drawing.outline, size))
    size = measure(drawing.outline, 1.0F, true, true, 1.0F, true);
  put(stage, drawing, size, 0.0F, 0.0F);
  constexpr float margin = 16.0F;  // logical pixels around it
  move(stage, margin, margin);
  stage.bounds = stage.bounds.inset(-margin);
  return stage;
}

std::string picture_name(model::TensorId tensor, std::optional<std::size_t> head) {
  std::string name(model::name_of(tensor));
  for (char& c : name) {
    if (c == '_') c = '-';
  }
  if (head) name += "-head-" + std::to_string(*head);
  return name;
}

}  // namespace stage
