// The clock of a lesson that plays by itself.
#include <algorithm>

#include "app/app.hpp"
#include "imgui.h"
#include "stage/motion/motion.hpp"

namespace app {

namespace {

constexpr double hold_seconds = 1.2;   // a finished step stays that long
constexpr double read_seconds = 4.0;   // ... where nothing moves
constexpr double longest_frame = 0.1;  // a tab that slept does not skip what it missed

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
  const auto& steps = lesson::steps();
  const auto step = static_cast<std::size_t>(view_state.step);
  if (view_state.progress < 1.0F) {
    const bool still = platform_->preferences().reduced_motion;
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
  if (step + 1 == steps.size()) {
    view_.playing = false;
    return;
  }
  (void)session_.perform(document::ChooseStep{steps[step + 1].id});
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

void App::end_playing_once() {
  if (!once_) return;
  once_ = false;
  view_.playing = false;
  (void)session_.perform(document::SetProgress{1.0F});
  request_frame();
}

bool App::has_input() {
  // The pointer's buttons and its wheel count among the keys.
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
  // From the start of this step, or from the first one when all of it has been seen.
  if (view_state.progress >= 1.0F) {
    if (view_state.step == lesson::steps().back().id)
      (void)session_.perform(document::ChooseStep{lesson::steps().front().id});
    (void)session_.perform(document::SetProgress{0.0F});
  }
}

}  // namespace app
