#include "app/input/touch_scroll.hpp"

#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"  // ActiveId and hovered windows

namespace app {

void TouchScroll::press() {
  window_ = 0;
  const ImGuiIO& io = ImGui::GetIO();
  ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow;
  if (io.MouseSource != ImGuiMouseSource_TouchScreen || window == nullptr) return;
  const bool on_bar = window->ScrollbarY &&
                      ImGui::GetWindowScrollbarRect(window, ImGuiAxis_Y).Contains(io.MousePos);
  if (window->ScrollMax.y <= 0.0F || on_bar) return;
  window_ = window->ID;
  from_ = window->Scroll.y;
}

void TouchScroll::update() {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) press();
  ImGuiWindow* window = window_ == 0 ? nullptr : ImGui::FindWindowByID(window_);
  if (window == nullptr || !window->WasActive || !io.MouseDown[ImGuiMouseButton_Left] ||
      !ImGui::IsMousePosValid()) {
    if (scrolls_) ImGui::ClearActiveID();
    scrolls_ = false;
    window_ = 0;
    return;
  }
  const ImVec2 way{io.MousePos.x - io.MouseClickedPos[ImGuiMouseButton_Left].x,
                   io.MousePos.y - io.MouseClickedPos[ImGuiMouseButton_Left].y};
  if (!scrolls_) {
    if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left)) return;
    // Sideways may be a drag; and at the end of the panel the page scrolls.
    const bool has_more = way.y > 0.0F ? from_ > 0.0F : from_ < window->ScrollMax.y;
    if (std::fabs(way.y) < std::fabs(way.x) || !has_more) {
      window_ = 0;
      return;
    }
    scrolls_ = true;
  }
  // While scrolling, nothing else is pressed or hovered.
  const ImGuiID id = window->GetID("##finger");
  if (ImGui::GetActiveID() != id) ImGui::SetActiveID(id, window);
  ImGui::KeepAliveID(id);
  ImGui::SetScrollY(window, from_ - way.y);  // ImGui clamps it
}

bool scroll_panel_at(float x, float y, float distance) {
  ImGuiWindow* window = nullptr;
  ImGui::FindHoveredWindowEx({x, y}, false, &window, nullptr);
  if (window == nullptr) return false;
  ImGui::SetScrollY(window, window->Scroll.y - distance);
  return true;
}

}  // namespace app
