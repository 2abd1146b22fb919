#include "draw/panels/focus/breadcrumb_line.hpp"

#include <string>

#include "draw/panels/widgets.hpp"

namespace draw {

namespace {

constexpr float between_crumbs = 20.0F;
constexpr float beside_words = 4.0F;  // that can be pressed, too

}  // namespace

void draw_breadcrumb(const Screen& screen, const std::vector<stage::Crumb>& path,
                     const stage::Rect& place, float size, Requests& requests) {
  const auto width_of = [&](const std::string& words) {
    return measure(screen.type.strong, size, words).x;  // as where the reader is, for all
  };
  const float middle = place.centre().y;
  float x = place.x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const auto& [words, level] : stage::crumbs_in(path, place.width, between_crumbs, width_of)) {
    const stage::Crumb& crumb = path[level];
    const float width = width_of(words);
    if (x > place.x) {
      set_text(list, screen.type.words, size, {x - between_crumbs / 2.0F, middle}, Align::centre,
               packed(screen.theme.quiet), "›");
    }
    ImGui::SetCursorScreenPos({x - beside_words, place.y});
    const std::string id = "level " + std::to_string(level);
    const bool pressed =
        ImGui::InvisibleButton(id.c_str(), {width + 2.0F * beside_words, place.height});
    const bool hovered = !crumb.here && is_pointed_at();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (hovered && words != crumb.words) tooltip(crumb.words);
    if (pressed && !crumb.here) requests.level = crumb.there;
    ImFont* font = crumb.here ? screen.type.strong : screen.type.words;
    set_text(list, font, size, {x, middle}, Align::left,
             packed(crumb.here || hovered ? screen.theme.text : screen.theme.quiet), words);
    const float under = middle + size * 0.62F;
    const float drawn = measure(font, size, words).x;
    list->AddLine({x, under}, {x + drawn, under},
                  packed(crumb.here ? screen.theme.text : screen.theme.line),
                  crumb.here ? 2.0F : 1.0F);
    x += drawn + between_crumbs;
  }
}

}  // namespace draw
