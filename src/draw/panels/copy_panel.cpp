// Copies the number in focus or its matrix out of the lesson.
#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

void copy_controls(const Screen& screen, View& view, Requests& requests) {
  const CellRef& cell = screen.focus.cell;
  Widgets widgets(screen.theme, screen.type);
  widgets.words(base::text("draw.copy.of", {{"tensor", model::name_of(cell.tensor)}}),
                screen.theme.quiet, 12.5F);
  const auto item = [&](const char* key, CopyAs as) {
    if (widgets.text_button(key)) requests.copy = as;
  };
  // What is before the buttons of a line.
  const auto heading = [&](const char* key) {
    constexpr float size = 12.5F;
    const std::string_view words = base::text(key);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    set_text(ImGui::GetWindowDrawList(), screen.type.words, size, {at.x, at.y + 15.0F}, Align::left,
             packed(screen.theme.quiet), words);
    ImGui::SetCursorScreenPos({at.x + measure(screen.type.words, size, words).x + 6.0F, at.y});
  };
  item("draw.copy.number", CopyAs::number);
  Widgets::same_line(0.0F);
  item("draw.copy.table", CopyAs::table);
  Widgets::same_line(0.0F);
  item("draw.copy.numpy", CopyAs::numpy);
  Widgets::same_line(0.0F);
  item("draw.copy.pytorch", CopyAs::pytorch);
  item("draw.copy.png", CopyAs::png);
  Widgets::same_line(0.0F);
  item("draw.copy.svg", CopyAs::svg);
  // Code can contain the whole tensor, not only the matrix that is drawn.
  if (cell.index.rank() > 2) {
    Widgets::same_line(10.0F);
    const int now = view.copy_whole ? 1 : 0;
    if (const auto pressed =
            widgets.segments("what", texts({"draw.copy.matrix", "draw.copy.tensor"}), now))
      view.copy_whole = *pressed == 1;
  }
  heading("draw.copy.program");
  item("draw.copy.numpy_program", CopyAs::numpy_program);
  Widgets::same_line(0.0F);
  item("draw.copy.pytorch_program", CopyAs::pytorch_program);
  heading("draw.copy.step");
  item("draw.copy.step_png", CopyAs::step_png);
  Widgets::same_line(0.0F);
  item("draw.copy.step_svg", CopyAs::step_svg);
  if (view.has_film) {
    Widgets::same_line(0.0F);
    item("draw.copy.film", CopyAs::film);
  }
  item("draw.copy.safetensors", CopyAs::safetensors);
}

}  // namespace draw
