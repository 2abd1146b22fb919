#include <algorithm>
#include <array>
#include <functional>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/input/own_layers.hpp"

namespace draw {

namespace {

std::vector<std::string> example_titles() {
  std::vector<std::string> titles;
  for (const lesson::Example& example : lesson::all_examples())
    titles.emplace_back(example.title());
  return titles;
}

document::Theme next(document::Theme theme) {
  return static_cast<document::Theme>((static_cast<std::size_t>(theme) + 1) % 3);
}

const char* text_of(document::Theme theme) {
  constexpr std::array keys = {"draw.bar.theme.auto", "draw.bar.theme.light",
                               "draw.bar.theme.dark"};
  return keys[static_cast<std::size_t>(theme)];
}

struct Item {
  const char* key;  ///< of its text
  bool enabled;
  bool chosen;
  std::function<void()> press;
};

/// The buttons on the right, the most used ones first.
std::vector<Item> items(const Screen& screen, View& view, Requests& requests) {
  const document::Session& session = screen.session;
  std::vector<Item> items;
  if (screen.chrome.form != stage::Form::phone) {
    items.push_back({"draw.bar.undo", session.can_undo(), false, [&] { requests.undo = true; }});
    items.push_back({"draw.bar.redo", session.can_redo(), false, [&] { requests.redo = true; }});
    items.push_back({link_text(view, session), true, false, [&] { requests.copy_link = true; }});
  }
  if (screen.chrome.form == stage::Form::page) {
    const document::Theme theme = session.document().view_state.theme;
    items.push_back({"draw.bar.reset", true, false, [&] { requests.add(document::Reset{}); }});
    items.push_back({text_of(theme), true, false,
                     [&, theme] { requests.add(document::ChooseTheme{next(theme)}); }});
  } else if (screen.chrome.sheets) {
    items.push_back({"draw.bar.controls", true, view.controls_open, [&] {
                       view.controls_open = !view.controls_open;
                       // Both stand over the stage or beside it.
                       if (screen.session.document().view_state.more)
                         requests.add(document::ShowMore{false});
                     }});
  }
  return items;
}

}  // namespace

void bar_panel(const Screen& screen, View& view, Requests& requests) {
  const stage::Rect& place = screen.chrome.bar;
  if (place.empty()) return;
  const document::Document& document = screen.session.document();
  const bool page = screen.chrome.form == stage::Form::page;
  const bool phone = screen.chrome.form == stage::Form::phone;
  Widgets widgets(screen.theme, screen.type);
  begin_area("##bar", place, screen.theme, Back::surface);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({place.x, place.bottom() - 0.5F}, {place.right(), place.bottom() - 0.5F},
                packed(screen.theme.border));
  const float middle = place.centre().y;
  const float left = page ? 24.0F : 16.0F;
  float x = place.x + left;
  if (!phone) {
    set_text(list, screen.type.strong, 16.0F, {x, middle}, Align::left, packed(screen.theme.text),
             "attention-live");
    x += measure(screen.type.strong, 16.0F, "attention-live").x + 24.0F;
  }

  ImGui::SetCursorScreenPos({x, middle - 14.0F});
  const auto chosen = static_cast<int>(document.configuration.example);
  const bool translates = screen.session.computed().translated.has_value();
  const float room = translates && page ? 176.0F
                     : page             ? 236.0F
                     : phone            ? std::min(226.0F, place.width - 112.0F)
                                        : 200.0F;
  if (const auto picked = widgets.drop_down("##example", example_titles(), chosen, room)) {
    const lesson::ExampleId example = lesson::all_examples()[*picked].id;
    // Chosen once more, it is another file that is wanted.
    if (example == lesson::ExampleId::own_layer &&
        (!lesson::has_its_weights(example) || *picked == static_cast<std::size_t>(chosen)))
      requests.choose_layer = true;
    else if (lesson::has_its_weights(example))
      requests.add(document::ChooseExample{example, 0});
    else
      requests.load_translator = true;
  }
  // The translator’s are in the group Translation: its sentence and what it says take the room.
  if (page && !translates && has_variants(document.configuration.example)) {
    Widgets::same_line();
    variants_list(screen, 210.0F, requests);
  }
  if (page &&
      lesson::takes_words(document.configuration.example, document.configuration.parameters)) {
    Widgets::same_line();
    const bool is_close = translates || has_variants(document.configuration.example);
    sentence_field(screen, view, std::min(420.0F, place.width * (is_close ? 0.21F : 0.3F)),
                   requests);
    x = ImGui::GetItemRectMax().x + 12.0F;
  }

  const std::vector<Item> buttons = items(screen, view, requests);
  float width = 0.0F;
  for (const Item& item : buttons) width += widgets.button_width(item.key) + 4.0F;
  const float first = place.right() - left + 8.0F - width;
  if (const auto& translated = screen.session.computed().translated; translated && page) {
    const std::string text =
        shortened(screen.type.strong, 13.5F, translated->text, first - x - 12.0F);
    set_text(list, screen.type.strong, 13.5F, {x, middle}, Align::left, packed(screen.theme.text),
             text);
    const float after = x + measure(screen.type.strong, 13.5F, text).x + 14.0F;
    small_model(screen, {after, place.y, first - 12.0F - after, place.height});
  }
  ImGui::SetCursorScreenPos({first, middle - 15.0F});
  for (const Item& item : buttons) {
    if (widgets.text_button(item.key, item.enabled, item.chosen, Widgets::Face::flat)) item.press();
    if (is_pointed_at() && item.key == std::string_view("draw.bar.reset"))
      tooltip(base::text("draw.bar.reset.says"));
    Widgets::same_line(4.0F);
  }
  end_area();
}

}  // namespace draw
