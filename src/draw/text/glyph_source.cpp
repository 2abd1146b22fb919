#include "draw/text/glyph_source.hpp"

#include <utf8/unchecked.h>

#include <cmath>
#include <iterator>
#include <string>

#include "draw/text/shaped_runs.hpp"
#include "imgui_internal.h"  // ImFontLoader, which other font backends implement

namespace draw {

namespace {

const GlyphSource& source_of(const ImFontConfig* config) {
  return **static_cast<const GlyphSource* const*>(config->FontData);
}

/// The text (UTF-8) to draw for a letter of ImGui's; empty if the source does not draw it.
std::string shown_by(ImWchar letter) {
  const std::string_view run = run_of(letter);
  if (!run.empty()) return std::string(run);
  // ImGui asks for U+FFFD and the ellipsis to find out whether a font has them, which only the main
  // font should answer.
  const bool is_private = letter >= 0xE000 && letter <= 0xF8FF;
  std::string text;
  if (letter >= 0xA0 && !is_private && letter != 0xFFFD && letter != 0x2026)
    utf8::unchecked::append(letter, std::back_inserter(text));
  return text;
}

bool contains(ImFontAtlas*, ImFontConfig*, ImWchar letter) { return !shown_by(letter).empty(); }

bool load(ImFontAtlas* atlas, ImFontConfig* config, ImFontBaked* baked, void*, ImWchar codepoint,
          ImFontGlyph* glyph, float* advance) {
  const std::string text = shown_by(codepoint);
  if (text.empty()) return false;
  const float density = config->RasterizerDensity * baked->RasterizerDensity;
  Glyph drawn;
  if (!source_of(config)(text, baked->Size * density, drawn)) return false;
  if (advance != nullptr) {
    *advance = drawn.advance / density;
    return true;
  }
  glyph->Codepoint =
      codepoint & 0x1FFFFFU;  // Unicode's 21 bits of the 26 that ImGui keeps for a letter
  glyph->AdvanceX = drawn.advance / density;
  if (drawn.width == 0 || drawn.height == 0) return true;
  const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, drawn.width, drawn.height);
  if (id == ImFontAtlasRectId_Invalid) return false;
  ImTextureRect* place = ImFontAtlasPackGetRect(atlas, id);
  const float baseline = std::round(baked->Ascent);
  glyph->X0 = drawn.left / density;
  glyph->Y0 = baseline - drawn.top / density;
  glyph->X1 = glyph->X0 + static_cast<float>(drawn.width) / density;
  glyph->Y1 = glyph->Y0 + static_cast<float>(drawn.height) / density;
  glyph->Visible = true;
  glyph->Colored = drawn.coloured;
  glyph->PackId = id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, config, glyph, place, drawn.pixels.data(),
                                     ImTextureFormat_RGBA32, drawn.width * 4);
  return true;
}

const ImFontLoader& loader() {
  static const ImFontLoader instance = [] {
    ImFontLoader made;
    made.Name = "glyphs";
    made.FontSrcContainsGlyph = contains;
    made.FontBakedLoadGlyph = load;
    return made;
  }();
  return instance;
}

}  // namespace

void add_glyph_source(const GlyphSource& source) {
  ImFontConfig config;
  config.MergeMode = true;
  config.SizePixels = 14.0F;
  config.FontLoader = &loader();
  // The "data" of such a font is the address of its source. ImGui copies it for the loader.
  const GlyphSource* address = &source;
  config.FontData = &address;
  config.FontDataSize = static_cast<int>(sizeof address);  // NOLINT(bugprone-sizeof-expression)
  config.FontDataOwnedByAtlas = false;
  ImGui::GetIO().Fonts->AddFont(&config);
}

}  // namespace draw
