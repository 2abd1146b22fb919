// The few controls the program needs, in its own look, on top of ImGui's input handling.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "stage/layout/geometry.hpp"

namespace draw {

/// Gives ImGui the theme's colours and the house's spacing.
void apply_style(const Theme& theme);

/// Begins a window without any decoration that covers `place`. `solid`: with the surface's colour
/// and, if asked, a rounded border. `frame`: a card whose panes scroll, and which does not itself.
enum class Back : unsigned char { none, surface, card, frame };
void begin_area(const char* id, const stage::Rect& place, const Theme& theme, Back back,
                bool takes_input = true);
void end_area();
/// A part of an area that scrolls by itself. (An area of its own would be one draw call more.)
void begin_pane(const char* id, const stage::Rect& place);
void end_pane();

/// The pointer is over the last item; a finger that has gone points at nothing.
bool is_pointed_at();
/// Shows words at the pointer, for this frame.
void tooltip(const std::string& words);

/// The size of the letters in a drop-down, and what is left beside them, in logical pixels.
inline constexpr float list_letters = 13.5F;
inline constexpr float list_padding = 10.0F;

/// What of a label is shown: ImGui tells widgets apart by what stands behind "##".
std::string_view words_of(std::string_view label);

/// Widgets are placed at the cursor, side by side with `same_line`.
class Widgets {
 public:
  Widgets(const Theme& theme, const Type& type) : theme_(theme), type_(type) {}

  /// A word that can be pressed; faint and dead where `enabled` is false. Where it begins a line it
  /// stands under the words of the other lines, and what reacts reaches out to the left of them.
  bool text_button(const char* label, bool enabled = true, bool chosen = false);
  /// One of several; `hue` colours its border and, when chosen, its face.
  bool chip(const char* id, const std::string& label, bool chosen, Rgb hue, float height = 28.0F);
  /// How wide that one is.
  float chip_width(std::string_view label, float height = 28.0F) const;
  /// Segments side by side; returns which was pressed. `chosen`: -1 where none is.
  std::optional<std::size_t> segments(const char* id, const std::vector<std::string>& labels,
                                      int chosen, float height = 28.0F);
  /// How wide these segments are.
  float width_of(const std::vector<std::string>& labels) const;
  /// On or off.
  bool toggle(const char* id, const std::string& label, bool on);
  /// An answer to choose, with its words where a toggle has them.
  bool answer(const char* id, const std::string& label);
  /// A drop-down; returns which was picked. `chosen`: -1 where none is.
  std::optional<std::size_t> drop_down(const char* id, const std::vector<std::string>& labels,
                                       int chosen, float width);
  /// One line of text to type; true when it was committed (Enter, or focus lost after a change).
  /// `text` is what is in the field; while nobody types, that is `current`.
  bool field(const char* id, std::string& text, const std::string& current, float width,
             const char* hint, bool numbers = false);

  void heading(const char* text);
  void words(std::string_view text, Rgb colour, float size = 13.0F, bool strong = false);
  void numbers(std::string_view text, Rgb colour, float size = 13.0F, bool strong = false);
  /// On one line where there is room for it, with ᵀ as a raised T.
  void formula(std::string_view text, Rgb colour, float size);
  void rule();
  static void same_line(float gap = 8.0F);
  static void space(float height);

 private:
  static constexpr float segment_type = 12.5F;
  float segment_width(const std::string& label) const;
  /// What a drop-down shows while it is open, `row` pixels a label; the arrow keys choose as well.
  std::optional<std::size_t> open_list(const std::vector<std::string>& labels, int chosen,
                                       float row) const;
  void paragraph(ImFont* font, std::string_view text, Rgb colour, float size);

  const Theme& theme_;
  const Type& type_;
};

}  // namespace draw
