// Playing the lesson: when which step is at which progress.
#include <algorithm>

#include "app/app.hpp"
#include "base/text.hpp"
#include "imgui.h"
#include "stage/motion/motion.hpp"

namespace app {

namespace {

constexpr double hold_seconds = 1.2;   // how long a finished step stays
constexpr double read_seconds = 4.0;   // how long a step without motion stays
constexpr double longest_frame = 0.1;  // so that a tab that was asleep does not skip ahead

}  // namespace

void App::play(double seconds) {
  if (!view_.playing) {
    played_ = -1.0;
    return;
  }
  request_frame();
  const double passed = played_ < 0.0 ? 0.0 : std::min(longest_frame, seconds - played_);
  played_ = seconds;
  const double speed = static_cast<double>(view_.speed);
  const document::ViewState& view_state = session_.document().view_state;
  if (view_state.progress < 1.0F) {
    const bool still = platform_->preferences().reduced_motion && !films_;
    const double length = static_cast<double>(stage::seconds_for(view_state.step));
    const auto to =
        still ? 1.0F
              : std::min(1.0F, view_state.progress + static_cast<float>(passed * speed / length));
    (void)session_.perform(document::SetProgress{to});
    hold_ = still ? read_seconds : hold_seconds;
    return;
  }
  if (once_) {
    end_playing_once();
    return;
  }
  hold_ -= passed * speed;
  if (hold_ > 0.0) return;
  const auto next = view_.offered_steps.after(view_state.step);
  if (!next) {
    view_.playing = false;
    return;
  }
  (void)session_.perform(document::ChooseStep{*next});
  (void)session_.perform(document::SetProgress{0.0F});
}

void App::set_playing(bool on) {
  if (on != view_.playing) toggle_playing();
  request_frame();
}

void App::play_once() {
  (void)session_.perform(document::SetProgress{0.0F});
  view_.playing = true;
  once_ = true;
  played_ = -1.0;
  request_frame();
}

bool App::begin_film() {
  if (platform_ == nullptr || !platform_->has_film()) return false;
  play_once();
  films_ = true;
  const stage::Rect& place = chrome_.stage;
  platform_->begin_film(place.x, place.y, place.width, place.height);
  notify(std::string(base::text("app.picture.records")));
  return true;
}

void App::end_film() {
  if (!films_ || view_.playing) return;
  films_ = false;
  notify(platform_->end_film(step_file_name() + ".webm"));
}

void App::end_playing_once() {
  if (!once_) return;
  once_ = false;
  view_.playing = false;
  (void)session_.perform(document::SetProgress{1.0F});
  request_frame();
}

bool App::has_input() {
  // ImGui counts the pointer's buttons and wheel as keys.
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) return true;
  }
  return !ImGui::GetIO().InputQueueCharacters.empty();
}

void App::set_speed(float speed) {
  view_.speed = speed;
  request_frame();
}

void App::toggle_playing() {
  once_ = false;
  view_.playing = !view_.playing;
  played_ = -1.0;
  if (!view_.playing) return;
  hold_ = 0.0;
  const document::ViewState& view_state = session_.document().view_state;
  // Start at the beginning of this step, or at the first one if the last has ended.
  if (view_state.progress >= 1.0F) {
    if (!view_.offered_steps.after(view_state.step))
      (void)session_.perform(document::ChooseStep{view_.offered_steps.first()});
    (void)session_.perform(document::SetProgress{0.0F});
  }
}

}  // namespace app
