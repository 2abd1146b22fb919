#include "draw/panels/focus/key_switch.hpp"

#include <limits>

#include "model/roles.hpp"

namespace draw {

std::optional<KeySwitch> key_switch(const document::ComputedAttention& attention,
                                    const document::CellRef& cell) {
  using model::Axis;
  const model::Trace& trace = attention.trace;
  const auto axes = trace.axes_of(cell.tensor);
  const bool of_pair = axes.rank() == 4 && axes[2] == Axis::Lq && axes[3] == Axis::Lk;
  if (!of_pair || cell.tensor.is_gradient()) return std::nullopt;
  tensor::Index index = cell.index;
  index[1] = 0;  // a mask cell, which holds for all heads, is that of head 0
  const bool hidden = trace.has(model::roles::mask) && trace[model::roles::mask].at(index) < 0.0F;
  const bool several = trace.config.num_heads > 1;
  const char* words =
      several ? (hidden ? "draw.inspector.show_key.heads" : "draw.inspector.hide_key.heads")
              : (hidden ? "draw.inspector.show_key" : "draw.inspector.hide_key");
  const float value = hidden ? 0.0F : -std::numeric_limits<float>::infinity();
  return KeySwitch{words, {{attention.id, model::roles::mask, index}, value}};
}

}  // namespace draw
