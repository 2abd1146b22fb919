#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/wording/translation_words.hpp"

namespace draw {

namespace {

constexpr std::array<std::size_t, 13> usual_widths = {2,  4,  6,  8,   12,  16, 24,
                                                      32, 48, 64, 128, 256, 512};
constexpr std::array<std::size_t, 8> usual_heads = {1, 2, 3, 4, 6, 8, 12, 16};

/// A drop-down of numbers; returns the one that was chosen.
std::optional<std::size_t> choose(Widgets& widgets, const char* id,
                                  const std::vector<std::size_t>& numbers, std::size_t present,
                                  float width) {
  std::vector<std::string> labels;
  for (const std::size_t number : numbers) labels.push_back(std::to_string(number));
  const auto here = std::find(numbers.begin(), numbers.end(), present);
  const auto chosen =
      widgets.drop_down(id, labels, static_cast<int>(here - numbers.begin()), width);
  return chosen ? std::optional(numbers[*chosen]) : std::nullopt;
}

class Sizes {
 public:
  Sizes(const Screen& screen, Requests& requests)
      : screen_(screen),
        widgets_(screen.theme, screen.type),
        requests_(requests),
        configuration_(screen.session.document().configuration),
        example_(lesson::example(configuration_.example)) {}

  void embed_dim() {
    const std::size_t present = screen_.session.computed().embed_dim;
    const std::size_t heads = screen_.session.computed().num_heads;
    const lesson::SizeRange& sizes = lesson::sizes_of(example_, configuration_.parameters.variant);
    if (!example_.has_sizes || !sizes.can_change_embed_dim()) {
      fixed(present, sizes.embed_dim_reason());
      return;
    }
    std::vector<std::size_t> widths;
    for (const std::size_t width : usual_widths) {
      if (width >= sizes.smallest_embed_dim && width <= sizes.largest_embed_dim)
        widths.push_back(width);
    }
    if (std::find(widths.begin(), widths.end(), present) == widths.end()) widths.push_back(present);
    const auto wanted = choose(widgets_, "##embed_dim", widths, present, 80.0F);
    if (!wanted) return;
    const bool same_heads = *wanted % heads == 0;
    requests_.add(
        document::SetSizes{*wanted, same_heads ? heads : 1, same_heads ? present_kv_heads() : 0});
  }

  void heads() {
    const std::size_t embed_dim = screen_.session.computed().embed_dim;
    const std::size_t present = screen_.session.computed().num_heads;
    const lesson::SizeRange& sizes = lesson::sizes_of(example_, configuration_.parameters.variant);
    if (!example_.has_sizes || !sizes.can_change_num_heads()) {
      fixed(present, sizes.num_heads_reason());
      return;
    }
    if (const auto wanted = divisors("num_heads", sizes.width_of_heads(embed_dim),
                                     sizes.largest_num_heads, present))
      requests_.add(document::SetSizes{embed_dim, *wanted});
    const std::size_t width = sizes.width_of_heads(embed_dim);
    widgets_.words(base::text("draw.sizes.heads.divide",
                              {{"width", width}, {"heads", present}, {"dim", width / present}}),
                   screen_.theme.quiet, 12.0F);
  }

  /// The choice of num_kv_heads, the number of heads of keys and values that the query heads share.
  void kv_heads() {
    const document::Computed& computed = screen_.session.computed();
    if (const auto wanted =
            divisors("num_kv_heads", computed.num_heads, computed.num_heads, present_kv_heads()))
      requests_.add(document::SetSizes{computed.embed_dim, computed.num_heads, *wanted});
  }

  /// How many heads share one of keys and values, by the field's name, and what that saves.
  void says_of_kv_heads() {
    const model::Config& config = screen_.session.attention().trace.config;
    const std::size_t share = config.num_heads / config.num_kv_heads;
    const std::size_t kept = 2 * config.num_kv_heads * config.head_dim();  // keys and values
    std::string words;
    if (share == 1)
      words = base::text("draw.sizes.kv_heads.own", {{"all", kept}});
    else if (config.num_kv_heads == 1)
      words = base::text("draw.sizes.kv_heads.all",
                         {{"share", share}, {"kept", kept}, {"all", kept * share}});
    else
      words = base::text(
          "draw.sizes.kv_heads.shared",
          {{"last", share - 1}, {"share", share}, {"kept", kept}, {"all", kept * share}});
    widgets_.words(words, screen_.theme.quiet, 12.0F);
  }

  /// A switch for each head of the attention on screen, in as many lines as they need.
  void heads_on() {
    const document::ComputedAttention& attention = screen_.session.attention();
    const std::size_t count = attention.trace.config.num_heads;
    if (count < 2) return;
    constexpr float gap = 4.0F;
    constexpr float height = 24.0F;  // so that eight have room in a line
    Widgets::space(6.0F);
    widgets_.heading(base::text("draw.sizes.heads_on"));
    const float room = ImGui::GetContentRegionAvail().x;
    float used = 0.0F;
    for (std::size_t head = 0; head < count; ++head) {
      const std::string label = std::to_string(head);
      const float width = widgets_.chip_width(label, height);
      if (head > 0 && used + gap + width <= room) {
        Widgets::same_line(gap);
        used += gap + width;
      } else {
        used = width;
      }
      const bool off = attention.trace.overrides.ablates(head);
      if (widgets_.chip(("on " + label).c_str(), label, !off, screen_.theme.head(head), height))
        requests_.add(document::AblateHead{attention.id, head, !off});
    }
    widgets_.words(base::text("draw.sizes.heads_on.says"), screen_.theme.quiet, 12.0F);
    const auto& translated = screen_.session.computed().translated;
    if (translated && translated->unchanged)
      widgets_.words(stage::unchanged_words(*translated), screen_.theme.text, 12.0F);
  }

  /// embed_dim and the lengths side by side, the heads below, then the reasons why the rest is
  /// fixed.
  void all() {
    row_ = ImGui::GetCursorPos();
    ImGui::BeginGroup();
    widgets_.heading("embed_dim");
    embed_dim();
    ImGui::EndGroup();
    const lesson::Variant& variant = example_.variants[configuration_.parameters.variant];
    const bool two = variant.target_len.length > 0;
    length(two ? "draw.sizes.source" : "draw.sizes.tokens", "##source_len", variant.source_len,
           configuration_.parameters.source_len, [this](std::size_t wanted) {
             return document::SetLengths{wanted, configuration_.parameters.target_len};
           });
    if (two) {
      length("draw.sizes.target", "##target_len", variant.target_len,
             configuration_.parameters.target_len, [this](std::size_t wanted) {
               return document::SetLengths{configuration_.parameters.source_len, wanted};
             });
    }
    Widgets::space(6.0F);
    widgets_.heading(base::text("draw.sizes.heads"));
    heads();
    if (example_.has_kv_heads && screen_.session.computed().num_heads > 1) {
      Widgets::space(6.0F);
      widgets_.heading(base::text("draw.sizes.kv_heads"));
      kv_heads();
      says_of_kv_heads();
    }
    heads_on();
    for (const std::string_view reason : reasons_)
      widgets_.words(reason, screen_.theme.quiet, 12.0F);
  }

 private:
  std::size_t present_kv_heads() const {
    return screen_.session.attention().trace.config.num_kv_heads;
  }
  /// Offers only numbers that divide `whole`; a link with another number gets a message. Returns
  /// the number that was pressed.
  std::optional<std::size_t> divisors(const char* id, std::size_t whole, std::size_t largest,
                                      std::size_t present) {
    std::vector<std::string> labels;
    std::vector<std::size_t> counts;
    int chosen = -1;
    for (const std::size_t count : usual_heads) {
      if (whole % count != 0 || count > largest) continue;
      if (count == present) chosen = static_cast<int>(counts.size());
      counts.push_back(count);
      labels.push_back(std::to_string(count));
    }
    const auto pressed = widgets_.segments(id, labels, chosen, 30.0F);
    return pressed ? std::optional(counts[*pressed]) : std::nullopt;
  }

  template <typename MakeCommand>
  void length(std::string_view title, const char* id, const lesson::LengthRange& range,
              std::size_t chosen, MakeCommand command) {
    if (range.length == 0) {  // typed text decides it
      if (!range.reason().empty()) reasons_.push_back(range.reason());
      return;
    }
    // ImGui's SameLine would align the heading with the baseline of the previous field.
    row_.x += 88.0F;
    ImGui::SetCursorPos(row_);
    ImGui::BeginGroup();
    widgets_.heading(base::text(title));
    const std::size_t present = chosen == 0 ? range.length : chosen;
    if (range.can_change()) {
      std::vector<std::size_t> numbers;
      for (std::size_t number = range.smallest; number <= range.largest; ++number)
        numbers.push_back(number);
      if (const auto wanted = choose(widgets_, id, numbers, present, 80.0F))
        requests_.add(command(*wanted));
    } else {
      fixed(present, range.reason());
    }
    ImGui::EndGroup();
  }

  /// A size that cannot be changed. Its reason is shown below all sizes.
  void fixed(std::size_t number, std::string_view reason) {
    // It takes the same space as a field.
    const ImVec2 at = ImGui::GetCursorScreenPos();
    set_text(ImGui::GetWindowDrawList(), screen_.type.numbers, 13.5F, {at.x, at.y + 14.0F},
             Align::left, packed(screen_.theme.text), std::to_string(number));
    ImGui::Dummy({80.0F, 28.0F});
    if (!reason.empty()) reasons_.push_back(reason);
  }

  const Screen& screen_;
  Widgets widgets_;
  Requests& requests_;
  const document::Configuration& configuration_;
  const lesson::Example& example_;
  std::vector<std::string_view> reasons_;
  ImVec2 row_;  // where the current one of the fields side by side begins
};

}  // namespace

void sizes_panel(const Screen& screen, Requests& requests) { Sizes(screen, requests).all(); }

}  // namespace draw
