// Panels under a finger.
#pragma once

namespace app {

/// A finger that moves up or down on a panel or a list scrolls it, as on everything else that is
/// touched: Dear ImGui itself scrolls by wheel and scroll bar.
class TouchScroll {
 public:
  /// Once a frame, between ImGui::NewFrame() and the first window.
  void update();
  /// True from when the finger has begun to scroll until it is lifted: what it pressed is let go.
  bool scrolls() const { return scrolls_; }

 private:
  void press();

  unsigned int window_ = 0;  // the one that was touched, if it can be scrolled; 0: none
  float from_ = 0.0F;        // how far it was scrolled then
  bool scrolls_ = false;
};

/// Two fingers at a point of the screen move by `distance` logical pixels down: true if there is a
/// panel, which goes along.
bool scroll_panel_at(float x, float y, float distance);

}  // namespace app
