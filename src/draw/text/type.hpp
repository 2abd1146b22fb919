// Text: Inter for words and JetBrains Mono for numbers, sharp at every size because ImGui makes
// glyphs when they are needed.
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

  /// Adds the fonts to the current ImGui context. Glyphs that they lack come from `others`, which
  /// must outlive the context's fonts.
  static Type load(const GlyphSource& others);
};

enum class Align : unsigned char { left, centre, right };

ImU32 packed(Rgb colour, float opacity = 1.0F);
inline ImVec2 vec(stage::Point p) { return {p.x, p.y}; }

/// The size of `text` on one line, in logical pixels.
stage::Point measure(ImFont* font, float size, std::string_view text);

/// `text`, or as much of its beginning as fits into `width`, with an ellipsis.
std::string fitting(ImFont* font, float size, std::string_view text, float width);

/// `text`, shortened in the middle to fit into `width`, so that words with the same beginning stay
/// distinct. Empty if not even the first and the last letter fit.
std::string shortened(ImFont* font, float size, std::string_view text, float width);
/// The same for all labels of one axis; different texts never look alike.
std::vector<std::string> shortened_apart(ImFont* font, float size,
                                         const std::vector<std::string>& texts, float width);

/// Draws one line of text; `at` is its left end, centre or right end, at half the line's height.
void set_text(ImDrawList* list, ImFont* font, float size, stage::Point at, Align align,
              ImU32 colour, std::string_view text);

/// Draws one line of text that runs upwards from `at`, where it begins at half the line's height.
void set_upright(ImDrawList* list, ImFont* font, float size, stage::Point at, ImU32 colour,
                 std::string_view text);

/// Draws a formula on one line that begins at `at`. ᵀ, which the fonts lack, becomes a small raised
/// T.
void set_formula(ImDrawList* list, ImFont* font, float size, stage::Point at, ImU32 colour,
                 std::string_view text);
float formula_width(ImFont* font, float size, std::string_view text);

}  // namespace draw
