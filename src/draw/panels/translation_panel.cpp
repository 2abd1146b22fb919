#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/examples/translating.hpp"
#include "stage/wording/translation_words.hpp"

namespace draw {

using lesson::Translated;

namespace {

/// Choices side by side, in as many lines as they need; returns the one that was pressed.
std::optional<std::size_t> chips(const Screen& screen, Widgets& widgets, const std::string& id,
                                 const std::vector<std::string>& labels, std::size_t chosen) {
  constexpr float height = 26.0F;
  constexpr float gap = 4.0F;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  std::optional<std::size_t> pressed;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0 && ImGui::GetItemRectMax().x + gap + widgets.chip_width(labels[i], height) <= right)
      Widgets::same_line(gap);
    const std::string name = id + std::to_string(i);
    if (widgets.chip(name.c_str(), labels[i], i == chosen, screen.theme.text, height)) pressed = i;
  }
  return pressed;
}

/// What the translation begins with when `token` is said in this place.
document::SetTranslationBegin begin_with(const Translated& translated, std::size_t place,
                                         std::size_t token) {
  document::SetTranslationBegin begin;
  for (std::size_t i = 0; i < place; ++i)
    begin.tokens.push_back(static_cast<std::uint32_t>(translated.places[i].said.token));
  begin.tokens.push_back(static_cast<std::uint32_t>(token));
  return begin;
}

/// Greedy decoding or a beam, beside the choice before it if there is room.
void decoding_choice(const Screen& screen, Widgets& widgets, Requests& requests) {
  const std::vector<std::string> labels = {
      std::string(base::text("draw.translation.greedy")),
      base::text("draw.translation.beam", {{"width", lesson::beam_width}})};
  constexpr float gap = 8.0F;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (ImGui::GetItemRectMax().x + gap + widgets.width_of(labels) <= right) Widgets::same_line(gap);
  const bool beam = screen.session.document().configuration.parameters.beam > 1;
  if (const auto other = widgets.segments("decoding", labels, beam ? 1 : 0))
    requests.add(document::SetBeam{*other == 1 ? lesson::beam_width : 1});
}

/// A translation that the beam found, with its probability; returns whether it was pressed.
bool found_translation(const Screen& screen, const std::string& id,
                       const Translated::Finished& found, bool chosen) {
  constexpr float height = 36.0F;
  constexpr float around = 9.0F;
  const Theme& theme = screen.theme;
  const Type& type = screen.type;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, height});
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  const bool hovered = is_pointed_at();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const Rgb face = chosen    ? theme.text
                   : hovered ? mixed(theme.surface, theme.text, 0.1F)
                             : theme.surface;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, packed(face), 7.0F);
  list->AddRect({low.x + 0.75F, low.y + 0.75F}, {high.x - 0.75F, high.y - 0.75F},
                packed(chosen ? theme.text : theme.border), 6.5F, 0, 1.5F);
  const std::string text = shortened(type.strong, 12.5F, found.text, width - 2.0F * around);
  const Rgb ink = text_on(face);
  set_text(list, type.strong, 12.5F, {low.x + around, low.y + 12.0F}, Align::left, packed(ink),
           text);
  set_text(list, type.words, 11.5F, {low.x + around, low.y + 26.0F}, Align::left,
           packed(chosen ? ink : theme.quiet), stage::finished_words(found));
  if (hovered && text != found.text) tooltip(found.text);
  return pressed;
}

/// What the beam found, best first; the one that is pressed is shown from then on.
void found_translations(const Screen& screen, Widgets& widgets, const Translated& translated,
                        Requests& requests) {
  const std::vector<std::size_t> shown = lesson::tokens_of(translated);
  for (std::size_t i = 0; i < translated.finished.size(); ++i) {
    const Translated::Finished& found = translated.finished[i];
    const bool chosen = found.tokens == shown;
    const std::string id = "found " + std::to_string(i);
    if (found_translation(screen, id, found, chosen) && !chosen) {
      requests.add(document::SetTranslationBegin{{found.tokens.begin(), found.tokens.end()}});
    }
    ImGui::SetCursorScreenPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + 4.0F});
  }
  Widgets::space(2.0F);
  widgets.words(base::text("draw.translation.beam_is", {{"width", lesson::beam_width}}),
                screen.theme.quiet, 12.0F);
  widgets.words(base::text("draw.translation.order"), screen.theme.quiet, 12.0F);
  Widgets::space(4.0F);
}

/// How much is kept of keys and values, and the way to them.
void kept(const Screen& screen, Widgets& widgets, Requests& requests) {
  using lesson::AttentionId;
  std::size_t said = 0;
  std::size_t source = 0;
  AttentionId last{};
  for (const document::ComputedAttention& attention : screen.session.computed().attentions) {
    const std::size_t bytes = stage::kept_bytes(attention);
    if (bytes == 0) continue;
    const bool cross = lesson::kind_of(attention.id) == AttentionId::cross_attention;
    (cross ? source : said) = bytes;  // of all layers of the kind
    if (!cross) last = attention.id;
  }
  if (said == 0) return;
  Widgets::space(4.0F);
  widgets.words(base::text("draw.translation.kept",
                           {{"bytes", said + source}, {"said", said}, {"source", source}}),
                screen.theme.text, 12.5F);
  if (!widgets.text_button("draw.translation.show_kept")) return;
  requests.add(document::ChooseAttention{last});
  requests.add(document::ChooseStep{lesson::StepId::project});
  requests.add(document::ChooseProjection{document::Projection::k});
  requests.add(document::ShowMore{true});
}

}  // namespace

void translation_panel(const Screen& screen, View& view, Requests& requests) {
  const auto& translated = screen.session.computed().translated;
  if (!translated || translated->places.empty()) return;
  Widgets widgets(screen.theme, screen.type);
  const auto variant = static_cast<int>(screen.session.document().configuration.parameters.variant);
  if (const auto other = widgets.segments(
          "trained", texts({"draw.translation.trained", "draw.translation.untrained"}), variant))
    requests.add(document::ChooseVariant{*other});
  decoding_choice(screen, widgets, requests);
  Widgets::space(6.0F);
  if (!translated->finished.empty()) found_translations(screen, widgets, *translated, requests);
  // In the decoder each query is the token after which one is said, so that it chooses the place.
  const bool by_query =
      lesson::kind_of(screen.attention.id) != lesson::AttentionId::encoder_self_attention;
  const std::size_t said_place =
      std::min(by_query ? screen.session.document().view_state.query : view.said_place,
               translated->places.size() - 1);
  std::vector<std::string> tokens;
  for (const Translated::Place& place : translated->places) tokens.push_back(place.said.piece);
  if (const auto pressed = chips(screen, widgets, "said ", tokens, said_place)) {
    view.said_place = *pressed;
    if (by_query) requests.add(document::ChooseQuery{*pressed});
  }
  Widgets::space(6.0F);

  const Translated::Place& place = translated->places[said_place];
  widgets.words(base::text("draw.translation.said",
                           {{"token", place.said.piece},
                            {"probability", stage::probability_words(place.said.probability)}}),
                screen.theme.text, 12.5F);
  std::vector<std::string> candidates;
  std::size_t said = place.best.size();
  for (std::size_t i = 0; i < place.best.size(); ++i) {
    candidates.push_back(place.best[i].piece + "  " +
                         stage::probability_words(place.best[i].probability));
    if (place.best[i].token == place.said.token) said = i;
  }
  const auto other = chips(screen, widgets, "candidate ", candidates, said);
  if (other && *other != said)
    requests.add(begin_with(*translated, said_place, place.best[*other].token));
  if (translated->unchanged) {
    Widgets::space(4.0F);
    widgets.words(stage::unchanged_words(*translated), screen.theme.text, 12.5F);
  }
  if (!screen.session.document().configuration.parameters.begin.empty()) {
    Widgets::space(4.0F);
    if (widgets.text_button("draw.translation.most_probable"))
      requests.add(document::SetTranslationBegin{});
  }
  kept(screen, widgets, requests);
  if (translated->finished.empty()) {
    Widgets::space(4.0F);
    widgets.words(base::text("draw.translation.beam_is", {{"width", lesson::beam_width}}),
                  screen.theme.quiet, 12.5F);
  }
  if (const std::string bleu = lesson::bleu_of(*translated); !bleu.empty()) {
    Widgets::space(4.0F);
    widgets.words(base::text("draw.translation.quality", {{"bleu", bleu}}), screen.theme.quiet,
                  12.5F);
  }
}

}  // namespace draw
