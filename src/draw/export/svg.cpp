#include "draw/export/svg.hpp"

#include <utf8/core.h>
#include <utf8/unchecked.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/text.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

using stage::Block;
using stage::Point;
using stage::Rect;

namespace {

constexpr std::string_view words_font = "Inter, Helvetica, Arial, sans-serif";
constexpr std::string_view numbers_font = "JetBrains Mono, Menlo, Consolas, monospace";
// Heights of a line, as shares of an em.
constexpr float inter_line = 1.21F;
constexpr float mono_line = 1.32F;
constexpr float cell_for_gap = 14.0F;
constexpr std::size_t most_tool_tips = 400;

/// The length of the UTF-8 character at the start of `text`; 0 if XML does not allow it.
std::size_t character_length(std::string_view text) {
  const std::string_view first = text.substr(0, 4);  // a character has at most 4 bytes
  if (utf8::find_invalid(first.begin(), first.end()) == first.begin()) return 0;
  const char* end = text.data();
  const char32_t c = utf8::unchecked::next(end);
  const bool allowed = c >= 0x20 && c != 0x7F && (c & 0xFFFEU) != 0xFFFEU;
  return allowed ? static_cast<std::size_t>(end - text.data()) : 0;
}

std::string number(float value) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.2f", static_cast<double>(value));
  std::string text = buffer;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string colour(Rgb rgb) {
  const auto channel = [](float part) {
    return static_cast<unsigned>(std::lround(std::clamp(part, 0.0F, 1.0F) * 255.0F));
  };
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "#%02x%02x%02x", channel(rgb.red), channel(rgb.green),
                channel(rgb.blue));
  return buffer;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_text(value) + "\"";
}

std::string rectangle(const Rect& rect, std::string_view more) {
  return "<rect" + attribute("x", number(rect.x)) + attribute("y", number(rect.y)) +
         attribute("width", number(rect.width)) + attribute("height", number(rect.height)) +
         std::string(more);
}

std::string opaque(float opacity) {
  return opacity < 0.995F ? attribute("opacity", number(opacity)) : std::string();
}

/// A fill, with its opacity if it has one.
std::string fill(ImU32 packed_colour) {
  const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(packed_colour);
  std::string text = attribute("fill", colour({parts.x, parts.y, parts.z}));
  if (parts.w < 0.995F) text += attribute("fill-opacity", number(parts.w));
  return text;
}

std::string words(const DrawnText& text, const Type& type) {
  const bool strong = text.font == type.strong || text.font == type.strong_numbers;
  const bool digits = text.font == type.numbers || text.font == type.strong_numbers;
  // ImGui's size is the height of a line, SVG's that of an em.
  const float size = text.size / (digits ? mono_line : inter_line);
  // Where another font is wider, the text takes up the same place. For programs that cannot do
  // that, labels of rows end there and numbers have their middle there.
  const bool ends = text.kind == "row label" || text.kind == "index";
  const bool centred = text.kind == "number" || (text.kind == "column label" && !text.upright);
  const Rect& place = text.place;
  Point at{ends ? place.right() : centred ? place.centre().x : place.x, place.centre().y};
  if (text.upright) at = {place.centre().x, place.bottom()};
  // Not every program knows dominant-baseline, so the baseline is moved down.
  (text.upright ? at.x : at.y) += size * 0.36F;
  std::string svg = "<text" + attribute("x", number(at.x)) + attribute("y", number(at.y)) +
                    attribute("font-family", digits ? numbers_font : words_font) +
                    attribute("font-size", number(size)) + fill(text.colour) +
                    attribute("textLength", number(text.upright ? place.height : place.width)) +
                    attribute("lengthAdjust", "spacingAndGlyphs");
  if (ends || centred) svg += attribute("text-anchor", ends ? "end" : "middle");
  if (strong) svg += attribute("font-weight", "600");
  if (text.upright)
    svg += attribute("transform", "rotate(-90 " + number(at.x) + " " + number(at.y) + ")");
  return svg + ">" + xml_text(text.text) + "</text>\n";
}

/// The triangles of one draw command, without its glyphs: neighbours of one colour are one path.
std::string shapes(const ImDrawList& list, const ImDrawCmd& command) {
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  std::string svg;
  std::string path;
  ImU32 of = 0;
  const auto end_path = [&] {
    if (!path.empty()) svg += "<path" + fill(of) + attribute("d", path) + "/>\n";
    path.clear();
  };
  for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
    std::array<const ImDrawVert*, 3> corners = {};
    for (unsigned corner = 0; corner < 3; ++corner) {
      const auto element = static_cast<int>(command.IdxOffset + i + corner);
      const auto vertex = static_cast<int>(command.VtxOffset + list.IdxBuffer[element]);
      corners[corner] = &list.VtxBuffer[vertex];
    }
    const ImDrawVert& first = *corners[0];
    if (first.uv.x != white.x || first.uv.y != white.y) continue;  // a glyph
    const auto clear = [](const ImDrawVert* corner) { return (corner->col >> 24U) == 0; };
    if (std::any_of(corners.begin(), corners.end(), clear)) continue;  // a smooth edge
    // All turn the same way round; where they overlap, others would cancel each other.
    const ImVec2& a = corners[0]->pos;
    const ImVec2& b = corners[1]->pos;
    const ImVec2& c = corners[2]->pos;
    if ((b.x - a.x) * (c.y - a.y) < (b.y - a.y) * (c.x - a.x)) std::swap(corners[1], corners[2]);
    if (first.col != of) end_path();
    of = first.col;
    for (const ImDrawVert* corner : corners) {
      path +=
          (corner == corners[0] ? "M" : "L") + number(corner->pos.x) + " " + number(corner->pos.y);
    }
    path += "Z";
  }
  end_path();
  return svg;
}

/// The cells of a block at `place` on the screen.
std::string cells_of(const Block& block, const Rect& place, float opacity, const Theme& theme,
                     bool tool_tips) {
  const float width = place.width / static_cast<float>(block.columns());
  const float height = place.height / static_cast<float>(block.rows());
  const bool apart = std::min(width, height) >= cell_for_gap;
  std::string text = "<g" + opaque(opacity) +
                     (apart ? std::string() : attribute("shape-rendering", "crispEdges")) + ">\n";
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      const float value = block.value(row, column);
      const bool shown = block.is_shown(row, column);
      const bool hidden = shown && std::isinf(value) && value < 0.0F;
      const Rgb inside =
          shown ? cell_colour(theme, block.colouring, block.range, value) : theme.neutral;
      const Rect cell{place.x + width * static_cast<float>(column),
                      place.y + height * static_cast<float>(row), width, height};
      text += rectangle(apart ? cell.inset(1.0F) : cell,
                        (apart ? attribute("rx", "2.5") : std::string()) +
                            attribute("fill", hidden ? "url(#hidden)" : colour(inside)));
      text += tool_tips && shown
                  ? "><title>" + xml_text(stage::number_for_editing(value)) + "</title></rect>\n"
                  : "/>\n";
    }
  }
  return text + "</g>\n";
}

Drawn painted(const Scene& scene, const Theme& theme, const Type& type, ImDrawList& list) {
  const auto pieces = [](const ImDrawList*, const ImDrawCmd*) {};
  for (;;) {
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list._ResetForNewFrame();
    // Smooth edges are the viewer's work, but only with them does ImGui join the parts of a thick
    // line without gaps. This narrow they are left out below.
    list.Flags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill;
    list._FringeScale = 0.02F;
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    list.PushClipRect({scene.viewport.x, scene.viewport.y},
                      {scene.viewport.right(), scene.viewport.bottom()});
    Drawn drawn = paint(scene, theme, type, &list, pieces, nullptr);
    list._PopUnusedDrawCmd();
    // New glyphs may have enlarged the texture. Then the white pixel, which tells shapes from
    // glyphs, is elsewhere than where painting began.
    const ImVec2 now = ImGui::GetFontTexUvWhitePixel();
    if (now.x == white.x && now.y == white.y) return drawn;
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 4> escapes = {
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto escape = std::find_if(escapes.begin(), escapes.end(),
                                     [&](const auto& each) { return each.first == text.front(); });
    if (length == 0) {
      result += "\uFFFD";
    } else if (escape != escapes.end()) {
      result += escape->second;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

base::Result<std::string> svg_of(const Scene& scene, const Theme& theme, const Type& type) {
  std::size_t count = 0;
  for (const Block& block : scene.stage->blocks) count += block.rows() * block.columns();
  if (count > max_svg_cells)
    return base::fail(
        base::text("draw.export.too_large", {{"count", count}, {"most", max_svg_cells}}));
  ImDrawList list(ImGui::GetDrawListSharedData());
  const Drawn drawn = painted(scene, theme, type, list);
  const stage::Stage& stage = drawn.stage;
  const Rect& bounds = scene.viewport;
  const std::string width = number(bounds.width);
  const std::string height = number(bounds.height);
  std::string svg =
      "<svg" + attribute("xmlns", "http://www.w3.org/2000/svg") + attribute("width", width) +
      attribute("height", height) +
      attribute("viewBox", number(bounds.x) + " " + number(bounds.y) + " " + width + " " + height) +
      ">\n";
  std::string title;
  for (const stage::Group& group : stage.groups) title += (title.empty() ? "" : ", ") + group.title;
  svg += "<title>" + xml_text(title) + "</title>\n";
  // The same stripes as on the screen mark masked cells.
  svg += "<defs><pattern" + attribute("id", "hidden") + attribute("width", "6") +
         attribute("height", "6") + attribute("patternUnits", "userSpaceOnUse") +
         attribute("patternTransform", "rotate(45)") + ">" +
         rectangle({0, 0, 6, 6}, attribute("fill", colour(theme.neutral)) + "/>") +
         rectangle({0, 0, 2, 6}, attribute("fill", colour(theme.hidden)) + "/>") +
         "</pattern></defs>\n";
  svg += rectangle(bounds, attribute("fill", colour(theme.page)) + "/>\n");

  const auto on_screen = [&](const Rect& plane) { return drawn.camera.to_screen(plane, bounds); };
  const auto paper = [&](const Rect& place, float opacity) {
    svg += rectangle(place, attribute("fill", colour(theme.page)) +
                                attribute("stroke", colour(mixed(theme.page, theme.line, 0.55F))) +
                                opaque(opacity) + "/>\n");
  };
  for (const stage::Sheet& sheet : stage.sheets) {
    Block block = stage.blocks[sheet.over];
    const float opacity = block.opacity * sheet.opacity;
    const Rect place = on_screen(stage::place_of(stage, sheet));
    paper(place, opacity);
    block.matrix = sheet.matrix;
    svg += cells_of(block, place, opacity * sheet_below, theme, false);
    if (sheet.depth == 1) paper(on_screen(block.cells), opacity);
  }
  const std::size_t pieces = std::min(stage.first_piece, stage.blocks.size());
  const auto cells = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Block& block = stage.blocks[i];
      svg += cells_of(block, on_screen(block.cells), block.opacity * block.cells_there, theme,
                      count <= most_tool_tips);
    }
  };
  const auto texts = [&](bool of_pieces) {
    for (const DrawnText& text : drawn.texts)
      if ((text.cell && text.cell->block >= pieces) == of_pieces) svg += words(text, type);
  };
  cells(0, pieces);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == nullptr) {
      svg += shapes(list, command);
    } else if (command.UserCallback != ImDrawCallback_ResetRenderState) {
      texts(false);
      cells(pieces, stage.blocks.size());
    }
  }
  if (pieces == stage.blocks.size()) texts(false);
  texts(true);
  return svg + "</svg>\n";
}

}  // namespace draw
