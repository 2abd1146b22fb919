#include "draw/text/type.hpp"

#include <cmath>
#include <span>

#include "draw/text/shaped_runs.hpp"
#include "draw_fonts.hpp"
#include "stage/layout/lettering.hpp"

namespace draw {

namespace {

ImFont* add(std::span<const unsigned char> bytes, const GlyphSource& others) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  // The atlas only reads the bytes; ImGui's signature merely lacks the const.
  void* data = const_cast<unsigned char*>(bytes.data());
  ImFont* font = ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(bytes.size()),
                                                            14.0F, &config);
  add_glyph_source(others);
  return font;
}

constexpr std::string_view transposed = "\u1D40";
constexpr float raised_size = 0.68F;

/// Calls `piece` for each plain part and each raised T of a formula. Returns the total width.
template <typename Piece>
float each_piece(ImFont* font, float size, std::string_view text, Piece&& piece) {
  float x = 0.0F;
  while (!text.empty()) {
    const std::size_t next = text.find(transposed);
    const std::string_view plain = text.substr(0, next);
    if (!plain.empty()) {
      piece(plain, x, false);
      x += measure(font, size, plain).x;
    }
    if (next == std::string_view::npos) break;
    piece("T", x, true);
    x += measure(font, size * raised_size, "T").x;
    text.remove_prefix(next + transposed.size());
  }
  return x;
}

}  // namespace

Type Type::load(const GlyphSource& others) {
  Type type;
  type.words = add(fonts::inter_regular(), others);
  type.strong = add(fonts::inter_semibold(), others);
  type.numbers = add(fonts::mono_regular(), others);
  type.strong_numbers = add(fonts::mono_semibold(), others);
  ImGui::GetIO().FontDefault = type.words;
  return type;
}

ImU32 packed(Rgb colour, float opacity) {
  return ImGui::ColorConvertFloat4ToU32({colour.red, colour.green, colour.blue, opacity});
}

stage::Point measure(ImFont* font, float size, std::string_view text) {
  const std::string set = with_runs(text);
  const ImVec2 extent =
      font->CalcTextSizeA(size, FLT_MAX, 0.0F, set.data(), set.data() + set.size());
  return {extent.x, extent.y};
}

std::string fitting(ImFont* font, float size, std::string_view text, float width) {
  if (measure(font, size, text).x <= width) return std::string(text);
  // Find the longest beginning, in whole characters, that leaves room for the ellipsis.
  std::string fits;
  for (std::size_t end = 0; end < text.size();) {
    end += character_end(text.substr(end));
    std::string cut = std::string(text.substr(0, end)) + "…";
    if (measure(font, size, cut).x > width) break;
    fits = std::move(cut);
  }
  return fits;
}

std::string shortened(ImFont* font, float size, std::string_view text, float width) {
  return stage::shortened(
      text, [&](const std::string& made) { return measure(font, size, made).x <= width; });
}

std::vector<std::string> shortened_apart(ImFont* font, float size,
                                         const std::vector<std::string>& texts, float width) {
  return stage::shortened_apart(
      texts, [&](const std::string& made) { return measure(font, size, made).x <= width; });
}

void set_text(ImDrawList* list, ImFont* font, float size, stage::Point at, Align align,
              ImU32 colour, std::string_view text) {
  if (text.empty()) return;
  // Rounded to half pixels: during a zoom, new sizes in every frame would fill the glyph atlas.
  size = std::round(size * 2.0F) / 2.0F;
  const stage::Point extent = measure(font, size, text);
  float x = at.x;
  if (align == Align::centre) x -= extent.x / 2.0F;
  if (align == Align::right) x -= extent.x;
  const ImVec2 position{std::round(x), std::round(at.y - extent.y / 2.0F)};
  const std::string set = with_runs(text);
  list->AddText(font, size, position, colour, set.data(), set.data() + set.size());
}

void set_upright(ImDrawList* list, ImFont* font, float size, stage::Point at, ImU32 colour,
                 std::string_view text) {
  // ImGui skips glyphs outside the clip rectangle while it sets a text. The text is therefore set
  // in a corner of that rectangle and only then rotated into place.
  const ImVec2 corner = list->GetClipRectMin();
  const float middle = std::round(measure(font, size, text).y / 2.0F);
  const int first = list->VtxBuffer.Size;
  set_text(list, font, size, {std::round(corner.x), std::round(corner.y) + middle}, Align::left,
           colour, text);
  const float x = std::round(at.x);
  const float y = std::round(at.y);
  for (ImDrawVert& vertex :
       std::span(list->VtxBuffer.Data + first, list->VtxBuffer.Data + list->VtxBuffer.Size)) {
    const float along = vertex.pos.x - std::round(corner.x);
    const float across = vertex.pos.y - (std::round(corner.y) + middle);
    vertex.pos = {x + across, y - along};
  }
}

void set_formula(ImDrawList* list, ImFont* font, float size, stage::Point at, ImU32 colour,
                 std::string_view text) {
  each_piece(font, size, text, [&](std::string_view piece, float x, bool raised) {
    const stage::Point where{at.x + x, at.y - (raised ? size * 0.22F : 0.0F)};
    set_text(list, font, raised ? size * raised_size : size, where, Align::left, colour, piece);
  });
}

float formula_width(ImFont* font, float size, std::string_view text) {
  return each_piece(font, size, text, [](std::string_view, float, bool) {});
}

}  // namespace draw
