#include "draw/export/svg.hpp"

#include <utf8/core.h>
#include <utf8/unchecked.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

using stage::Block;
using stage::Point;
using stage::Rect;

namespace {

constexpr std::string_view words_font = "Inter, Helvetica, Arial, sans-serif";
constexpr std::string_view numbers_font = "JetBrains Mono, Menlo, Consolas, monospace";
constexpr float digit_width = 0.6F;  // as a share of the type size, for a monospaced font
constexpr float cell_for_number = 24.0F;
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

/// One line of text; `at` is its left end, middle or right end, at half the line's height.
std::string line(Point at, std::string_view anchor, std::string_view font, float size, Rgb fill,
                 std::string_view words, bool strong = false) {
  // Not every program knows dominant-baseline, so move the baseline down by 0.35 of the type size.
  std::string text = "<text" + attribute("x", number(at.x)) +
                     attribute("y", number(at.y + size * 0.35F)) + attribute("font-family", font) +
                     attribute("font-size", number(size)) + attribute("fill", colour(fill));
  if (anchor != "start") text += attribute("text-anchor", anchor);
  if (strong) text += attribute("font-weight", "600");
  return text + ">" + xml_text(words) + "</text>\n";
}

std::string caption(const stage::Group& group, const Theme& theme) {
  const Rect& place = group.caption;
  const float step = place.height / 2.2F;
  std::string text = line({place.x, place.y + step * 0.5F}, "start", words_font, 13.0F, theme.text,
                          group.title, true);
  const std::string below = group.note.empty() ? group.shape : group.shape + "  " + group.note;
  return text +
         line({place.x, place.y + step * 1.45F}, "start", numbers_font, 11.5F, theme.quiet, below);
}

std::string labels(const Block& block, const Theme& theme) {
  std::string text;
  for (std::size_t row = 0; block.show_row_labels && row < block.row_labels.size(); ++row) {
    const Rect cell = block.cell(row, 0);
    text += line({cell.x - 7.0F, cell.centre().y}, "end", words_font,
                 std::min(12.5F, std::max(9.0F, cell.height)), theme.text, block.row_labels[row]);
  }
  for (std::size_t column = 0; column < block.column_labels.size(); ++column) {
    const Rect cell = block.cell(0, column);
    if (block.upright_labels > 0.0F) {
      const Point foot{cell.centre().x, cell.y - 7.0F};
      text += "<g" +
              attribute("transform", "rotate(-90 " + number(foot.x) + " " + number(foot.y) + ")") +
              ">" +
              line(foot, "start", words_font, std::min(11.0F, cell.width), theme.quiet,
                   block.column_labels[column]) +
              "</g>\n";
      continue;
    }
    text += line({cell.centre().x, cell.y - 12.0F}, "middle", words_font, 11.0F, theme.quiet,
                 block.column_labels[column]);
  }
  return text;
}

/// The bars that show each head's hue: over its columns or beside its rows.
std::string head_bars(const Block& block, const Theme& theme) {
  std::string text;
  const auto bar = [&](const Rect& rect, std::size_t head) {
    text += rectangle(rect, attribute("rx", "1.5") +
                                attribute("fill", colour(theme.head(block.hue_of(head)))) + "/>\n");
  };
  const Rect& cells = block.cells;
  if (block.head) bar({cells.x, cells.y - 5.0F, cells.width, 3.0F}, *block.head);
  for (std::size_t i = 0; block.columns_per_head > 0 && i < block.columns();
       i += block.columns_per_head) {
    const float width = cells.width * static_cast<float>(block.columns_per_head) /
                        static_cast<float>(block.columns());
    const float x = block.cell(0, i).x;
    bar({x + 0.8F, cells.y - 5.0F, width - 1.6F, 3.0F}, i / block.columns_per_head);
  }
  for (std::size_t i = 0; block.rows_per_head > 0 && i < block.rows(); i += block.rows_per_head) {
    const float height =
        cells.height * static_cast<float>(block.rows_per_head) / static_cast<float>(block.rows());
    bar({cells.x - 5.0F, block.cell(i, 0).y + 0.8F, 3.0F, height - 1.6F}, i / block.rows_per_head);
  }
  return text;
}

/// A number in its cell, with as many digits as fit into every cell of the block.
std::string cell_number(const Block& block, const Rect& cell, float value, Rgb behind) {
  const float size = number_size(cell.width, cell.height);
  const int room = static_cast<int>((cell.width - 3.0F) / (digit_width * size) + 0.01F);
  std::string text = cell_text(block, value, room);
  if (text.empty()) return text;
  return line(cell.centre(), "middle", numbers_font, size, text_on(behind), text);
}

std::string cells_of(const Block& block, const Theme& theme, bool tool_tips) {
  const Rect first = block.cell(0, 0);
  const bool apart = std::min(first.width, first.height) >= cell_for_gap;
  const bool numbers = first.width >= cell_for_number && first.height >= 15.0F;
  std::string text = apart ? "<g>\n" : "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      const float value = block.value(row, column);
      const Rgb fill = cell_colour(theme, block.colouring, block.range, value);
      const Rect cell = block.cell(row, column);
      const bool hidden = std::isinf(value) && value < 0.0F;
      text += rectangle(apart ? cell.inset(1.0F) : cell,
                        (apart ? attribute("rx", "2.5") : std::string()) +
                            attribute("fill", hidden ? "url(#hidden)" : colour(fill)));
      text += tool_tips
                  ? "><title>" + xml_text(stage::number_for_editing(value)) + "</title></rect>\n"
                  : "/>\n";
      if (numbers) text += cell_number(block, cell, value, fill);
    }
  }
  return text + "</g>\n";
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

base::Result<std::string> svg_of(const stage::Stage& stage, const Theme& theme) {
  std::size_t count = 0;
  for (const Block& block : stage.blocks) count += block.rows() * block.columns();
  if (count > max_svg_cells)
    return base::fail(
        base::text("draw.export.too_large", {{"count", count}, {"most", max_svg_cells}}));
  const Rect& bounds = stage.bounds;
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
  for (const stage::Group& group : stage.groups) svg += caption(group, theme);
  for (const Block& block : stage.blocks) {
    svg += labels(block, theme) + head_bars(block, theme);
    svg += cells_of(block, theme, count <= most_tool_tips);
    svg +=
        rectangle(block.cells.inset(-0.5F),
                  attribute("fill", "none") + attribute("rx", "2") +
                      attribute("stroke", colour(mixed(theme.page, theme.line, 0.55F))) + "/>\n");
  }
  return svg + "</svg>\n";
}

}  // namespace draw
