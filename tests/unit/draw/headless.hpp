// Dear ImGui without a window or a graphics card: enough to measure text.
#pragma once

#include <utility>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "imgui.h"
#include "stage/focus/focus.hpp"
#include "stage/layout/chrome.hpp"
#include "stage/layout/composition.hpp"

namespace draw {

/// An ImGui context with the program's fonts, current while it lives.
class Headless {
 public:
  /// `others`: where letters come from that the fonts lack; nowhere, if it is not said.
  explicit Headless(GlyphSource others = [](std::string_view, float, Glyph&) { return false; })
      : others_(std::move(others)), context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280.0F, 800.0F};
    io.BackendFlags |=
        ImGuiBackendFlags_RendererHasTextures;  // glyphs are made when they are asked for
    type = Type::load(others_);
    ImGui::NewFrame();
  }
  ~Headless() {
    ImGui::EndFrame();
    // There is no renderer: its textures are done with.
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
      texture->SetStatus(ImTextureStatus_Destroyed);
    ImGui::DestroyContext(context_);
  }
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  Type type;

 private:
  GlyphSource others_;
  ImGuiContext* context_;
};

/// A frame of a screen of that size, of which `draw` draws what it likes. No other frame may have
/// begun.
template <typename Draw>
void on_screen(const Headless& headless, const document::Session& session, float width,
               float height, Draw draw) {
  ImGui::GetIO().DisplaySize = {width, height};
  const stage::Chrome chrome = stage::arrange(width, height);
  const stage::Composition composition = stage::compose(
      session.computed(), session.document().view_state, {chrome.stage.width, chrome.stage.height});
  const stage::Focus focus =
      stage::focus_of(session.attention(), session.document().view_state, composition.stage, {});
  const Screen screen{session,     chrome, light_theme(),      headless.type,
                      composition, focus,  session.attention()};
  apply_style(screen.theme);
  ImGui::NewFrame();
  draw(screen);
  ImGui::EndFrame();
}

}  // namespace draw
