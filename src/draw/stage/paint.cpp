#include "draw/stage/paint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "draw/stage/cell_marks.hpp"
#include "draw/stage/column_labels.hpp"
#include "draw/stage/edit_marks.hpp"
#include "draw/stage/figure_view.hpp"
#include "draw/stage/wire_view.hpp"
#include "model/roles.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/motion/routes.hpp"
#include "stage/motion/zoom.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

using stage::Block;
using stage::Group;
using stage::Point;
using stage::Rect;

namespace {

constexpr float smallest_label = 8.5F;
constexpr float least_rimmed = 14.0F;
constexpr auto digits = "0123456789";

/// Whether the scene is on its way between a step and the map.
bool zooms(const Scene& scene) {
  return scene.before != nullptr && stage::is_zoom(*scene.before, *scene.stage);
}

/// Draws one frame; keeps the scene together with everything that its parts need.
class Painter {
 public:
  Painter(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list, Drawn& drawn)
      : scene_(scene), theme_(theme), type_(type), list_(list), drawn_(drawn) {}

  void links(const std::vector<stage::Route>& routes);
  void captions();
  void labels();
  void tags();
  /// Both draw the blocks from `first` up to, but not including, `last`.
  void heads(std::size_t first, std::size_t last);
  void numbers(std::size_t first, std::size_t last);
  void marks();

 private:
  void wrong_cells(const Block& block);
  void changed_cells(const Block& block);
  Rect on_screen(const Rect& plane) const {
    return scene_.camera.to_screen(plane, scene_.viewport);
  }
  bool visible(const Rect& screen) const { return screen.overlaps(scene_.viewport); }
  /// Type grows with the camera, but at most by a quarter, so that it never dominates the cells.
  float type_size(float at_one) const {
    return std::clamp(at_one * scene_.camera.zoom, 0.0F, at_one * 1.25F);
  }
  float opacity_of(const Block& block) const { return block.opacity * appearing(block, scene_); }
  /// Whether a later piece flies over this point of a piece.
  bool is_covered(std::size_t piece, Point at) const {
    const std::vector<Block>& blocks = drawn_.stage.blocks;
    if (piece < drawn_.stage.first_piece) return false;  // pieces are drawn on top anyway
    return std::any_of(blocks.begin() + static_cast<std::ptrdiff_t>(piece) + 1, blocks.end(),
                       [at](const Block& other) { return other.cells.contains(at); });
  }
  float group_opacity(const Group& group) const {
    return group.folded ? 1.0F : opacity_of(drawn_.stage.blocks[group.first_block]);
  }
  void text(ImFont* font, float size, Point at, Align align, Rgb colour, float opacity,
            const std::string& words, const char* kind,
            std::optional<stage::Hit> cell = std::nullopt);
  void outline(const Rect& plane, Rgb colour, float thickness, float grow, float opacity = 1.0F);

  const Scene& scene_;
  const Theme& theme_;
  const Type& type_;
  ImDrawList* list_;
  Drawn& drawn_;
};

void Painter::text(ImFont* font, float size, Point at, Align align, Rgb colour, float opacity,
                   const std::string& words, const char* kind, std::optional<stage::Hit> cell) {
  if (words.empty() || size < smallest_label || opacity <= 0.02F) return;
  const Point extent = measure(font, size, words);
  Rect place{at.x, at.y - extent.y / 2.0F, extent.x, extent.y};
  if (align == Align::centre) place.x -= extent.x / 2.0F;
  if (align == Align::right) place.x -= extent.x;
  if (!visible(place)) return;
  set_text(list_, font, size, at, align, packed(colour, opacity), words);
  drawn_.texts.push_back(
      {place, words, kind, cell, std::nullopt, font, size, packed(colour, opacity)});
}

void Painter::outline(const Rect& plane, Rgb colour, float thickness, float grow, float opacity) {
  const Rect r = on_screen(plane).inset(-grow);
  list_->AddRect({r.x, r.y}, {r.right(), r.bottom()}, packed(colour, opacity), 3.0F,
                 ImDrawFlags_None, thickness);
}

void Painter::links(const std::vector<stage::Route>& routes) {
  for (const stage::Route& route : routes) {
    std::vector<ImVec2> points;
    for (const Point& point : route.points)
      points.push_back(vec(scene_.camera.to_screen(point, scene_.viewport)));
    if (drawn_.stage.backward) std::reverse(points.begin(), points.end());
    // During a zoom, routes already have their opacity.
    const float opacity = zooms(scene_) ? route.opacity
                                        : std::min(group_opacity(drawn_.stage.groups[route.from]),
                                                   group_opacity(drawn_.stage.groups[route.to]));
    draw_wire(list_, std::move(points), route.curved, scene_.camera.zoom,
              packed(theme_.line, opacity));
  }
}

void Painter::captions() {
  for (const Group& group : drawn_.stage.groups) {
    if (group.in_figure) continue;
    const Rect place = on_screen(group.caption);
    float opacity = opacity_of(drawn_.stage.blocks[group.first_block]) * group.caption_there;
    const float detail = drawn_.stage.detail;
    const float size = std::max(type_size(stage::caption_type_size(detail)), 9.5F);
    const float line = place.height / (1.2F + detail);
    const Point first{place.x, place.y + line * 0.5F};
    text(type_.strong, size, first, Align::left, theme_.text, opacity, group.title, "caption");
    opacity *= detail;
    const float small = type_size(11.5F);
    const Point second{place.x, place.y + line * 1.45F};
    text(type_.numbers, small, second, Align::left, theme_.quiet, opacity, group.shape, "shape");
    if (group.note.empty() || small < smallest_label) continue;
    const float before =
        group.shape.empty() ? 0.0F : measure(type_.numbers, small, group.shape).x + 10.0F;
    const Point after{place.x + before, second.y};
    text(group.wrong ? type_.strong : type_.words, small, after, Align::left,
         group.wrong ? theme_.wrong : theme_.quiet, opacity, group.note, "note");
  }
}

void Painter::labels() {
  for (const Block& block : drawn_.stage.blocks) {
    const Rect cells = on_screen(block.cells);
    float opacity = opacity_of(block);
    const float row_height = cells.height / static_cast<float>(block.rows());
    const float column_width = cells.width / static_cast<float>(block.columns());
    if (block.show_row_labels && row_height >= 8.5F && !block.row_labels.empty()) {
      const float size = std::min(type_size(12.5F), std::max(row_height, 9.0F));
      const float detail = drawn_.stage.detail;
      const bool numbered = block.show_row_numbers && block.row_axis &&
                            block.row_labels[0].find_first_not_of(digits) != std::string::npos;
      const float gap = 7.0F + (numbered ? detail * type_size(stage::number_room) : 0.0F);
      const float room =
          cells.x - on_screen(drawn_.stage.groups[block.group].bounds).x - gap + 1.0F;
      const std::vector<std::string> labels =
          shortened_apart(type_.strong, size, block.row_labels.words(), room);
      for (std::size_t row = 0; row < block.rows(); ++row) {
        const bool chosen = block.rows_are_queries && row == scene_.query;
        ImFont* font = chosen ? type_.strong : type_.words;
        const Point at{cells.x - gap, cells.y + row_height * (static_cast<float>(row) + 0.5F)};
        const bool padding = block.row_labels[row] == lesson::pad_token;
        text(font, size, at, Align::right, padding ? theme_.quiet : theme_.text,
             opacity * block.row_labels_there, labels[row], "row label");
        if (!numbered) continue;
        text(type_.numbers, size * 0.68F, {cells.x - 4.0F, at.y}, Align::right, theme_.quiet,
             opacity * block.row_labels_there * detail,
             std::to_string(block.index_of(row, 0)[*block.row_axis]), "index");
      }
    }
    if (block.column_labels.empty() && block.column_ticks.empty()) continue;
    opacity *= block.column_labels_there;
    const bool upright = block.upright_labels > 0.0F;
    const float size =
        upright ? std::min(type_size(11.0F), column_width * 0.95F) : type_size(11.0F);
    if (size < smallest_label || opacity <= 0.02F) continue;
    const ColumnLabels labels(block, cells, scene_.viewport, type_, size,
                              packed(theme_.quiet, opacity), list_, drawn_.texts);
    if (!block.column_ticks.empty())
      labels.put_ticks(key_in_focus(scene_, drawn_.stage));
    else if (upright)
      labels.put_upright(block.upright_labels * scene_.camera.zoom);
    else if (labels.fit())
      labels.put_level();
  }
}

void Painter::tags() {
  for (const Block& block : drawn_.stage.blocks) {
    const stage::Tag& tag = block.tag;
    const float opacity = opacity_of(block) * tag.drawn;
    if (tag.place == stage::Tag::Place::none || opacity <= 0.0F) continue;
    const Rect cells = on_screen(block.cells);
    const float size = type_size(12.0F);
    // A head by its name, or its number if that is too long.
    const auto named = [&](ImFont* font) {
      const bool whole = measure(font, size, tag.text).x <= cells.width;
      return whole ? tag.text : tag.text.substr(tag.text.find(' ') + 1);
    };
    if (tag.place == stage::Tag::Place::left) {
      const float room = cells.x - on_screen(drawn_.stage.groups[block.group].bounds).x - 14.0F;
      text(type_.words, size, {cells.x - 14.0F, cells.centre().y}, Align::right, theme_.text,
           opacity, shortened(type_.words, size, tag.text, room), "row label");
      continue;
    }
    if (tag.place == stage::Tag::Place::over) {
      const float lower = block.column_labels.empty() ? 14.0F : 30.0F;
      text(type_.words, size, {cells.x, cells.y - lower}, Align::left, theme_.text, opacity,
           block.head ? named(type_.words) : shortened(type_.words, size, tag.text, cells.width),
           "tag");
      continue;
    }
    // The tag below: a bracket around the columns with the head's name.
    const Rgb hue = theme_.head(block.hue_of(block.head.value_or(0)));
    Rect below = drawn_.stage.groups[block.group].bounds;
    below.y = below.bottom() - stage::tag_under;
    const float y = on_screen(below).y + 4.0F;
    const std::vector<ImVec2> corners = {{cells.x + 1.0F, y},
                                         {cells.x + 1.0F, y + 5.0F},
                                         {cells.right() - 1.0F, y + 5.0F},
                                         {cells.right() - 1.0F, y}};
    list_->AddPolyline(corners.data(), static_cast<int>(corners.size()), packed(hue, opacity),
                       ImDrawFlags_None, 2.0F);
    text(type_.strong, size, {cells.centre().x, y + 15.0F}, Align::centre, theme_.text, opacity,
         named(type_.strong), "tag");
  }
}

void Painter::heads(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const Block& block = drawn_.stage.blocks[i];
    const Rect cells = on_screen(block.cells);
    if (!visible(cells.inset(-8.0F))) continue;
    const float opacity = opacity_of(block);
    if (block.piece) {
      // In low rows, the frames of overlapping pieces would hide the cells.
      constexpr float low = 12.0F;
      if (cells.height < low && i < drawn_.stage.first_piece) continue;
      const Rect frame = cells.inset(0.5F);
      const Rgb hue = block.head ? theme_.head(block.hue_of(*block.head)) : theme_.quiet;
      list_->AddRect({frame.x, frame.y}, {frame.right(), frame.bottom()}, packed(hue, opacity),
                     3.0F, ImDrawFlags_None, 1.5F);
      continue;
    }
    // A hairline around each matrix, because zeros are almost the colour of the page.
    const Rect frame = cells.inset(-0.5F);
    list_->AddRect({frame.x, frame.y}, {frame.right(), frame.bottom()},
                   packed(mixed(theme_.page, theme_.line, 0.55F), opacity), 2.0F, ImDrawFlags_None,
                   1.0F);
    const auto bar = [&](float x0, float y0, float x1, float y1, std::size_t head) {
      const Rgb hue = theme_.head(block.hue_of(head));
      list_->AddRectFilled({x0, y0}, {x1, y1}, packed(hue, opacity), 1.5F);
    };
    const float thick = 3.0F;
    if (block.head) {
      bar(cells.x + 0.5F, cells.y - 5.0F, cells.right() - 0.5F, cells.y - 5.0F + thick,
          *block.head);
    }
    const std::size_t across =
        block.columns_per_head > 0 ? block.columns() / block.columns_per_head : 0;
    for (std::size_t head = 0; head < across; ++head) {
      const float width = cells.width / static_cast<float>(across);
      const float x = cells.x + width * static_cast<float>(head);
      bar(x + 0.8F, cells.y - 5.0F, x + width - 0.8F, cells.y - 5.0F + thick, head);
    }
    const auto beside = [&](std::size_t place, std::size_t count, std::size_t head) {
      const float height = cells.height / static_cast<float>(count);
      const float y = cells.y + height * static_cast<float>(place);
      bar(cells.x - 5.0F, y + 0.8F, cells.x - 5.0F + thick, y + height - 0.8F, head);
    };
    for (std::size_t row = 0; row < block.row_heads.size(); ++row)
      beside(row, block.row_heads.size(), block.row_heads[row]);
    const std::size_t down = block.rows_per_head > 0 ? block.rows() / block.rows_per_head : 0;
    for (std::size_t head = 0; head < down; ++head) beside(head, down, head);
  }
}

void Painter::numbers(std::size_t first_block, std::size_t last_block) {
  for (std::size_t i = first_block; i < last_block; ++i) {
    const Block& block = drawn_.stage.blocks[i];
    const Rect cells = on_screen(block.cells);
    const float width = cells.width / static_cast<float>(block.columns());
    const float height = cells.height / static_cast<float>(block.rows());
    // During a zoom, numbers fade before their cells become too small for them.
    const float room_there = zooms(scene_) ? std::min((width - least_numbered_width) / 8.0F,
                                                      (height - least_numbered_height) / 5.0F)
                                           : 1.0F;
    if (!has_digits(width, height) || !visible(cells)) continue;
    const float opacity = opacity_of(block) * block.cells_there * std::min(1.0F, room_there);
    const float size = number_size(width, height);
    const float glyph = measure(type_.numbers, size, "0").x;
    const int room = static_cast<int>((width - 3.0F) / glyph + 0.01F);
    // Only the cells that are visible.
    const Rect seen = cells.intersected(scene_.viewport);
    const auto first = [](float from, float step) {
      return static_cast<std::size_t>(std::max(0.0F, from / step));
    };
    const std::size_t row0 = first(seen.y - cells.y, height);
    const std::size_t column0 = first(seen.x - cells.x, width);
    const std::size_t row1 = std::min(block.rows(), first(seen.bottom() - cells.y, height) + 1);
    const std::size_t column1 = std::min(block.columns(), first(seen.right() - cells.x, width) + 1);
    for (std::size_t row = row0; row < row1; ++row) {
      for (std::size_t column = column0; column < column1; ++column) {
        if (!block.is_shown(row, column) || is_covered(i, block.cell(row, column).centre()))
          continue;
        const float value = block.value(row, column);
        const Rgb behind = cell_colour(theme_, block.colouring, block.range, value);
        const Rect cell = on_screen(block.cell(row, column)).intersected(scene_.viewport);
        if (std::isinf(value) && value < 0.0F && opacity > 0.0F)
          plate_behind_infinity(cell.centre(), glyph, size, opacity, theme_, list_);
        text(type_.numbers, size, cell.centre(), Align::centre, text_on(behind), opacity,
             cell_text(block, value, room), "number", stage::Hit{i, row, column});
      }
    }
  }
}

/// Marks spoiled cells with a red corner if they are large enough for one.
void Painter::wrong_cells(const Block& block) {
  if (block.wrong.empty() || opacity_of(block) <= 0.0F) return;
  const Rect cells = on_screen(block.cells);
  const float width = cells.width / static_cast<float>(block.columns());
  const float height = cells.height / static_cast<float>(block.rows());
  const float size = std::min({width, height, 30.0F}) * 0.3F;
  if (size < 1.5F || !visible(cells)) return;
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      if (!block.wrong[row * block.columns() + column] || !block.is_shown(row, column)) continue;
      spoiled_mark(on_screen(block.cell(row, column)), size, theme_, list_);
    }
  }
}

/// Marks the cells that edits changed with an empty corner, those edited themselves get a full one.
void Painter::changed_cells(const Block& block) {
  if (block.changed.empty() || opacity_of(block) <= 0.0F || !visible(on_screen(block.cells)))
    return;
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      if (block.changed[row * block.columns() + column] && block.is_shown(row, column))
        changed_mark(on_screen(block.cell(row, column)), theme_, list_);
    }
  }
}

void Painter::marks() {
  const stage::Stage& stage = drawn_.stage;
  for (const Block& block : stage.blocks) {
    if (!block.rows_are_queries || block.rows() < 2 || scene_.query >= block.rows()) continue;
    Rect row = block.cell(scene_.query, 0);
    row.width = block.cells.width;
    // Only fading blocks take the mark with them; faint context keeps a clear one.
    const float there = scene_.before != nullptr ? opacity_of(block) : 1.0F;
    outline(row, mixed(theme_.page, theme_.accent, 0.75F), 1.0F, 1.0F, there);
  }
  for (const Block& block : stage.blocks) {
    // A picture of another attention has rows that this trace knows nothing about.
    if (block.tensor != model::roles::weights || !block.head || block.only_seen) continue;
    for (std::size_t row = 0; row < block.rows(); ++row) {
      if (!scene_.trace->fully_masked(scene_.sample, *block.head, row)) continue;
      for (std::size_t column = 0; column < block.columns(); ++column) {
        const Rect cell = on_screen(block.cell(row, column));
        zero_by_definition_mark(cell, has_digits(cell.width, cell.height), theme_, list_);
      }
    }
  }
  for (const Block& block : stage.blocks) {
    wrong_cells(block);
    changed_cells(block);
  }
  for (const stage::Hit& hit : scene_.edited)
    edited_mark(on_screen(stage.blocks[hit.block].cell(hit.row, hit.column)), theme_, list_);
  for (const stage::Hit& hit : scene_.targets)
    target_mark(on_screen(stage.blocks[hit.block].cell(hit.row, hit.column)), theme_, list_);
  // During a zoom, these marks appear together with the new picture.
  const float there = zooms(scene_) ? std::clamp(scene_.travel * 2.0F - 1.0F, 0.0F, 1.0F) : 1.0F;
  // What lies in a closed card of the map is not seen.
  const auto is_open = [&](std::size_t block) {
    return !stage.groups[stage.blocks[block].group].folded;
  };
  for (const stage::CellRange& range : scene_.sources) {
    if (is_open(range.block)) outline(bounds_of(stage, range), theme_.accent, 2.0F, 1.5F, there);
  }
  for (const stage::Hit& hit : scene_.same_float) {
    if (!is_open(hit.block)) continue;
    outline(stage.blocks[hit.block].cell(hit.row, hit.column), theme_.accent, 2.0F, 1.0F, there);
  }
  const auto mark = [&](const std::optional<stage::Hit>& hit, float thickness) {
    if (!hit || hit->block >= stage.blocks.size()) return;
    const Rect cell = stage.blocks[hit->block].cell(hit->row, hit->column);
    // A light rim, where the cell has room for it: it and its neighbours may be as dark as the
    // frame.
    if (on_screen(cell).height >= least_rimmed) outline(cell, theme_.page, 1.5F, -1.0F, there);
    outline(cell, theme_.accent, thickness, 1.0F, there);
  };
  mark(scene_.chosen, 1.5F);
  mark(scene_.focus, 2.5F);
}

}  // namespace

float appearing(const Block& block, const Scene& scene) {
  // During a zoom, new blocks already have their opacity.
  const bool is_new =
      scene.before != nullptr && stage::is_new(block, *scene.before) && !zooms(scene);
  return is_new ? std::clamp(scene.travel * 2.0F - 1.0F, 0.0F, 1.0F) : 1.0F;
}

Drawn paint(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list,
            ImDrawCallback draw_pieces, void* data) {
  Drawn drawn;
  drawn.stage = *scene.stage;
  if (scene.before != nullptr) {
    const auto picture = zooms(scene) ? stage::zoomed : stage::between;
    drawn.stage = picture(*scene.before, *scene.stage, scene.travel);
  }
  drawn.camera = scene.camera;
  drawn.viewport = scene.viewport;

  list->PushClipRect({scene.viewport.x, scene.viewport.y},
                     {scene.viewport.right(), scene.viewport.bottom()}, true);
  Painter painter(scene, theme, type, list, drawn);
  const std::size_t pieces = std::min(drawn.stage.first_piece, drawn.stage.blocks.size());
  painter.links(zooms(scene) ? stage::zoomed_routes(*scene.before, *scene.stage, scene.travel)
                             : stage::routes_of(drawn.stage));
  painter.heads(0, pieces);
  painter.captions();
  painter.labels();
  painter.tags();
  painter.numbers(0, pieces);
  draw_figures(drawn.stage, drawn.camera, drawn.viewport, theme, type, list, drawn.texts);
  if (pieces < drawn.stage.blocks.size()) {
    list->AddCallback(draw_pieces, data);
    list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    painter.heads(pieces, drawn.stage.blocks.size());
    painter.numbers(pieces, drawn.stage.blocks.size());
  }
  draw_plates(drawn.stage, drawn.camera, drawn.viewport, theme, type, list, drawn.texts);
  painter.marks();
  list->PopClipRect();
  return drawn;
}

}  // namespace draw
