// Chooses the source of the patches: the example's picture or one of the reader's own.
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/input/patches.hpp"

namespace draw {

void picture_panel(const Screen& screen, const View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  widgets.heading("Picture");
  const bool own = !screen.session.document().configuration.parameters.picture.empty();
  if (view.has_file_dialog) {
    if (widgets.text_button("Choose a picture…")) requests.choose_picture = true;
    if (own) Widgets::same_line(0.0F);
  }
  if (own && widgets.text_button("Back to the example’s picture"))
    requests.add(document::SetPicture{});
  const std::string how = view.has_file_dialog
                              ? "Or drop one here. "
                              : "Drop one onto the window: PNG, JPEG, BMP or GIF. ";
  widgets.words(how + "Its central square is scaled to " + std::to_string(lesson::picture_width) +
                    " × " + std::to_string(lesson::picture_height) + " pixels.",
                screen.theme.quiet, 12.5F);
}

}  // namespace draw
