#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

namespace {

/// One attention of `count`.
std::string name_among(std::size_t count, lesson::AttentionId id) {
  constexpr std::array kinds = {"draw.heads.attention", "draw.heads.encoder", "draw.heads.decoder",
                                "draw.heads.cross"};
  const std::string_view kind = base::text(kinds[static_cast<std::size_t>(kind_of(id))]);
  if (count == 2) return base::text("draw.heads.layer", {{"layer", layer_of(id)}});
  if (count == 3) return std::string(kind);
  return base::text("draw.heads.kind_and_layer", {{"kind", kind}, {"layer", layer_of(id)}});
}

std::string head_name(std::size_t head) { return base::text("draw.heads.head", {{"head", head}}); }

constexpr float listed_width = 96.0F;
constexpr float narrowest_query = 90.0F;
constexpr float widest_query = 150.0F;
constexpr float before_letters = 16.0F;

/// How the row shows its choices: side by side or, to save width, as drop-downs.
struct RowForm {
  bool close = true;
  bool attentions_listed = false;
  bool heads_listed = false;
  bool heads_named = false;  ///< "head 0", where others say "0"
};

/// The first form that fits is taken; if none does, the last.
constexpr std::array<RowForm, 6> forms{{{false, false, false, true},
                                        {false, false, false},
                                        {true, false, false},
                                        {true, false, true},
                                        {true, true, false},
                                        {true, true, true}}};
constexpr std::size_t most_named_heads = 3;  // of more, the names would be most of the row

class HeadsRow {
 public:
  HeadsRow(const Screen& screen, Requests& requests)
      : screen_(screen),
        requests_(requests),
        view_state_(screen.session.document().view_state),
        phone_(screen.chrome.form == stage::Form::phone),
        height_(phone_ ? 34.0F : 28.0F),
        of_sentence_(shows_sentence(screen.composition.stage)),
        widgets_(screen.theme, screen.type) {
    const model::Config& config = screen.session.attention().trace.config;
    const auto& attentions = screen.session.computed().attentions;
    for (std::size_t i = 0; attentions.size() > 1 && i < attentions.size(); ++i)
      attentions_.push_back(name_among(attentions.size(), attentions[i].id));
    if (config.num_heads > 1) head_count_ = config.num_heads;
    for (std::size_t sample = 0; !phone_ && config.batch > 1 && sample < config.batch; ++sample) {
      samples_.push_back(base::text("draw.heads.sample", {{"sample", sample}}));
    }
    for (const RowForm& form : forms) {
      form_ = form;
      heads_.clear();
      for (std::size_t head = 0; head < head_count_; ++head)
        heads_.push_back(form.heads_named ? head_name(head) : std::to_string(head));
      if ((phone_ && !form.close) || (form.heads_named && head_count_ > most_named_heads)) continue;
      if (least_width() <= screen.chrome.heads.width) break;
    }
  }

  /// Returns where the row ends.
  float draw() {
    // Drop-downs get the height of the controls beside them.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{list_padding, (height_ - list_letters) / 2.0F});
    if (!attentions_.empty()) attentions();
    if (!heads_.empty()) {
      form_.heads_listed ? listed_heads() : heads();
      Widgets::same_line(between_groups());
    }
    if (with_query()) query();
    if (!samples_.empty()) samples();
    ImGui::PopStyleVar();
    return ImGui::GetItemRectMax().x;
  }

 private:
  /// The sentence is drawn with one head's weights or with the mean of all, whatever matrices show.
  static bool shows_sentence(const stage::Stage& stage) {
    return std::any_of(stage.figures.begin(), stage.figures.end(), [](const stage::Figure& figure) {
      return figure.name == "sentence" || figure.name == "picture-sentence";
    });
  }
  bool is_chosen(std::size_t head) const { return !shows_all() && head == view_state_.head; }

  bool shows_all() const { return of_sentence_ ? view_state_.mean_heads : view_state_.all_heads; }

  std::string_view all_heads() const {
    if (of_sentence_) return base::text("draw.heads.mean_of_all");
    return base::text(form_.close ? "draw.heads.all" : "draw.heads.all_heads");
  }
  float between_groups() const { return form_.close ? 10.0F : 20.0F; }
  float between_heads() const { return form_.close ? 4.0F : 6.0F; }

  float width_of_heads() const {
    if (form_.heads_listed) return listed_width;
    float width = widgets_.chip_width(all_heads(), height_) + between_heads();
    for (const std::string& head : heads_) {
      width += between_heads() + widgets_.chip_width(head, height_);
    }
    return width - between_heads();
  }

  /// A phone has no room for the query beside the heads.
  bool with_query() const { return !phone_ || heads_.empty(); }

  /// The width of everything after the query.
  float width_of_samples() const {
    if (samples_.empty()) return 0.0F;
    return 18.0F + widgets_.width_of(samples_) +
           widgets_.chip_width(base::text("draw.heads.stacked"), height_);
  }

  /// The width of the whole row with the query at its narrowest.
  float least_width() const {
    float width = 0.0F;
    if (!attentions_.empty())
      width += form_.attentions_listed ? listed_width : widgets_.width_of(attentions_);
    if (!attentions_.empty() && !heads_.empty()) width += between_groups();
    if (!heads_.empty()) width += width_of_heads();
    if (with_query()) width += between_groups() + narrowest_query + width_of_samples();
    return width;
  }

  void attentions() {
    const auto& all = screen_.session.computed().attentions;
    const auto current = std::find_if(all.begin(), all.end(), [this](const auto& each) {
      return each.id == view_state_.attention;
    });
    const int chosen = static_cast<int>(current - all.begin());
    const auto pressed = form_.attentions_listed
                             ? widgets_.drop_down("##attention", attentions_, chosen, listed_width)
                             : widgets_.segments("attention", attentions_, chosen, height_);
    if (pressed) requests_.add(document::ChooseAttention{all[*pressed].id});
    Widgets::same_line(between_groups());
  }

  void choose_head(std::size_t head) {
    requests_.add(document::ChooseHead{head});
    requests_.add(document::ShowAllHeads{false});
    requests_.add(document::ShowMeanOfHeads{false});
  }

  void choose_all() {
    requests_.add(document::ShowAllHeads{true});
    if (of_sentence_) requests_.add(document::ShowMeanOfHeads{true});
  }

  void heads() {
    if (widgets_.chip("all", all_heads(), shows_all(), screen_.theme.accent, height_)) choose_all();
    if (of_sentence_ && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(base::text("draw.heads.mean"));
    for (std::size_t head = 0; head < heads_.size(); ++head) {
      Widgets::same_line(between_heads());
      const std::string id = "head " + std::to_string(head);
      if (widgets_.chip(id.c_str(), heads_[head], is_chosen(head), screen_.theme.head(head),
                        height_))
        choose_head(head);
      if (screen_.session.attention().trace.overrides.ablates(head)) strike_through();
    }
  }

  /// Strikes through the chip of a head that is switched off.
  void strike_through() {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const auto at = [&](float share) {
      return ImVec2{low.x + 4.0F + (high.x - low.x - 8.0F) * share,
                    high.y - 4.0F - (high.y - low.y - 8.0F) * share};
    };
    // The number in the middle stays legible.
    for (const float share : {0.0F, 0.7F}) {
      ImGui::GetWindowDrawList()->AddLine(at(share), at(share + 0.3F), packed(screen_.theme.wrong),
                                          2.0F);
    }
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(base::text("draw.heads.off"));
  }

  void listed_heads() {
    std::vector<std::string> labels;
    for (std::size_t head = 0; head < heads_.size(); ++head) labels.push_back(head_name(head));
    labels.emplace_back(
        base::text(of_sentence_ ? "draw.heads.mean_of_all" : "draw.heads.all_heads"));
    const int chosen = static_cast<int>(shows_all() ? heads_.size() : view_state_.head);
    const auto pressed = widgets_.drop_down("##head", labels, chosen, listed_width);
    if (pressed && *pressed == heads_.size()) choose_all();
    if (pressed && *pressed < heads_.size()) choose_head(*pressed);
  }

  void query() {
    const document::ComputedAttention& attention = screen_.session.attention();
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < attention.trace.config.query_len; ++i) {
      tokens.push_back(
          base::text("draw.heads.query",
                     {{"query", i}, {"token", attention.query_tokens[view_state_.sample][i]}}));
    }
    // The query gets the room that the samples after it leave.
    const float room =
        screen_.chrome.heads.right() - ImGui::GetCursorScreenPos().x - width_of_samples();
    const float width = std::clamp(room, narrowest_query, widest_query);
    const auto chosen = static_cast<int>(listed_query(screen_));
    if (const auto pressed = widgets_.drop_down("##query", tokens, chosen, width))
      requests_.add(document::ChooseQuery{*pressed});
  }

  void samples() {
    Widgets::same_line(12.0F);
    const auto chosen = static_cast<int>(view_state_.sample);
    if (const auto sample = widgets_.segments("sample", samples_, chosen, height_))
      requests_.add(document::ChooseSample{*sample});
    Widgets::same_line(6.0F);
    if (widgets_.chip("sheets", base::text("draw.heads.stacked"), view_state_.all_samples,
                      screen_.theme.accent, height_))
      requests_.add(document::ShowAllSamples{!view_state_.all_samples});
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(base::text(view_state_.all_samples ? "draw.heads.unstack" : "draw.heads.stack"));
  }

  const Screen& screen_;
  Requests& requests_;
  const document::ViewState& view_state_;
  bool phone_;
  float height_;
  bool of_sentence_;
  Widgets widgets_;
  std::size_t head_count_ = 0;  ///< 0: there is nothing to choose
  // The labels of each choice; empty where there is nothing to choose.
  std::vector<std::string> attentions_;
  std::vector<std::string> heads_;
  std::vector<std::string> samples_;
  RowForm form_;
};

}  // namespace

std::size_t listed_query(const Screen& screen) {
  const document::ViewState& view_state = screen.session.document().view_state;
  if (screen.focus.by != stage::FocusBy::moving) return view_state.query;
  return stage::focused(view_state, screen.session.attention(), screen.focus).query;
}

void heads_panel(const Screen& screen, View& view, Requests& requests) {
  const stage::Rect& heads = screen.chrome.heads;
  const stage::Rect& under = screen.chrome.letters;
  if (heads.empty() && under.empty()) return;
  const stage::Rect place = heads.empty() ? under : under.empty() ? heads : heads.united(under);
  // One pixel more, because the outline of a drop-down as high as the row reaches half a pixel
  // lower.
  begin_area("##heads", {place.x, place.y, place.width, place.height + 1.0F}, screen.theme,
             Back::none);
  float end = heads.x;
  if (!heads.empty()) end = HeadsRow(screen, requests).draw() + before_letters;
  letters(screen, view, under.y > heads.y ? under.x : std::min(end, under.x));
  end_area();
}

}  // namespace draw
