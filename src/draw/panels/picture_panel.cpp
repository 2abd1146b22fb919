// Chooses the source of the patches: the example's picture or one of the reader's own.
#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/input/patches.hpp"

namespace draw {

void picture_panel(const Screen& screen, const View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  widgets.heading(base::text("draw.picture.title"));
  const bool own = !screen.session.document().configuration.parameters.picture.empty();
  if (view.has_file_dialog) {
    if (widgets.text_button("draw.picture.choose")) requests.choose_picture = true;
    if (own) Widgets::same_line(0.0F);
  }
  if (own && widgets.text_button("draw.picture.back")) requests.add(document::SetPicture{});
  widgets.words(base::text(view.has_file_dialog ? "draw.picture.or_drop" : "draw.picture.drop",
                           {{"width", lesson::picture_width}, {"height", lesson::picture_height}}),
                screen.theme.quiet, 12.5F);
}

}  // namespace draw
