// The few controls that the program needs, with its own look on top of ImGui's input handling.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "stage/layout/geometry.hpp"

namespace draw {

/// Gives ImGui the theme's colours and our spacing.
void apply_style(const Theme& theme);

/// How an area looks: without a background, with the surface's colour, as a bordered card that
/// scrolls, or as a bordered frame that does not scroll itself but may contain panes that do.
enum class Back : unsigned char { none, surface, card, frame };
void begin_area(const char* id, const stage::Rect& place, const Theme& theme, Back back,
                bool takes_input = true);
void end_area();
/// A part of an area that scrolls by itself; a separate area would cost another draw call.
void begin_pane(const char* id, const stage::Rect& place);
/// What goes on below its bottom fades into the colour behind it.
void end_pane(const Rgb& behind);

/// Whether the pointer is over the last item; always false for a finger that has been lifted.
bool is_pointed_at();
/// Shows words beside the pointer in this frame.
void tooltip(std::string_view words);

/// The type size in a drop-down and the padding beside the text, in logical pixels.
inline constexpr float list_letters = 13.5F;
inline constexpr float list_padding = 10.0F;

/// What these keys of the catalogue say.
std::vector<std::string> texts(std::initializer_list<std::string_view> keys);

/// Controls that are placed at ImGui's cursor, or beside the previous one after `same_line`.
class Widgets {
 public:
  Widgets(const Theme& theme, const Type& type) : theme_(theme), type_(type) {}

  /// How a button stands out before it is pointed at; those of the bar do not.
  enum class Face : unsigned char { raised, flat };
  /// A word to press; pale and without effect if not `enabled`. `key`: its text in the catalogue,
  /// by which ImGui tells it apart, too. The word of a flat one at the beginning of a line is
  /// aligned with the text of other lines, so its clickable area extends to the left of them.
  bool text_button(const char* key, bool enabled = true, bool chosen = false,
                   Face face = Face::raised);
  /// The width of that button in logical pixels.
  float button_width(const char* key) const;
  /// One of several choices; `hue` colours its border and, if chosen, its background.
  bool chip(const char* id, std::string_view label, bool chosen, Rgb hue, float height = 28.0F);
  /// The width of that chip in logical pixels.
  float chip_width(std::string_view label, float height = 28.0F) const;
  /// Choices side by side; returns the one that was pressed. `chosen`: −1 for none.
  std::optional<std::size_t> segments(const char* id, const std::vector<std::string>& labels,
                                      int chosen, float height = 28.0F);
  /// The width of these segments in logical pixels.
  float width_of(const std::vector<std::string>& labels) const;
  /// An on/off switch; returns whether it was pressed.
  bool toggle(const char* id, std::string_view label, bool on);
  /// A possible answer, with its text where a toggle has it. Returns whether it was pressed.
  bool answer(const char* id, std::string_view label);
  /// A drop-down; returns the choice that was pressed. `chosen`: −1 for none.
  std::optional<std::size_t> drop_down(const char* id, const std::vector<std::string>& labels,
                                       int chosen, float width);
  /// A text field of one line. Returns true when the text is committed (by Enter, or by leaving the
  /// field after a change). `text` is the field's text; while nobody is typing, that is `current`.
  bool field(const char* id, std::string& text, const std::string& current, float width,
             std::string_view hint, bool numbers = false);

  void heading(std::string_view text);
  void words(std::string_view text, Rgb colour, float size = 13.0F, bool strong = false);
  void numbers(std::string_view text, Rgb colour, float size = 13.0F, bool strong = false);
  /// A formula on one line if it fits, else a line for each of its equations; with ᵀ as a raised T.
  void formula(std::string_view text, Rgb colour, float size);
  void rule();
  static void same_line(float gap = 8.0F);
  static void space(float height);

 private:
  static constexpr float segment_type = 12.5F;
  static constexpr float button_type = 13.0F;
  static constexpr float around_button = 8.0F;
  float segment_width(const std::string& label) const;
  /// The contents of an open drop-down, `row` pixels per label. The arrow keys choose, too.
  std::optional<std::size_t> open_list(const std::vector<std::string>& labels, int chosen,
                                       float row) const;
  void paragraph(ImFont* font, std::string_view text, Rgb colour, float size);

  const Theme& theme_;
  const Type& type_;
};

/// A formula whose equations, with commas between them, stand below each other if they are wider
/// than `width` together.
std::string equations_apart(ImFont* font, float size, std::string_view formula, float width);

/// `text` with line ends in place of spaces, so that no line is wider than `width` unless a single
/// word is. ImGui would also break after a point: inside a number.
std::string at_spaces(ImFont* font, float size, std::string_view text, float width);

}  // namespace draw
