#include <algorithm>
#include <array>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

namespace {

std::vector<std::string> example_titles() {
  std::vector<std::string> titles;
  for (const lesson::Example& example : lesson::all_examples()) titles.emplace_back(example.title);
  return titles;
}

document::Theme next(document::Theme theme) {
  return static_cast<document::Theme>((static_cast<std::size_t>(theme) + 1) % 3);
}

const char* label(document::Theme theme) {
  constexpr std::array labels = {"Theme: auto##theme", "Theme: light##theme", "Theme: dark##theme"};
  return labels[static_cast<std::size_t>(theme)];
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
  if (const auto place = widgets.drop_down("##example", example_titles(), chosen, room)) {
    const lesson::ExampleId example = lesson::all_examples()[*place].id;
    if (lesson::has_its_weights(example))
      requests.add(document::ChooseExample{example, 0});
    else
      requests.load_translator = true;
  }
  // The translator’s are in the group Translation: its sentence and what it says take the room.
  if (page && !translates && lesson::example(document.configuration.example).variants.size() > 1) {
    Widgets::same_line();
    variants_list(screen, 210.0F, requests);
  }
  if (page && lesson::example(document.configuration.example).has_sentence) {
    Widgets::same_line();
    sentence_field(screen, view, std::min(420.0F, place.width * (translates ? 0.21F : 0.3F)),
                   requests);
    x = ImGui::GetItemRectMax().x + 12.0F;
  }

  // The buttons on the right, the most used ones first.
  struct Item {
    const char* label;
    bool enabled;
  };
  std::vector<Item> items;
  if (!phone) {
    items.push_back({"Undo", screen.session.can_undo()});
    items.push_back({"Redo", screen.session.can_redo()});
    items.push_back({link_label(view, screen.session), true});
  }
  if (page) {
    items.push_back({"Reset", true});
    items.push_back({label(document.view_state.theme), true});
  } else if (screen.chrome.sheets) {
    items.push_back({"Controls", true});
  }
  float width = 0.0F;
  for (const Item& item : items) {
    width += measure(screen.type.strong, 13.0F, words_of(item.label)).x + 16.0F + 4.0F;
  }
  const float buttons = place.right() - left + 8.0F - width;
  if (const auto& translated = screen.session.computed().translated; translated && page) {
    set_text(list, screen.type.strong, 13.5F, {x, middle}, Align::left, packed(screen.theme.text),
             shortened(screen.type.strong, 13.5F, translated->text, buttons - x - 12.0F));
  }
  ImGui::SetCursorScreenPos({buttons, middle - 15.0F});
  for (const Item& item : items) {
    const std::string_view name = item.label;
    if (widgets.text_button(item.label, item.enabled, name == "Controls" && view.controls_open)) {
      if (name == "Undo") requests.undo = true;
      if (name == "Redo") requests.redo = true;
      if (name == "Reset") requests.add(document::Reset{});
      if (name == "Controls") {
        view.controls_open = !view.controls_open;
        view.words_open = false;
      }
      if (name.find("##link") != std::string_view::npos) requests.copy_link = true;
      if (name.find("##theme") != std::string_view::npos)
        requests.add(document::ChooseTheme{next(document.view_state.theme)});
    }
    Widgets::same_line(4.0F);
  }
  end_area();
}

}  // namespace draw
