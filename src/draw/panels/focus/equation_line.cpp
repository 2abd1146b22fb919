#include "draw/panels/focus/equation_line.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/roles.hpp"
#include "model/trace.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/wording/cell/equation.hpp"

namespace draw {

namespace {

using stage::EquationPart;
using stage::Point;
using stage::Rect;

constexpr float around_number = 4.0F;
constexpr float between_lines = 5.0F;

float line_height(float size) { return size + 8.0F; }

/// The places of all parts, in lines that are as wide as the room allows.
struct Setting {
  std::vector<Point> at;  ///< left ends, at half the line's height
  std::size_t lines = 1;
  bool fits = true;
};

float width_of(const Screen& screen, const EquationPart& part, float size) {
  if (part.cell) return number_on_fill(nullptr, screen, size, {}, *part.cell);
  return measure(screen.type.numbers, size, part.text).x;
}

Setting set_in(const Screen& screen, const std::vector<EquationPart>& parts, const Rect& place,
               float size) {
  Setting setting;
  const float step = line_height(size) + between_lines;
  Point at{place.x, place.y + line_height(size) / 2.0F};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Parts between two possible breaks stay together.
    if (i == 0 || parts[i].text.front() == ' ') {
      float together = width_of(screen, parts[i], size);
      for (std::size_t j = i + 1; j < parts.size() && parts[j].text.front() != ' '; ++j)
        together += width_of(screen, parts[j], size);
      if (i > 0 && at.x + together > place.right()) {
        at = {place.x, at.y + step};
        ++setting.lines;
      }
      if (place.x + together > place.right() + 0.5F) setting.fits = false;
    }
    setting.at.push_back(at);
    at.x += width_of(screen, parts[i], size);
  }
  if (at.y + line_height(size) / 2.0F > place.bottom() + 0.5F) setting.fits = false;
  return setting;
}

}  // namespace

Rgb fill_of(const Screen& screen, const model::Cell& cell) {
  const model::Trace& trace = screen.attention.trace;
  for (const stage::Block& block : screen.composition.stage.blocks) {
    if (block.tensor != cell.tensor || block.run || block.only_seen || block.is_difference)
      continue;
    return cell_colour(screen.theme, block.colouring, block.range, cell.value);
  }
  const bool weights = cell.tensor == model::roles::weights;
  const std::size_t query = trace.axes_of(cell.tensor).place_of(model::Axis::Lq);
  const tensor::Tensor tensor =
      trace.has(cell.tensor) ? trace[cell.tensor] : trace.at_query(cell.tensor, cell.index[query]);
  const bool to_one = weights && screen.session.document().view_state.weights_to_one;
  return cell_colour(screen.theme, stage::colouring_of(trace, cell.tensor),
                     to_one ? 1.0F : stage::value_range(tensor), cell.value);
}

float number_on_fill(ImDrawList* list, const Screen& screen, float size, Point at,
                     const model::Cell& cell) {
  const std::string text = stage::equation_number(cell);
  const float width = measure(screen.type.numbers, size, text).x + 2.0F * around_number;
  if (list == nullptr) return width;
  const Rgb fill = fill_of(screen, cell);
  const float half = size / 2.0F + 3.0F;
  const ImVec2 low{at.x, at.y - half};
  const ImVec2 high{at.x + width, at.y + half};
  list->AddRectFilled(low, high, packed(fill), 3.0F);
  // A frame, because the background of a zero is almost that of the page.
  list->AddRect(low, high, packed(mixed(screen.theme.page, screen.theme.line, 0.55F)), 3.0F);
  set_text(list, screen.type.numbers, size, {at.x + around_number, at.y}, Align::left,
           packed(text_on(fill)), text);
  return width;
}

float draw_equation(const Screen& screen, const Rect& place, float size) {
  const document::ComputedAttention& attention = screen.attention;
  const bool guessing = screen.session.document().view_state.guessing;
  for (const std::size_t terms : {16U, 12U, 10U, 8U, 7U, 6U, 5U, 4U, 3U, 2U, 1U}) {
    const std::vector<EquationPart> parts =
        stage::equation(attention, screen.focus, terms, guessing);
    const Setting setting = set_in(screen, parts, place, size);
    if (!setting.fits) continue;
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].cell && !parts[i].pending) {
        number_on_fill(list, screen, size, setting.at[i], *parts[i].cell);
        continue;
      }
      // Drop the space at which the line was broken.
      const bool first = setting.at[i].x == place.x && parts[i].text.front() == ' ';
      const float inset = parts[i].cell ? around_number : 0.0F;
      set_text(list, screen.type.numbers, size, {setting.at[i].x + inset, setting.at[i].y},
               Align::left, packed(parts[i].pending ? screen.theme.quiet : screen.theme.text),
               std::string_view(parts[i].text).substr(first ? 1 : 0));
    }
    const auto lines = static_cast<float>(setting.lines);
    return lines * line_height(size) + (lines - 1.0F) * between_lines;
  }
  return 0.0F;  // a shortened equation would be wrong
}

}  // namespace draw
