// Scrolling panels with a finger.
#pragma once

namespace app {

/// Scrolls a panel or a list when a finger moves up or down on it. Dear ImGui itself scrolls only
/// by wheel and scroll bar.
class TouchScroll {
 public:
  /// Once a frame, between ImGui::NewFrame() and the first window.
  void update();
  /// True while the finger scrolls, until it is lifted. What it pressed is released.
  bool scrolls() const { return scrolls_; }

 private:
  void press();

  unsigned int window_ = 0;  // the one that was touched, if it can be scrolled; 0: none
  float from_ = 0.0F;        // how far it was scrolled then
  bool scrolls_ = false;
};

/// Scrolls the panel under two fingers that move down by `distance` logical pixels. False if there
/// is no panel.
bool scroll_panel_at(float x, float y, float distance);

}  // namespace app
