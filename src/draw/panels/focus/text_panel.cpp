// The header: what the step does, in one sentence, and the equation of the cell in focus. In the
// translator, in the place of the sentence, where the reader is, from all heads to one cell. More
// words, the formula in symbols and the shapes open on demand.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "draw/panels/focus/breadcrumb_line.hpp"
#include "draw/panels/focus/equation_line.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/wording/cell/explanation_words.hpp"
#include "stage/wording/step_words.hpp"

namespace draw {

namespace {

using stage::Form;
using stage::Rect;

constexpr float more_width = 52.0F;
constexpr float more_height = 26.0F;
constexpr float between = 14.0F;  // between title and sentence

/// The header's type sizes and distances in one design of the screen; logical pixels.
struct TextSetting {
  float title = 20.0F;
  float least_title = 14.0F;  // a narrow screen shrinks the title before it cuts it
  float sentence = 13.5F;
  float numbers = 13.5F;
  float line = 26.0F;  // height of the title's line
};

TextSetting setting_for(Form form) {
  if (form == Form::page) return {};
  if (form == Form::embed) return {17.0F, 13.0F, 12.5F, 12.5F, 21.0F};
  return {17.0F, 13.0F, 12.5F, 11.5F, 24.0F};
}

/// The largest size at which the title fits into this width.
float title_size(const Screen& screen, const TextSetting& setting, std::string_view title,
                 float width) {
  const float wide = measure(screen.type.strong, setting.title, title).x;
  return wide <= width ? setting.title
                       : std::max(setting.least_title, setting.title * width / wide);
}

/// Whether the whole sentence fits beside the title.
bool fits_beside(const Screen& screen, const TextSetting& setting, float title,
                 std::string_view sentence, float width) {
  return title + between + measure(screen.type.words, setting.sentence, sentence).x <= width;
}

/// The sentence under the title: in as many lines as there is room for or, where that is one, in
/// smaller letters before it is cut. Returns the bottom.
float sentence_below(const Screen& screen, const Rect& place, float size,
                     const std::string& sentence) {
  constexpr float least_size = 11.0F;
  ImFont* font = screen.type.words;
  size = std::round(size);  // as ImGui does
  const float needed = measure(font, size, at_spaces(font, size, sentence, place.width)).y;
  if (needed <= place.height) {
    ImGui::SetCursorScreenPos({place.x, place.y});
    Widgets(screen.theme, screen.type).words(sentence, screen.theme.quiet, size);
    return ImGui::GetItemRectMax().y;
  }
  const float wide = measure(font, size, sentence).x;
  const float smaller = std::max(least_size, std::floor(size * place.width / wide));
  set_text(ImGui::GetWindowDrawList(), font, smaller, {place.x, place.y + size / 2.0F + 1.0F},
           Align::left, packed(screen.theme.quiet), fitting(font, smaller, sentence, place.width));
  return place.y + size + 2.0F;
}

/// The button that opens and closes the text for which the header has no room.
void more_button(const Screen& screen, View& view, const Rect& line, Requests& requests) {
  const float height = std::min(more_height, line.height);
  const Rect place{line.right() - more_width, line.centre().y - height / 2.0F, more_width, height};
  ImGui::SetCursorScreenPos({place.x, place.y});
  const bool pressed = ImGui::InvisibleButton("more", {place.width, place.height});
  const bool hovered = is_pointed_at();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const bool open = screen.session.document().view_state.more;
  if (pressed) {
    requests.add(document::ShowMore{!open});
    view.controls_open = false;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRect({place.x, place.y}, {place.right(), place.bottom()},
                packed(hovered || open ? screen.theme.accent : screen.theme.line), 6.0F);
  set_text(list, screen.type.words, 12.5F, place.centre(), Align::centre, packed(screen.theme.text),
           base::text(open ? "draw.text.less" : "draw.text.more"));
}

/// What the step says in full: two to four sentences, the formula, and the shapes with their
/// letters explained.
struct FullWords {
  std::string text;
  std::string formula;
  std::string shapes;
  std::string letters;
};

/// The shapes, of which no line ends within brackets.
std::string kept_whole(std::string_view shapes) {
  constexpr std::string_view no_break_space = "\u00A0";
  std::string text;
  bool inside = false;
  for (const char letter : shapes) {
    inside = letter == '[' || (inside && letter != ']');
    if (inside && letter == ' ') {
      text += no_break_space;
    } else {
      text += letter;
    }
  }
  return text;
}

FullWords full_words(const document::Session& session) {
  const document::ViewState& view_state = session.document().view_state;
  FullWords words;
  words.text = stage::text_of_step(session);
  // In the guessing game, the formula shows what should be computed, not what the mistake does.
  words.formula = stage::formula_of_step(session.attention(), view_state);
  words.shapes = stage::shapes_of(session.attention(), view_state);
  words.letters = stage::axis_words(words.shapes);
  words.shapes = kept_whole(words.shapes);
  return words;
}

constexpr float around_words = 18.0F;

/// How wide what the step says is, and what is computed: below each other (`beside` is 0), or
/// beside each other, so that a wide card is low and leaves the stage its room.
struct Columns {
  float said;
  float computed;
  float beside;  // from the left edge of the one to the left edge of the other
};

Columns columns_in(float width) {
  constexpr float least_for_two = 720.0F;
  constexpr float gap = 32.0F;
  const float room = width - 2.0F * around_words;
  if (width < least_for_two) return {room, room, 0.0F};
  const float half = std::floor((room - gap) / 2.0F);
  return {half, half, half + gap};
}

/// They stand above the stage, which makes room for them.
void words_card(const Screen& screen) {
  const Rect& place = screen.chrome.words;
  if (place.empty()) return;
  const FullWords words = full_words(screen.session);
  const Columns columns = columns_in(place.width);
  begin_area("##words", place, screen.theme, Back::card);
  Widgets widgets(screen.theme, screen.type);
  const ImVec2 at = ImGui::GetCursorPos();
  if (columns.beside > 0.0F)
    ImGui::BeginChild("said", {columns.said, 0.0F}, ImGuiChildFlags_AutoResizeY);
  widgets.words(words.text, screen.theme.text, 13.5F);
  if (columns.beside > 0.0F) {
    ImGui::EndChild();
    ImGui::SetCursorPos({at.x + columns.beside, at.y});
    ImGui::BeginChild("computed", {columns.computed, 0.0F}, ImGuiChildFlags_AutoResizeY);
  } else {
    Widgets::space(4.0F);
  }
  widgets.formula(words.formula, screen.theme.text, 12.5F);
  Widgets::space(4.0F);
  widgets.numbers(words.shapes, screen.theme.quiet, 12.0F);
  widgets.words(words.letters, screen.theme.quiet, 12.5F);
  if (columns.beside > 0.0F) ImGui::EndChild();
  end_area();
}

}  // namespace

float words_height(const document::Session& session, const Type& type, float width) {
  constexpr float between_parts = 38.0F;  // all together
  constexpr float between_computed = 24.0F;
  constexpr float more_per_equation = 4.0F;
  const FullWords words = full_words(session);
  const Columns columns = columns_in(width);
  const auto height_of = [&](ImFont* font, float size, std::string_view text, float room) {
    size = std::round(size);  // as ImGui does
    return measure(font, size, at_spaces(font, size, text, room)).y;
  };
  const std::string formula = equations_apart(type.numbers, 12.5F, words.formula, columns.computed);
  const auto ends = static_cast<float>(std::count(formula.begin(), formula.end(), '\n'));
  const float said = height_of(type.words, 13.5F, words.text, columns.said);
  const float computed = height_of(type.numbers, 12.5F, formula, columns.computed) +
                         more_per_equation * ends +
                         height_of(type.numbers, 12.0F, words.shapes, columns.computed) +
                         height_of(type.words, 12.5F, words.letters, columns.computed);
  return 2.0F * around_words + (columns.beside > 0.0F ? std::max(said, computed + between_computed)
                                                      : said + computed + between_parts);
}

void text_panel(const Screen& screen, View& view, Requests& requests) {
  const Rect& place = screen.chrome.text;
  if (place.empty()) return;
  const document::ViewState& view_state = screen.session.document().view_state;
  const std::string_view heading = screen.composition.title;
  const std::string sentence = view_state.gradients
                                   ? std::string(base::text("draw.text.gradients"))
                                   : stage::words_of_step(screen.session.computed(), view_state);
  const TextSetting setting = setting_for(screen.chrome.form);
  const Rect line{place.x, place.y, place.width, setting.line};
  const float room = place.width - more_width - between;
  const float size = title_size(screen, setting, heading, room);
  const float title = measure(screen.type.strong, size, heading).x;
  begin_area("##text", place, screen.theme, Back::none);
  more_button(screen, view, line, requests);
  ImDrawList* list = ImGui::GetWindowDrawList();
  set_text(list, screen.type.strong, size, {place.x, line.centre().y}, Align::left,
           packed(screen.theme.text), shortened(screen.type.strong, size, heading, room + between));
  float y = line.bottom();
  const std::vector<stage::Crumb> path =
      stage::breadcrumb(screen.session.computed(), screen.session.document().view_state);
  const bool below = screen.chrome.form == Form::phone && place.height > 40.0F;
  if (!path.empty() && screen.chrome.form != Form::phone) {
    const float left = place.x + title + 2.0F * between;
    draw_breadcrumb(screen, path, {left, line.y, place.x + room - left, line.height},
                    setting.sentence, requests);
  } else if (!path.empty() && below) {
    constexpr float height = 22.0F;
    draw_breadcrumb(screen, path, {place.x, y - 3.0F, place.width, height}, setting.sentence,
                    requests);
    y += height - 3.0F;
  } else if (fits_beside(screen, setting, title, sentence, room)) {
    set_text(list, screen.type.words, setting.sentence,
             {place.x + title + between, line.centre().y + 1.5F}, Align::left,
             packed(screen.theme.quiet), sentence);
  } else if (below) {
    y = sentence_below(screen, {place.x, y, place.width, place.bottom() - y}, setting.sentence,
                       sentence);
  }
  y += screen.chrome.form == Form::page ? 8.0F : screen.chrome.form == Form::phone ? 4.0F : 0.0F;
  // On a phone with an inspector below the stage, the equation is there.
  if (screen.chrome.form != Form::phone || screen.chrome.panel.empty())
    draw_equation(screen, {place.x, y, place.width, place.bottom() - y}, setting.numbers);
  end_area();
  if (screen.session.document().view_state.more) words_card(screen);
}

void letters(const Screen& screen, View& view, float free_from) {
  Rect place = screen.chrome.letters;
  if (place.empty()) return;
  constexpr float around = 10.0F;
  constexpr float close = 24.0F;
  float size = 12.0F;
  // Of all shapes on the stage, or where that takes more than a line, of those of the step.
  const document::ViewState& view_state = screen.session.document().view_state;
  std::string shapes = stage::shapes_of(screen.session.attention(), view_state);
  const std::string of_step = stage::axis_words(shapes);
  for (const stage::Group& group : screen.composition.stage.groups) shapes += group.shape;
  const std::string of_all = stage::axis_words(shapes);
  const auto in_a_line = [&](const std::string& text) {
    return std::ceil(measure(screen.type.words, size, text).x) + 2.0F * around + close;
  };
  const float free = place.right() - free_from;
  const std::string& text = in_a_line(of_all) <= free ? of_all : of_step;
  // What is too long for its place begins further left, beside the row of choices.
  if (in_a_line(text) > place.width) {
    const float wide = std::max(place.width, std::min(in_a_line(text), free));
    place = {place.right() - wide, place.y, wide, place.height};
  }
  const float room = place.width - 2.0F * around - close;
  const auto extent_of = [&] {
    return screen.type.words->CalcTextSizeA(size, FLT_MAX, room, text.c_str());
  };
  if (extent_of().y > place.height - 4.0F) size = 11.0F;  // two lines
  const ImVec2 extent = extent_of();
  const float width = std::min(place.width, extent.x + 2.0F * around + close);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({place.x, place.y}, {place.x + width, place.bottom()},
                      packed(screen.theme.border, 0.6F), 6.0F);
  list->AddText(screen.type.words, size, {place.x + around, place.centre().y - extent.y / 2.0F},
                packed(screen.theme.text), text.c_str(), nullptr, room);
  const stage::Point cross{place.x + width - 14.0F, place.centre().y};
  ImGui::SetCursorScreenPos({cross.x - 12.0F, place.y});
  if (ImGui::InvisibleButton("close", {24.0F, place.height})) view.letters_seen = true;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  for (const float way : {-1.0F, 1.0F}) {
    list->AddLine({cross.x - 4.0F, cross.y - 4.0F * way}, {cross.x + 4.0F, cross.y + 4.0F * way},
                  packed(screen.theme.quiet), 1.5F);
  }
}

}  // namespace draw
