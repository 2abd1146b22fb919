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

/// Whether any key was pressed, or something typed.
inline bool any_pressed() {
  if (ImGui::GetIO().InputQueueCharacters.Size > 0) return true;
  for (int key = ImGuiKey_Tab; key < ImGuiKey_NamedKey_END; ++key)
    if (pressed(static_cast<ImGuiKey>(key))) return true;
  return false;
}

}  // namespace app
