// Dear ImGui without a window or a graphics card: enough to measure text.
#pragma once

#include "draw/type.hpp"
#include "imgui.h"

namespace draw {

/// An ImGui context with the program's fonts, current while it lives.
class Headless {
 public:
  Headless() : context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280.0F, 800.0F};
    io.BackendFlags |=
        ImGuiBackendFlags_RendererHasTextures;  // glyphs are made when they are asked for
    type = Type::load(nothing_else_);
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
  GlyphSource nothing_else_ = [](char32_t, float, Glyph&) { return false; };
  ImGuiContext* context_;
};

}  // namespace draw
