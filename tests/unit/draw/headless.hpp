// Dear ImGui without a window or a graphics card: enough to measure text.
#pragma once

#include <utility>

#include "draw/type.hpp"
#include "imgui.h"

namespace draw {

/// An ImGui context with the program's fonts, current while it lives.
class Headless {
 public:
  /// `others`: where letters come from that the fonts lack; nowhere, if it is not said.
  explicit Headless(GlyphSource others = [](char32_t, float, Glyph&) { return false; })
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

}  // namespace draw
