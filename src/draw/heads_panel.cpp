#include <algorithm>
#include <string_view>

#include "draw/panels.hpp"
#include "draw/widgets.hpp"

namespace draw {

namespace {

std::string short_name(lesson::AttentionId id) {
  switch (id) {
    case lesson::AttentionId::encoder_self_attention:
      return "encoder";
    case lesson::AttentionId::decoder_self_attention:
      return "decoder";
    case lesson::AttentionId::cross_attention:
      return "cross";
    case lesson::AttentionId::attention:
      break;
  }
  return "attention";
}

}  // namespace

void heads_panel(const Screen& screen, Requests& requests) {
  const stage::Rect& place = screen.chrome.heads;
  if (place.empty()) return;
  const document::Session& session = screen.session;
  const document::Look& look = session.document().look;
  const document::ComputedAttention& attention = session.attention();
  const attention::Config& config = attention.trace.config;
  const bool phone = screen.chrome.form == stage::Form::phone;
  const float height = phone ? 34.0F : 28.0F;
  Widgets widgets(screen.theme, screen.type);
  begin_area("##heads", place, screen.theme, Back::none);

  const auto& attentions = session.computed().attentions;
  if (attentions.size() > 1) {
    std::vector<std::string> labels;
    int chosen = 0;
    for (std::size_t i = 0; i < attentions.size(); ++i) {
      labels.push_back(short_name(attentions[i].id));
      if (attentions[i].id == look.attention) chosen = static_cast<int>(i);
    }
    const int index = widgets.segments("attention", labels, chosen, height);
    if (index >= 0)
      requests.add(document::ChooseAttention{attentions[static_cast<std::size_t>(index)].id});
    Widgets::same_line(phone ? 10.0F : 20.0F);
  }
  if (config.num_heads > 1) {
    if (widgets.chip("all heads", phone ? "all" : "all heads", look.all_heads, screen.theme.accent,
                     height)) {
      requests.add(document::ShowAllHeads{true});
    }
    for (std::size_t head = 0; head < config.num_heads; ++head) {
      Widgets::same_line(phone ? 4.0F : 6.0F);
      const std::string id = "head " + std::to_string(head);
      const bool chosen = !look.all_heads && head == look.head;
      if (widgets.chip(id.c_str(), std::to_string(head + 1), chosen, screen.theme.head(head),
                       height)) {
        requests.add(document::ChooseHead{head});
        requests.add(document::ShowAllHeads{false});
      }
    }
    Widgets::same_line(phone ? 10.0F : 20.0F);
  }
  if (!phone) {
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < config.query_len; ++i) {
      tokens.push_back("query: " + attention.query_tokens[look.sample][i]);
    }
    std::vector<std::string> labels;
    for (std::size_t sample = 0; config.batch > 1 && sample < config.batch; ++sample) {
      labels.push_back("sample " + std::to_string(sample + 1));
    }
    // What follows keeps its width.
    constexpr std::string_view sheets = "stacked";
    const float after = labels.empty()
                            ? 0.0F
                            : 18.0F + widgets.width_of(labels) + widgets.chip_width(sheets, height);
    const float room = place.right() - ImGui::GetCursorScreenPos().x - after;
    const int query = widgets.drop_down("##query", tokens, static_cast<int>(look.query),
                                        std::clamp(room, 90.0F, 150.0F));
    if (query >= 0) requests.add(document::ChooseQuery{static_cast<std::size_t>(query)});
    if (!labels.empty()) {
      Widgets::same_line(12.0F);
      const int sample = widgets.segments("sample", labels, static_cast<int>(look.sample), height);
      if (sample >= 0) requests.add(document::ChooseSample{static_cast<std::size_t>(sample)});
      Widgets::same_line(6.0F);
      if (widgets.chip("sheets", std::string(sheets), look.all_samples, screen.theme.accent,
                       height))
        requests.add(document::ShowAllSamples{!look.all_samples});
      ImGui::SetItemTooltip(
          "%s", look.all_samples ? "Hide the other samples of the batch."
                                 : "Show the other samples of the batch as sheets under this one.");
    }
  }
  end_area();
}

}  // namespace draw
