#include "draw/view.hpp"

namespace draw {

const char* link_label(const View& view, const document::Session& session) {
  return view.copied == session.changes() ? "Link copied##link" : "Copy link##link";
}

std::string words_for(const document::ComputedAttention& attention, std::string_view axis,
                      std::size_t sample, std::size_t index) {
  const auto token = [&](const std::vector<std::vector<std::string>>& tokens) {
    return sample < tokens.size() && index < tokens[sample].size() ? tokens[sample][index]
                                                                   : std::to_string(index);
  };
  if (axis == "B") return "sample " + std::to_string(index + 1);
  if (axis == "H") return "head " + std::to_string(index + 1);
  if (axis == "Lq") return token(attention.query_tokens);
  if (axis == "Lk") return token(attention.key_tokens);
  return std::to_string(index);
}

std::string address_text(const document::ComputedAttention& attention, attention::TensorId tensor,
                         const attention::Index& index) {
  const auto axes = attention::axes_of(tensor);
  // A batch of one needs no sample in the name.
  const bool batched = attention.trace.config.batch > 1;
  std::size_t sample = 0;
  for (std::size_t axis = 0; axis < index.rank() && axis < axes.size(); ++axis) {
    if (axes[axis] == "B") sample = index[axis];
  }
  std::string text(attention::name_of(tensor));
  text += '[';
  bool first = true;
  for (std::size_t axis = 0; axis < index.rank(); ++axis) {
    if (!batched && axis < axes.size() && axes[axis] == "B") continue;
    if (!first) text += ", ";
    first = false;
    // weighted_values is made for one query: its third axis names it.
    const bool query = tensor == attention::TensorId::weighted_values && axis == 2;
    text += axis < axes.size()
                ? words_for(attention, query ? "Lq" : axes[axis], sample, index[axis])
                : std::to_string(index[axis]);
  }
  return text + "]";
}

}  // namespace draw
