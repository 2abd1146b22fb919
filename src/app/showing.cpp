// App: what is shown around the stage, and what the stage shows.
#include "app/app.hpp"

namespace app {

namespace {

// What a page is taken for before its first frame.
constexpr float usual_width = 1280.0F;
constexpr float usual_height = 800.0F;
constexpr float margin = 8.0F;

}  // namespace

void App::show(const stage::Parts& parts) {
  if (parts == parts_) return;
  parts_ = parts;
  if (!parts_.panel) view_.controls_open = false;
  request_frames(3);
}

stage::Composition App::composition() const {
  const stage::Rect stage = chrome_.stage.empty()
                                ? stage::arrange(usual_width, usual_height, parts_).stage
                                : chrome_.stage;
  const document::Look& look = session_.document().look;
  return stage::compose(session_.computed(), look,
                        {stage.width - 2.0F * margin, stage.height - 2.0F * margin},
                        look.guessing ? nullptr : session_.without_mistake());
}

}  // namespace app
