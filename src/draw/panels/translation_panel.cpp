#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/wording/translation_words.hpp"

namespace draw {

using lesson::Translated;

namespace {

/// "62.1 %", or "< 0.1 %".
std::string percent(double probability) {
  const auto tenths = static_cast<int>(probability * 1000.0 + 0.5);
  if (tenths == 0) return "< 0.1 %";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

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

}  // namespace

void translation_panel(const Screen& screen, View& view, Requests& requests) {
  const auto& translated = screen.session.computed().translated;
  if (!translated || translated->places.empty()) return;
  Widgets widgets(screen.theme, screen.type);
  const auto variant = static_cast<int>(screen.session.document().configuration.parameters.variant);
  if (const auto other = widgets.segments(
          "trained", texts({"draw.translation.trained", "draw.translation.untrained"}), variant))
    requests.add(document::ChooseVariant{*other});
  Widgets::space(6.0F);
  view.said_place = std::min(view.said_place, translated->places.size() - 1);
  std::vector<std::string> tokens;
  for (const Translated::Place& place : translated->places) tokens.push_back(place.said.piece);
  if (const auto pressed = chips(screen, widgets, "said ", tokens, view.said_place))
    view.said_place = *pressed;
  Widgets::space(6.0F);

  const Translated::Place& place = translated->places[view.said_place];
  widgets.words(
      base::text("draw.translation.said",
                 {{"token", place.said.piece}, {"probability", percent(place.said.probability)}}),
      screen.theme.text, 12.5F);
  std::vector<std::string> candidates;
  std::size_t said = place.best.size();
  for (std::size_t i = 0; i < place.best.size(); ++i) {
    candidates.push_back(place.best[i].piece + "  " + percent(place.best[i].probability));
    if (place.best[i].token == place.said.token) said = i;
  }
  const auto other = chips(screen, widgets, "candidate ", candidates, said);
  if (other && *other != said)
    requests.add(begin_with(*translated, view.said_place, place.best[*other].token));
  if (translated->unchanged) {
    Widgets::space(4.0F);
    widgets.words(stage::unchanged_words(*translated), screen.theme.text, 12.5F);
  }
  if (!screen.session.document().configuration.parameters.begin.empty()) {
    Widgets::space(4.0F);
    if (widgets.text_button("draw.translation.most_probable"))
      requests.add(document::SetTranslationBegin{});
  }
}

}  // namespace draw
