// The groups of controls. Folded, each has a header that says what is chosen in it; while one is
// open, they are tabs, which leave more room for its contents and for what is in focus.
#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"
#include "document/learning/learn.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

namespace {

using stage::Rect;

constexpr float header_height = 25.0F;
constexpr float tab_gap = 14.0F;
constexpr float fold_width = 14.0F;  // the arrow beside the open tab
constexpr float header_type = 13.0F;
constexpr std::size_t group_count = 5;

/// The keys of their titles.
constexpr std::array<const char*, group_count> titles = {"draw.translation.title",
                                                         "draw.settings.title", "draw.break.title",
                                                         "draw.learn.title", "draw.copy.title"};
/// Of an open group with its tabs, in logical pixels: all mistakes are seen at once, and on a high
/// screen almost all settings.
constexpr float least_open = 366.0F;
constexpr float most_open = 505.0F;
constexpr float open_share = 0.6F;  // of the panel, between the two
/// What the inspector keeps: the name, place and value of the cell in focus.
constexpr float focus_height = 140.0F;

/// The first group that is there: all but the translator's examples have no translation.
std::size_t first_group(const Screen& screen) {
  return screen.session.computed().translated ? 0 : 1;
}

/// The group that is open, if it is there. All are folded while the step's words take their room.
std::optional<PanelGroup> open_group(const Screen& screen, const View& view) {
  if (screen.chrome.form == stage::Form::page && screen.session.document().view_state.more)
    return std::nullopt;
  const bool there =
      view.open_group && static_cast<std::size_t>(*view.open_group) >= first_group(screen);
  return there ? view.open_group : std::nullopt;
}

std::string_view title_of(std::size_t group) { return base::text(titles[group]); }

/// The places of the headers in an area as wide as `place`; empty for a group that is not there.
std::array<Rect, group_count> header_places(const Screen& screen, const View& view,
                                            const Rect& place) {
  std::array<Rect, group_count> places{};
  const std::optional<PanelGroup> open = open_group(screen, view);
  Rect next{place.x, place.y, place.width, header_height};
  for (std::size_t i = first_group(screen); i < group_count; ++i) {
    if (open) {
      next.width = measure(screen.type.strong, header_type, title_of(i)).x +
                   (open == static_cast<PanelGroup>(i) ? fold_width : 0.0F);
      if (next.x > place.x && next.right() > place.right())
        next = {place.x, next.bottom(), next.width, header_height};
    }
    places[i] = next;
    open ? next.x = next.right() + tab_gap : next.y = next.bottom();
  }
  return places;
}

std::string settings_summary(const Screen& screen) {
  constexpr std::array masks = {"draw.settings.brief.no_mask", "draw.settings.brief.padding_mask",
                                "draw.settings.brief.look-ahead_mask",
                                "draw.settings.brief.both_masks"};
  constexpr std::array scales = {"draw.settings.brief.undivided",
                                 "draw.settings.brief.sqrt_head_dim",
                                 "draw.settings.brief.sqrt_keys", "draw.settings.brief.number"};
  const auto mask = static_cast<std::size_t>(screen.session.attention().mask);
  const auto scale = static_cast<std::size_t>(screen.session.computed().scale.kind);
  std::string words;
  const auto add = [&](std::string_view key) {
    words += (words.empty() ? "" : " · ") + std::string(base::text(key));
  };
  const model::Variants& variants = screen.session.document().configuration.variants;
  if (mask > 0 || variants.window == 0) add(masks[mask]);
  if (variants.window > 0) add("draw.settings.brief.window");
  const bool forgotten = shown_mistake(screen.session.document()) == model::Mistake::no_scale &&
                         screen.session.computed().scale.kind != model::Scale::Kind::none;
  add(forgotten ? "draw.settings.brief.forgotten" : scales[std::min(scale, scales.size() - 1)]);
  if (screen.session.document().configuration.parameters.kdim > 0) add("draw.settings.brief.cross");
  if (variants.qk_norm) words += " · QK-norm";
  if (variants.rope_base > 0.0F) words += " · RoPE";
  if (variants.softcap > 0.0F) add("draw.settings.brief.softcap");
  if (variants.alibi) words += " · ALiBi";
  if (variants.position_bias != model::PositionBias::none) add("draw.settings.brief.position_bias");
  if (variants.sink) add("draw.settings.brief.sink");
  return words;
}

std::string break_summary(const Screen& screen) {
  const document::Document& document = screen.session.document();
  if (document.configuration.mistake == model::Mistake::none)
    return base::counted_text("draw.break.brief.mistakes", lesson::mistake_texts().size());
  if (document.view_state.guessing) return std::string(base::text("draw.break.brief.guessing"));
  return std::string(lesson::text_of(document.configuration.mistake).label());
}

std::string summary_of(const Screen& screen, PanelGroup group) {
  if (group == PanelGroup::translation) {
    const lesson::Parameters& parameters = screen.session.document().configuration.parameters;
    if (parameters.beam > 1)
      return base::text("draw.translation.beam", {{"width", parameters.beam}});
    return std::string(base::text(parameters.begin.empty() ? "draw.translation.brief.choose"
                                                           : "draw.translation.brief.chosen"));
  }
  if (group == PanelGroup::settings) return settings_summary(screen);
  if (group == PanelGroup::break_it) return break_summary(screen);
  if (group == PanelGroup::learn) {
    const auto loss = document::loss_of(screen.session.computed());
    return loss ? base::text("draw.learn.loss", {{"loss", stage::number_text_telling(*loss)}})
                : std::string(base::text("draw.learn.brief"));
  }
  return std::string(base::text("draw.copy.brief"));
}

void press_header(const Screen& screen, View& view, Requests& requests, PanelGroup group) {
  const std::optional<PanelGroup> before = open_group(screen, view);
  if (screen.chrome.form == stage::Form::page && screen.session.document().view_state.more)
    requests.add(document::ShowMore{false});
  view.open_group = before == group ? std::nullopt : std::optional(group);
  // Who opens it wants to set targets; who leaves it without any is done with it.
  const bool targets = !screen.session.document().configuration.target.empty();
  if (view.open_group == PanelGroup::learn) {
    requests.add(document::Learning{true});
  } else if (before == PanelGroup::learn && !targets) {
    requests.add(document::Learning{false});
  }
}

/// An arrow around a point: down at an open group, to the right at a folded one.
void arrow(const Screen& screen, ImVec2 tip, bool open, bool hovered) {
  const std::array<ImVec2, 3> down = {
      {{tip.x - 4.0F, tip.y - 2.0F}, {tip.x, tip.y + 2.0F}, {tip.x + 4.0F, tip.y - 2.0F}}};
  const std::array<ImVec2, 3> right = {
      {{tip.x - 2.0F, tip.y - 4.0F}, {tip.x + 2.0F, tip.y}, {tip.x - 2.0F, tip.y + 4.0F}}};
  ImGui::GetWindowDrawList()->AddPolyline(open ? down.data() : right.data(), 3,
                                          packed(hovered ? screen.theme.text : screen.theme.quiet),
                                          0, 1.5F);
}

/// The header of a group while all are folded.
void folded_header(const Screen& screen, PanelGroup group, const Rect& place, bool hovered) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string_view title = title_of(static_cast<std::size_t>(group));
  const float y = place.centre().y;
  list->AddLine({place.x, place.y + 0.5F}, {place.right(), place.y + 0.5F},
                packed(screen.theme.border));
  set_text(list, screen.type.strong, header_type, {place.x, y}, Align::left,
           packed(screen.theme.text), title);
  arrow(screen, {place.right() - 6.0F, y}, false, hovered);
  const float room = place.width - measure(screen.type.strong, header_type, title).x - 34.0F;
  set_text(list, screen.type.words, 12.0F, {place.right() - 18.0F, y}, Align::right,
           packed(screen.theme.quiet),
           fitting(screen.type.words, 12.0F, summary_of(screen, group), room));
}

/// The header of a group while one is open.
void tab(const Screen& screen, PanelGroup group, const Rect& place, bool open, bool hovered) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = place.centre().y;
  set_text(list, screen.type.strong, header_type, {place.x, y}, Align::left,
           packed(open || hovered ? screen.theme.text : screen.theme.quiet),
           title_of(static_cast<std::size_t>(group)));
  if (!open) return;
  list->AddRectFilled({place.x, place.bottom() - 3.0F},
                      {place.right() - fold_width, place.bottom() - 1.0F},
                      packed(screen.theme.text));
  arrow(screen, {place.right() - 4.0F, y}, true, hovered);
}

void contents(const Screen& screen, View& view, Requests& requests, PanelGroup group,
              const Rect& place) {
  // Each remembers how far it was scrolled.
  begin_pane(("##group " + std::to_string(static_cast<int>(group))).c_str(), place);
  if (group == PanelGroup::translation) translation_panel(screen, view, requests);
  if (group == PanelGroup::settings) settings(screen, view, requests);
  if (group == PanelGroup::break_it) break_panel(screen, view, requests);
  if (group == PanelGroup::learn) learn_panel(screen, view, requests);
  if (group == PanelGroup::copy) copy_controls(screen, view, requests);
  end_pane(screen.theme.surface);
}

}  // namespace

float groups_height(const Screen& screen, const View& view, const Rect& room) {
  const float headers = header_places(screen, view, room).back().bottom() - room.y;
  if (!open_group(screen, view)) return headers;
  // The same for all groups, so that the tabs keep their place.
  const float wanted = std::clamp(room.height * open_share, least_open, most_open);
  return std::max(headers, std::min(wanted, room.height - focus_height));
}

void groups_panel(const Screen& screen, View& view, Requests& requests, const Rect& place) {
  const std::optional<PanelGroup> open = open_group(screen, view);
  const std::array<Rect, group_count> headers = header_places(screen, view, place);
  const float top = headers.back().bottom();
  if (open)
    ImGui::GetWindowDrawList()->AddLine({place.x, place.y + 0.5F}, {place.right(), place.y + 0.5F},
                                        packed(screen.theme.border));
  for (std::size_t i = first_group(screen); i < group_count; ++i) {
    const auto group = static_cast<PanelGroup>(i);
    const Rect& header = headers[i];
    ImGui::SetCursorScreenPos({header.x, header.y});
    if (ImGui::InvisibleButton(titles[i], {header.width, header.height}))
      press_header(screen, view, requests, group);
    const bool hovered = is_pointed_at();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    open ? tab(screen, group, header, open == group, hovered)
         : folded_header(screen, group, header, hovered);
  }
  if (open)
    contents(screen, view, requests, *open,
             {place.x, top + 6.0F, place.width, place.bottom() - top - 10.0F});
}

}  // namespace draw
