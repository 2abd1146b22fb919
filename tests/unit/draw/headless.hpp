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

/// A session on a screen of a size: composed once, however many frames of it are drawn. Neither
/// changes meanwhile.
class Shown {
 public:
  Shown(const Headless& headless, const document::Session& session, float width, float height)
      : chrome_(stage::arrange(width, height)),
        composition_(stage::compose(session.computed(), session.document().view_state,
                                    {chrome_.stage.width, chrome_.stage.height})),
        focus_(stage::focus_of(session.attention(), session.document().view_state,
                               composition_.stage, {})),
        screen_{
            session, chrome_, theme_, headless.type, composition_, focus_, session.attention()} {
    ImGui::GetIO().DisplaySize = {width, height};
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  /// A frame, of which `draw` draws what it likes. No other frame may have begun.
  template <typename Draw>
  void frame(Draw draw) const {
    apply_style(theme_);
    ImGui::NewFrame();
    draw(screen_);
    ImGui::EndFrame();
  }

 private:
  Theme theme_ = light_theme();
  stage::Chrome chrome_;
  stage::Composition composition_;
  stage::Focus focus_;
  Screen screen_;
};

/// One frame of a screen of that size.
template <typename Draw>
void on_screen(const Headless& headless, const document::Session& session, float width,
               float height, Draw draw) {
  Shown(headless, session, width, height).frame(draw);
}

}  // namespace draw
