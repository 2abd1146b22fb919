#include <string>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/input/own_layers.hpp"

namespace draw {

void sentence_field(const Screen& screen, View& view, float width, Requests& requests) {
  const document::Configuration& configuration = screen.session.document().configuration;
  const bool own = configuration.example == lesson::ExampleId::own_layer;
  const std::string current(lesson::typed_words(configuration.example, configuration.parameters));
  const bool ids = own && !lesson::own_layer(configuration.parameters.variant).text.has_tokenizer;
  const char* hint = ids ? "draw.sentence.ids" : "draw.sentence.hint";
  Widgets widgets(screen.theme, screen.type);
  const bool left =
      widgets.field("##sentence", view.sentence_text, current, width, base::text(hint));
  // Its rows are read from a file, which takes longer than a frame.
  if (own && left) requests.own_words = view.sentence_text;
  if (own) return;
  if (left || ImGui::IsItemEdited()) requests.sentence = TypedSentence{view.sentence_text, left};
}

void small_model(const Screen& screen, const stage::Rect& place) {
  constexpr float size = 12.5F;
  const std::string_view words = base::text("draw.sentence.small");
  if (measure(screen.type.words, size, words).x > place.width) return;
  set_text(ImGui::GetWindowDrawList(), screen.type.words, size, {place.x, place.centre().y},
           Align::left, packed(screen.theme.quiet), words);
}

void sentence_panel(const Screen& screen, View& view, Requests& requests) {
  const stage::Rect& place = screen.chrome.sentence;
  if (place.empty()) return;
  constexpr float between = 12.0F;
  constexpr float size = 13.5F;
  const bool phone = screen.chrome.form == stage::Form::phone;
  const auto& translated = screen.session.computed().translated;
  begin_area("##said", place, screen.theme, Back::none);
  stage::Rect rest = place;
  if (screen.chrome.sheets) {
    const float height = phone ? 34.0F : place.height;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{list_padding, (height - list_letters) / 2.0F});
    sentence_field(screen, view, phone || !translated ? place.width : place.width * 0.48F,
                   requests);
    ImGui::PopStyleVar();
    const ImVec2 end = ImGui::GetItemRectMax();
    rest = phone ? stage::Rect{place.x, end.y, place.width, place.bottom() - end.y}
                 : stage::Rect{end.x + between, place.y, place.right() - end.x - between,
                               place.height};
  }
  if (translated) {
    const std::string text = shortened(screen.type.strong, size, translated->text, rest.width);
    set_text(ImGui::GetWindowDrawList(), screen.type.strong, size,
             {rest.x, rest.centre().y + (phone ? 2.0F : 0.0F)}, Align::left,
             packed(screen.theme.text), text);
    const float after = measure(screen.type.strong, size, text).x + between;
    small_model(screen,
                {rest.x + after, rest.y + (phone ? 2.0F : 0.0F), rest.width - after, rest.height});
  }
  end_area();
}

}  // namespace draw
