// Type: Inter for words, JetBrains Mono for numbers, sharp at every size (ImGui makes glyphs as
// they are needed).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/text/glyph_source.hpp"
#include "draw/theme.hpp"
#include "imgui.h"
#include "stage/layout/geometry.hpp"

namespace draw {

struct Type {
  ImFont* words = nullptr;
  ImFont* strong = nullptr;
  ImFont* numbers = nullptr;
  ImFont* strong_numbers = nullptr;

  /// Adds the fonts to the current ImGui context; what they lack comes from `others`, which must
  /// outlive the context's fonts.
  static Type load(const GlyphSource& others);
};

enum class Align : unsigned char { left, centre, right };

ImU32 packed(Rgb colour, float opacity = 1.0F);
inline ImVec2 vec(stage::Point p) { return {p.x, p.y}; }

/// Size of `text` on one line, logical pixels.
stage::Point measure(ImFont* font, float size, std::string_view text);

/// `text`, cut to `width` with an ellipsis if it is longer.
std::string fitting(ImFont* font, float size, std::string_view text, float width);

/// `text`, shortened to `width` in its middle, so that words with the same beginning stay apart;
/// empty where not even its first and last letter fit.
std::string shortened(ImFont* font, float size, std::string_view text, float width);
/// The same for the labels of one axis: no two different ones look alike.
std::vector<std::string> shortened_apart(ImFont* font, float size,
                                         const std::vector<std::string>& texts, float width);

/// One line of text; `at` is its left, middle or right on the line's vertical middle.
void set_text(ImDrawList* list, ImFont* font, float size, stage::Point at, Align align,
              ImU32 colour, std::string_view text);

/// One line of text from `at`, the middle of its beginning, upwards.
void set_upright(ImDrawList* list, ImFont* font, float size, stage::Point at, ImU32 colour,
                 std::string_view text);

/// A formula on one line: as set_text at its left end, with ᵀ as a small raised T, which the fonts
/// do not have.
void set_formula(ImDrawList* list, ImFont* font, float size, stage::Point at, ImU32 colour,
                 std::string_view text);
float formula_width(ImFont* font, float size, std::string_view text);

}  // namespace draw
