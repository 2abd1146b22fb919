// Keys as they are asked about: once, or again and again while one is held down.
#pragma once

#include "imgui.h"

namespace app {

/// Pressed, or held down long enough to count again.
inline bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key, true); }
/// Pressed; holding it down does nothing more.
inline bool pressed_once(ImGuiKey key) { return ImGui::IsKeyPressed(key, false); }

inline bool enter_pressed() {
  return pressed_once(ImGuiKey_Enter) || pressed_once(ImGuiKey_KeypadEnter);
}

}  // namespace app
