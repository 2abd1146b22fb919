// Marks of editing on the stage: changed cells flash, and a number that can be dragged has handles.
#include "app/app.hpp"
#include "draw/stage/edit_marks.hpp"
#include "model/roles.hpp"
#include "stage/highlight/changes.hpp"

namespace app {

namespace {

constexpr double flash_seconds = 0.6;

}  // namespace

void App::note_changes(const stage::Stage& next, double seconds) {
  flashing_.clear();
  if (platform_->preferences().reduced_motion) return;
  flashing_ = stage::changed_cells(composed_.value().stage, next);
  flash_start_ = seconds;
}

void App::draw_edit_marks(double seconds, ImDrawList* list) {
  if (travel_start_ >= 0.0) return;  // blocks are moving
  const draw::Seen seen{stage_, camera_, chrome_.stage, theme()};
  if (!flashing_.empty()) {
    const double t = (seconds - flash_start_) / flash_seconds;
    if (t < 1.0) {
      draw::flash(seen, flashing_, static_cast<float>(t), list);
      request_frame();
    } else {
      flashing_.clear();
    }
  }
  const auto place = place_of(chosen());
  const bool draggable = place && !view_.editing && chosen()->tensor != model::roles::mask &&
                         document::is_editable(session_.attention(), chosen()->tensor);
  if (draggable) draw::drag_handles(seen, *place, list);
}

}  // namespace app
