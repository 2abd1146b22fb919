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

class VariantSwitches {
 public:
  VariantSwitches(const Screen& screen, View& view, Requests& requests)
      : configuration_(screen.session.document().configuration),
        present_(configuration_.variants),
        widgets_(screen.theme, screen.type),
        view_(view),
        requests_(requests) {}

  /// Keys and values of another sentence, and how wide its vectors are.
  void cross() {
    if (!lesson::example(configuration_.example).has_kdim) return;
    const std::size_t kdim = configuration_.parameters.kdim;
    if (switched("draw.variants.cross", kdim > 0))
      requests_.add(document::SetKdim{kdim > 0 ? 0 : usual_kdim});
    if (kdim == 0) return;
    Widgets::same_line();
    if (!widgets_.field("##kdim", view_.kdim_text, std::to_string(kdim), number_width,
                        base::text("draw.variants.cross_hint"), true))
      return;
    const auto width = base::read_whole<std::uint16_t>(view_.kdim_text);
    if (width && *width > 0)
      requests_.add(document::SetKdim{*width});
    else
      wrong("draw.variants.cross_wrong", view_.kdim_text);
  }

  void window() {
    if (switched("draw.variants.window", present_.window > 0)) {
      ask(&model::Variants::window, present_.window > 0 ? 0 : usual_window);
    }
    if (present_.window == 0) return;
    Widgets::same_line();
    if (!widgets_.field("##window", view_.window_text, std::to_string(present_.window),
                        number_width, base::text("draw.variants.window_hint"), true))
      return;
    const auto keys = base::read_whole<std::uint16_t>(view_.window_text);
    if (keys && *keys > 0)
      ask(&model::Variants::window, std::size_t{*keys});
    else
      wrong("draw.variants.window_wrong", view_.window_text);
  }

  void rope() {
    const float base = present_.rope_base;
    if (switched("draw.variants.rope", base > 0.0F))
      ask(&model::Variants::rope_base, base > 0.0F ? 0.0F : usual_base);
    if (base > 0.0F)
      number_field("##rope", view_.rope_text, "draw.variants.rope_hint",
                   &model::Variants::rope_base);
  }

  void qk_norm() {
    if (switched("draw.variants.qk_norm", present_.qk_norm))
      ask(&model::Variants::qk_norm, !present_.qk_norm);
  }

  void alibi() {
    if (switched("draw.variants.alibi", present_.alibi))
      ask(&model::Variants::alibi, !present_.alibi);
  }

  void softcap() {
    const float cap = present_.softcap;
    if (switched("draw.variants.softcap", cap > 0.0F))
      ask(&model::Variants::softcap, cap > 0.0F ? 0.0F : usual_cap);
    if (cap > 0.0F)
      number_field("##softcap", view_.softcap_text, "draw.variants.softcap_hint",
                   &model::Variants::softcap);
  }

  void sink() {
    const bool on = present_.sink.has_value();
    if (switched("draw.variants.sink", on))
      ask(&model::Variants::sink, on ? std::nullopt : std::optional(usual_sink));
    if (!on) return;
    Widgets::same_line();
    if (!widgets_.field("##sink", view_.sink_text, stage::number_for_editing(*present_.sink),
                        number_width, base::text("draw.variants.sink_hint"), true))
      return;
    float number = 0.0F;
    if (stage::parse_number(view_.sink_text, number))
      ask(&model::Variants::sink, std::optional(number));
    else
      wrong("draw.variants.softcap_wrong", view_.sink_text);
  }

  /// The mask by which tokens come one after another, and the step that shows what is kept.
  void cache(const document::ComputedAttention& attention) {
    using lesson::MaskKind;
    if (!document::could_keep_tokens(attention)) return;
    const bool on = attention.mask == MaskKind::look_ahead || attention.mask == MaskKind::both;
    if (!switched("draw.variants.cache", on)) return;
    const bool padded = attention.mask == MaskKind::padding || attention.mask == MaskKind::both;
    const MaskKind without = padded ? MaskKind::padding : MaskKind::none;
    const MaskKind with = padded ? MaskKind::both : MaskKind::look_ahead;
    requests_.add(document::SetMask{attention.id, on ? without : with});
    if (on) return;
    requests_.add(document::ChooseStep{lesson::StepId::project});
    requests_.add(document::SetViewState<&document::ViewState::show>{document::Show::automatic});
  }

  void all(const document::ComputedAttention& attention) {
    widgets_.heading(base::text("draw.variants.title"));
    cross();
    qk_norm();
    rope();
    softcap();
    alibi();
    window();
    sink();
    cache(attention);
  }

 private:
  bool switched(const char* key, bool on) { return widgets_.toggle(key, base::text(key), on); }

  /// A number that is not 0 and whose bounds the document checks.
  void number_field(const char* id, std::string& text, const char* hint,
                    float model::Variants::*field) {
    Widgets::same_line();
    if (!widgets_.field(id, text, stage::number_for_editing(present_.*field), number_width,
                        base::text(hint), true))
      return;
    float number = 0.0F;
    if (stage::parse_number(text, number))
      ask(field, number);
    else
      wrong("draw.variants.softcap_wrong", text);
  }

  template <typename T>
  void ask(T model::Variants::*field, T value) {
    model::Variants wanted = present_;
    wanted.*field = value;
    requests_.add(document::SetAttentionVariants{wanted});
  }

  void wrong(const char* key, const std::string& typed) {
    requests_.error = base::text(key, {{"typed", typed}});
  }

  const document::Configuration& configuration_;
  const model::Variants& present_;
  Widgets widgets_;
  View& view_;
  Requests& requests_;
};

}  // namespace

void variants_panel(const Screen& screen, View& view, Requests& requests) {
  VariantSwitches(screen, view, requests).all(screen.session.attention());
}

}  // namespace draw
