// Copies the number in focus or its matrix out of the lesson.
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

void copy_controls(const Screen& screen, View& view, Requests& requests) {
  const CellRef& cell = screen.focus.cell;
  Widgets widgets(screen.theme, screen.type);
  widgets.words("Of " + std::string(model::name_of(cell.tensor)) + ":", screen.theme.quiet, 12.5F);
  const auto item = [&](const char* label, CopyAs as) {
    if (widgets.text_button(label)) requests.copy = as;
  };
  item("Number", CopyAs::number);
  Widgets::same_line(0.0F);
  item("Table", CopyAs::table);
  Widgets::same_line(0.0F);
  item("NumPy", CopyAs::numpy);
  Widgets::same_line(0.0F);
  item("PyTorch", CopyAs::pytorch);
  item("PNG", CopyAs::png);
  Widgets::same_line(0.0F);
  item("SVG", CopyAs::svg);
  // Code can contain the whole tensor, not only the matrix that is drawn.
  if (cell.index.rank() <= 2) return;
  Widgets::same_line(10.0F);
  const int now = view.copy_whole ? 1 : 0;
  if (const auto pressed = widgets.segments("copy what", {"matrix", "tensor"}, now))
    view.copy_whole = *pressed == 1;
}

}  // namespace draw
