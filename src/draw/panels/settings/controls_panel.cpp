#include <algorithm>
#include <array>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/input/own_layers.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

namespace {

using model::Scale;

constexpr float between_controls = 6.0F;

void mask_control(const Screen& screen, Widgets& widgets, Requests& requests) {
  widgets.heading(base::text("draw.mask.title"));
  const document::ComputedAttention& attention = screen.session.attention();
  const auto kind = widgets.segments(
      "mask",
      texts({"draw.mask.none", "draw.mask.padding", "draw.mask.look-ahead", "draw.mask.both"}),
      static_cast<int>(attention.mask));
  if (kind) requests.add(document::SetMask{attention.id, static_cast<lesson::MaskKind>(*kind)});
}

void scale_control(const Screen& screen, Widgets& widgets, View& view, Requests& requests) {
  widgets.heading(base::text("draw.scale.title"));
  const Scale& scale = screen.session.computed().scale;
  constexpr std::array kinds{Scale::Kind::none, Scale::Kind::sqrt_head_dim, Scale::Kind::sqrt_keys};
  const auto at = std::find(kinds.begin(), kinds.end(), scale.kind);
  const int chosen = at == kinds.end() ? -1 : static_cast<int>(at - kinds.begin());
  if (const auto pressed = widgets.segments("scale", {"1", "√D", "√Lk"}, chosen))
    requests.add(document::SetScale{{kinds[*pressed], 1.0F}});
  Widgets::same_line();
  const model::Config& config = screen.session.attention().trace.config;
  const std::string current =
      stage::number_text(scale.divisor(config.head_dim(), config.key_len), 3);
  if (widgets.field("##divisor", view.scale_text, current, 88.0F, base::text("draw.scale.hint"),
                    true)) {
    float number = 0.0F;
    if (stage::parse_number(view.scale_text, number)) {
      requests.add(document::SetScale{{Scale::Kind::number, number}});
    } else {
      requests.error = base::text("draw.scale.wrong", {{"typed", view.scale_text}});
    }
  }
  constexpr model::Mistake forgotten = model::Mistake::no_scale;
  if (scale.kind != Scale::Kind::none && shown_mistake(screen.session.document()) == forgotten) {
    widgets.words(
        base::text("draw.scale.forgotten", {{"mistake", lesson::text_of(forgotten).label()}}),
        screen.theme.wrong, 12.5F);
  }
}

void seed_control(const Screen& screen, Widgets& widgets, View& view, Requests& requests) {
  widgets.heading(base::text("draw.seed.title"));
  const std::uint32_t seed = screen.session.document().configuration.parameters.seed;
  if (widgets.field("##seed", view.seed_text, std::to_string(seed), 110.0F,
                    base::text("draw.seed.hint"), true)) {
    if (const auto value = base::read_whole<std::uint32_t>(view.seed_text)) {
      requests.add(document::SetSeed{*value});
    } else {
      requests.error = base::text("draw.seed.wrong", {{"typed", view.seed_text}});
    }
  }
  Widgets::same_line();
  if (widgets.text_button("draw.seed.new")) requests.add(document::SetSeed{seed + 1});
}

void language_control(Widgets& widgets, Requests& requests) {
  widgets.heading(base::text("draw.language.title"));
  constexpr std::array<std::string_view, 3> languages{"en", "de", "es"};
  const auto own = std::find(languages.begin(), languages.end(), base::text("draw.language.own"));
  const auto chosen = widgets.segments(
      "language", texts({"draw.language.en", "draw.language.de", "draw.language.es"}),
      static_cast<int>(own - languages.begin()));
  if (chosen && languages[*chosen] != *own) requests.language = languages[*chosen];
}

/// The sentence of an example that takes one, and its translation, where nothing above has them.
void sentence_control(const Screen& screen, View& view, Requests& requests) {
  const document::Session& session = screen.session;
  Widgets widgets(screen.theme, screen.type);
  const bool in_bar = screen.chrome.form == stage::Form::page && !screen.chrome.bar.empty();
  const document::Configuration& shown = session.document().configuration;
  if (lesson::takes_words(shown.example, shown.parameters) && !in_bar &&
      screen.chrome.sentence.empty()) {
    widgets.heading(base::text("draw.sentence.title"));
    sentence_field(screen, view, ImGui::GetContentRegionAvail().x, requests);
    if (const auto& translated = session.computed().translated) {
      Widgets::space(6.0F);
      widgets.words(translated->text, screen.theme.text, 13.5F);
    }
    Widgets::space(10.0F);
  }
}

/// What a phone's bar and row of heads have no room for: query, sample, undo, redo and the link.
void phone_controls(const Screen& screen, View& view, Requests& requests) {
  const document::Session& session = screen.session;
  const document::ViewState& view_state = session.document().view_state;
  Widgets widgets(screen.theme, screen.type);
  const document::ComputedAttention& attention = session.attention();
  widgets.heading(base::text("draw.settings.query"));
  if (const auto query = widgets.drop_down("##query", attention.query_tokens[view_state.sample],
                                           static_cast<int>(view_state.query), 180.0F))
    requests.add(document::ChooseQuery{*query});
  Widgets::space(10.0F);
  if (attention.trace.config.batch > 1) {
    widgets.heading(base::text("draw.settings.sample"));
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < attention.trace.config.batch; ++i)
      labels.push_back(std::to_string(i));
    if (const auto sample = widgets.segments("sample", labels, static_cast<int>(view_state.sample)))
      requests.add(document::ChooseSample{*sample});
    Widgets::space(6.0F);
    if (widgets.toggle("sheets", base::text("draw.settings.stack"), view_state.all_samples))
      requests.add(document::ShowAllSamples{!view_state.all_samples});
    Widgets::space(10.0F);
  }
  if (widgets.text_button("draw.bar.undo", session.can_undo())) requests.undo = true;
  Widgets::same_line();
  if (widgets.text_button("draw.bar.redo", session.can_redo())) requests.redo = true;
  Widgets::same_line();
  if (widgets.text_button(link_text(view, session))) requests.copy_link = true;
}

/// Where the variants of attention are, for an example that has none.
void variants_elsewhere(Widgets& widgets, const Theme& theme, Requests& requests) {
  Widgets::space(between_controls);
  widgets.heading(base::text("draw.settings.variants"));
  widgets.words(base::text("draw.settings.variants.where"), theme.quiet, 12.5F);
  if (widgets.text_button("draw.settings.variants.open"))
    requests.add(document::ChooseExample{lesson::ExampleId::your_sentence, 0});
}

}  // namespace

bool has_variants(lesson::ExampleId id) {
  return lesson::example(id).variants.size() > 1 || id == lesson::ExampleId::own_layer;
}

void variants_list(const Screen& screen, float width, Requests& requests) {
  const document::Configuration& configuration = screen.session.document().configuration;
  std::vector<std::string> labels;
  for (const lesson::Variant& variant : lesson::example(configuration.example).variants)
    labels.emplace_back(variant.label());
  const auto chosen = static_cast<int>(configuration.parameters.variant);
  Widgets widgets(screen.theme, screen.type);
  if (const auto variant = widgets.drop_down("##variant", labels, chosen, width))
    requests.add(document::ChooseVariant{*variant});
}

void compare_control(const Screen& screen, Widgets& widgets, Requests& requests) {
  const document::ViewState& view_state = screen.session.document().view_state;
  const bool compares = view_state.compare;
  if (view_state.guessing || (!compares && !screen.session.differs())) return;
  if (widgets.toggle("compare", base::text("draw.settings.compare"), compares))
    requests.add(document::Compare{!compares});
}

void settings(const Screen& screen, View& view, Requests& requests) {
  const document::Session& session = screen.session;
  const lesson::Example& example = lesson::example(session.document().configuration.example);
  Widgets widgets(screen.theme, screen.type);
  const bool of_another = std::exchange(view.settings_of, example.id) != example.id;
  if (std::exchange(view.shows_training, false) || of_another) ImGui::SetScrollY(0.0F);
  sentence_control(screen, view, requests);
  if (example.has_picture) {
    picture_panel(screen, view, requests);
    Widgets::space(between_controls);
  }
  if (session.has_task()) training_settings(screen, view, requests);
  // What was guessed about a reader's own file comes before what can be changed about it.
  const std::string& note = session.computed().note;
  const bool note_first = example.id == lesson::ExampleId::own_layer && !note.empty();
  if (note_first) {
    widgets.words(note, screen.theme.quiet, 12.5F);
    Widgets::space(between_controls);
  }
  mask_control(screen, widgets, requests);
  Widgets::space(between_controls);
  scale_control(screen, widgets, view, requests);
  Widgets::space(between_controls);
  if (example.has_attention_variants) {
    variants_panel(screen, view, requests);
    Widgets::space(between_controls);
  }
  sizes_panel(screen, requests);
  Widgets::space(between_controls);
  if (example.has_seed &&
      example.variants[session.document().configuration.parameters.variant].random) {
    seed_control(screen, widgets, view, requests);
    Widgets::space(between_controls);
  }
  const bool encoded = session.computed().position_encoding;
  if (widgets.toggle("position", base::text("draw.settings.position"), encoded)) {
    requests.add(document::SetPositionEncoding{!encoded});
  }
  compare_control(screen, widgets, requests);
  if (!note.empty() && !note_first) {
    Widgets::space(8.0F);
    widgets.words(note, screen.theme.quiet, 12.5F);
  }
  if (!example.has_attention_variants && example.id != lesson::ExampleId::own_layer)
    variants_elsewhere(widgets, screen.theme, requests);
  if (view.has_languages) {
    Widgets::space(between_controls);
    language_control(widgets, requests);
  }
  if (screen.chrome.form == stage::Form::page) return;

  // Controls that the bar and the row of heads have no room for.
  widgets.rule();
  if (has_variants(example.id) && !session.computed().translated) {
    variants_list(screen, ImGui::GetContentRegionAvail().x, requests);
    Widgets::space(10.0F);
  }
  if (screen.chrome.form == stage::Form::phone) phone_controls(screen, view, requests);
  if (widgets.text_button("draw.bar.reset")) requests.add(document::Reset{});
  Widgets::same_line();
  const bool dark = screen.theme.dark;
  if (widgets.text_button(dark ? "draw.settings.light" : "draw.settings.dark")) {
    requests.add(document::ChooseTheme{dark ? document::Theme::light : document::Theme::dark});
  }
}

}  // namespace draw
