// What later models changed about attention: docs/variants.md.
#include "base/decimal.hpp"
#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

namespace {

constexpr std::size_t usual_kdim = 12;   // not the width of the queries' vectors
constexpr std::size_t usual_window = 3;  // keys: few enough to be seen in a sentence
constexpr float usual_base = 10000.0F;   // Su et al., 2021
constexpr float usual_cap = 1.0F;        // where the scores of a random sentence bend
constexpr float usual_sink = 0.0F;       // Miller, 2023: one more exponential of 1
constexpr float number_width = 78.0F;

/// A whole number above 0.
std::optional<std::size_t> whole_number(const std::string& typed) {
  const auto number = base::read_whole<std::uint16_t>(typed);
  return number && *number > 0 ? std::optional<std::size_t>(*number) : std::nullopt;
}

std::optional<float> number(const std::string& typed) {
  float number = 0.0F;
  return stage::parse_number(typed, number) ? std::optional(number) : std::nullopt;
}

class VariantSwitches {
 public:
  VariantSwitches(const Screen& screen, View& view, Requests& requests)
      : configuration_(screen.session.document().configuration),
        step_(screen.session.document().view_state.step),
        present_(configuration_.variants),
        theme_(screen.theme),
        words_(screen.type.words),
        widgets_(screen.theme, screen.type),
        view_(view),
        requests_(requests) {}

  void all(const document::ComputedAttention& attention) {
    widgets_.heading(base::text("draw.variants.title"));
    cross();
    if (switched("draw.variants.qk_norm", present_.qk_norm)) {
      ask(&model::Variants::qk_norm, !present_.qk_norm);
      if (!present_.qk_norm) go_to(lesson::step_making("q_normed"));
    }
    with_number("draw.variants.rope", &model::Variants::rope_base, usual_base,
                {"##rope", view_.rope_text, "draw.variants.rope_hint"}, "q_rotated");
    if (present_.rope_base > 0.0F)
      widgets_.words(base::text("draw.variants.rope_text"), theme_.quiet, 12.0F);
    with_number("draw.variants.softcap", &model::Variants::softcap, usual_cap,
                {"##softcap", view_.softcap_text, "draw.variants.softcap_hint"}, "capped_scores");
    if (switched("draw.variants.alibi", present_.alibi)) {
      ask(&model::Variants::alibi, !present_.alibi);
      if (!present_.alibi) go_to(lesson::step_making("alibi_bias"));
    }
    if (present_.alibi) widgets_.words(base::text("draw.variants.alibi_text"), theme_.quiet, 12.0F);
    window();
    sink();
    cache(attention);
  }

 private:
  /// A field beside a switch that is on.
  struct Field {
    const char* id;
    std::string& text;
    const char* hint;
    const char* wrong = "draw.variants.number_wrong";
  };

  bool switched(const char* key, bool on) { return widgets_.toggle(key, base::text(key), on); }

  /// What was typed, as `read` reads it; nothing is typed in most frames. What it cannot read is
  /// said.
  template <typename Read>
  auto typed(const Field& field, const std::string& current, Read read)
      -> decltype(read(field.text)) {
    Widgets::same_line();
    const bool left =
        widgets_.field(field.id, field.text, current, number_width, base::text(field.hint), true);
    const ImVec2 end = ImGui::GetItemRectMax();
    const float middle = (ImGui::GetItemRectMin().y + end.y) / 2.0F;
    set_text(ImGui::GetWindowDrawList(), words_, 12.0F, {end.x + 8.0F, middle}, Align::left,
             packed(theme_.quiet), base::text(field.hint));
    if (!left) return std::nullopt;
    auto number = read(field.text);
    if (!number) requests_.error = base::text(field.wrong, {{"typed", field.text}});
    return number;
  }

  /// Shows what was switched on, where the present step comes before it, so that nothing on it has
  /// changed. The sentence shows the weights, which come after all of this.
  void go_to(lesson::StepId first_changed) {
    if (step_ > lesson::StepId::sentence && step_ < first_changed)
      requests_.add(document::ChooseStep{first_changed});
  }

  template <typename T>
  void ask(T model::Variants::*field, T value) {
    model::Variants wanted = present_;
    wanted.*field = value;
    requests_.add(document::SetAttentionVariants{wanted});
  }

  /// A variant with a number, which is 0 where it is off. The document checks its bounds. `makes`:
  /// the first tensor that it adds.
  void with_number(const char* key, float model::Variants::*member, float usual, const Field& field,
                   model::TensorId makes) {
    const float present = present_.*member;
    if (switched(key, present > 0.0F)) {
      ask(member, present > 0.0F ? 0.0F : usual);
      if (present == 0.0F) go_to(lesson::step_making(makes));
    }
    if (present == 0.0F) return;
    if (const auto wanted = typed(field, stage::number_for_editing(present), number))
      ask(member, *wanted);
  }

  /// Keys and values of another sentence, and how wide its vectors are.
  void cross() {
    if (!lesson::example(configuration_.example).has_kdim) return;
    const std::size_t kdim = configuration_.parameters.kdim;
    if (switched("draw.variants.cross", kdim > 0))
      requests_.add(document::SetKdim{kdim > 0 ? 0 : usual_kdim});
    if (kdim == 0) return;
    const Field field{"##kdim", view_.kdim_text, "draw.variants.cross_hint",
                      "draw.variants.cross_wrong"};
    if (const auto width = typed(field, std::to_string(kdim), whole_number))
      requests_.add(document::SetKdim{*width});
  }

  void window() {
    const std::size_t present = present_.window;
    if (switched("draw.variants.window", present > 0)) {
      ask(&model::Variants::window, present > 0 ? 0 : usual_window);
      if (present == 0) go_to(lesson::StepId::mask);
    }
    if (present == 0) return;
    const Field field{
        "##window", view_.window_text,
        present_.window_both_ways ? "draw.variants.window_both_hint" : "draw.variants.window_hint",
        "draw.variants.window_wrong"};
    if (const auto keys = typed(field, std::to_string(present), whole_number))
      ask(&model::Variants::window, *keys);
  }

  void sink() {
    const bool on = present_.sink.has_value();
    if (switched("draw.variants.sink", on)) {
      ask(&model::Variants::sink, on ? std::nullopt : std::optional(usual_sink));
      if (!on) go_to(lesson::StepId::softmax);
    }
    if (!on) return;
    const Field field{"##sink", view_.sink_text, "draw.variants.sink_hint"};
    if (const auto wanted = typed(field, stage::number_for_editing(*present_.sink), number))
      ask(&model::Variants::sink, wanted);
  }

  /// The mask by which tokens come one after another, and the step that shows what is kept.
  void cache(const document::ComputedAttention& attention) {
    using lesson::MaskKind;
    if (!document::could_keep_tokens(attention)) return;
    const bool on = attention.mask == MaskKind::look_ahead || attention.mask == MaskKind::both;
    const bool pressed = switched("draw.variants.cache", on);
    widgets_.words(base::text("draw.variants.cache_text"), theme_.quiet, 12.0F);
    if (!pressed) return;
    const bool padded = attention.mask == MaskKind::padding || attention.mask == MaskKind::both;
    const MaskKind without = padded ? MaskKind::padding : MaskKind::none;
    const MaskKind with = padded ? MaskKind::both : MaskKind::look_ahead;
    requests_.add(document::SetMask{attention.id, on ? without : with});
    if (on) return;
    requests_.add(document::ChooseStep{lesson::StepId::project});
    requests_.add(document::ChooseShow{document::Show::automatic});  // also where one is there
  }

  const document::Configuration& configuration_;
  const lesson::StepId step_;
  const model::Variants& present_;
  const Theme& theme_;
  ImFont* words_;
  Widgets widgets_;
  View& view_;
  Requests& requests_;
};

}  // namespace

void variants_panel(const Screen& screen, View& view, Requests& requests) {
  VariantSwitches(screen, view, requests).all(screen.session.attention());
}

}  // namespace draw
