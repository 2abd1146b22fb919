#include "stage/figures/heads/one_head.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "stage/figures/heads/head_pattern.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/wording/translation_words.hpp"

namespace stage {

using document::ComputedAttention;
using lesson::AttentionId;

std::string_view text_of_kind(AttentionId kind, const std::array<const char*, 3>& keys) {
  if (kind == AttentionId::encoder_self_attention) return base::text(keys[0]);
  return base::text(kind == AttentionId::decoder_self_attention ? keys[1] : keys[2]);
}

std::string_view name_of_kind(AttentionId kind) {
  return text_of_kind(
      kind, {"stage.heads.encoder.name", "stage.heads.decoder.name", "stage.heads.cross.name"});
}

std::string name_of_head(AttentionId attention, std::size_t head) {
  return base::text("stage.heads.name", {{"kind", name_of_kind(lesson::kind_of(attention))},
                                         {"layer", lesson::layer_of(attention)},
                                         {"head", head}});
}

float button_width(std::string_view words) { return text_width(words, 12.0F) + 20.0F; }

float put_button(Figure& figure, float x, float y, std::string_view words,
                 document::Command command, std::string_view label) {
  const Rect button{x, y, button_width(words), 26.0F};
  add_frame(figure, button, Tone::line, 1.0F);
  add_words(figure, button.centre(), Side::centre, words, Tone::accent, 12.0F);
  figure.targets.push_back(
      {button, std::string(label.empty() ? words : label), std::move(command), {}});
  return button.right() + 10.0F;
}

bool over_held_out(const FigureInput& input) {
  return input.view_state.held_out_heads &&
         held_out_pattern_of(input.computed, input.attention, 0).has_value();
}

namespace {

/// At the bottom, what became of the translation by what the reader changed. Returns the height
/// that it takes; `kept`: whether something is changed or not.
float put_unchanged(Figure& figure, const FigureInput& input, const Rect& place, bool kept) {
  constexpr float line = 15.0F;
  const std::size_t most = place.width < 300.0F ? 4 : 3;
  if (!input.computed.translated || place.height < 300.0F) return 0.0F;
  const std::string words = unchanged_words(
      *input.computed.translated,
      [&](const std::string& each) { return lines_of(each, 12.0F, place.width).size() <= most; });
  if (words.empty() && !kept) return 0.0F;
  const std::vector<std::string> lines = lines_of(words, 12.0F, place.width);
  float y = place.bottom() - line * (static_cast<float>(most) - 0.5F);
  for (const std::string& each : lines) {
    add_words(figure, {place.x, y}, Side::left, each, Tone::text, 12.0F);
    y += line;
  }
  return line * static_cast<float>(most) + 8.0F;
}

/// "this sentence: previous token gets 83 % of the weight", or shorter: where there is little
/// width, it still says over which sentences.
std::string words_on(const HeadPattern& does, bool held_out, float width) {
  const std::string share = percent(does.share);
  const auto brief = [&](std::string_view pattern) {
    return base::text("stage.heads.does", {{"pattern", pattern}, {"share", share}});
  };
  const std::string words = brief(words_for(does.pattern));
  const std::string full =
      does.pattern == Pattern::mixed
          ? base::text("stage.heads.mixed", {{"share", share}})
          : base::text("stage.heads.gets",
                       {{"pattern", words_for(does.pattern)}, {"share", share}});
  const auto of = [&](const std::string& what) {
    return base::text(
        "stage.heads.does_there",
        {{"sentences",
          held_out ? held_out_words() : std::string(base::text("stage.heads.this_sentence"))},
         {"does", what}});
  };
  const auto briefly_of = [&](const std::string& what) {
    return held_out ? base::text("stage.heads.does_in_others",
                                 {{"count", lesson::recorded_sentences()}, {"does", what}})
                    : base::text("stage.heads.does_here", {{"does", what}});
  };
  return longest_fitting({of(full), briefly_of(full), of(words), briefly_of(words),
                          briefly_of(brief(short_words_for(does.pattern)))},
                         12.0F, width);
}

/// Whether the head of this number is switched off in every layer of the attention's kind.
bool is_off_in_layers(const FigureInput& input) {
  const auto& all = input.computed.attentions;
  return std::all_of(all.begin(), all.end(), [&](const ComputedAttention& layer) {
    return lesson::kind_of(layer.id) != lesson::kind_of(input.attention.id) ||
           layer.trace.overrides.ablates(input.view_state.head);
  });
}

struct Button {
  std::string words;
  document::Command command;
  std::string label = {};
};

/// What switches the head of this number on or off in all layers of the kind.
Button button_for_layers(const FigureInput& input, float width) {
  const bool off = is_off_in_layers(input);
  const AttentionId id = input.attention.id;
  const std::string full =
      base::text(off ? "stage.heads.switch_on_in_layers" : "stage.heads.switch_off_in_layers",
                 {{"kind", name_of_kind(lesson::kind_of(id))}});
  const std::string_view brief =
      base::text(off ? "stage.heads.on_in_layers" : "stage.heads.off_in_layers");
  return {longest_fitting({full, brief}, 12.0F, width - button_width("")),
          document::AblateHeadInLayers{id, input.view_state.head, !off}, full};
}

/// The buttons, in as many rows as they need. Returns where the next thing can begin.
float put_buttons(Figure& figure, const FigureInput& input, const Rect& place, bool alone) {
  const ComputedAttention& attention = input.attention;
  const std::size_t head = input.view_state.head;
  const bool off = attention.trace.overrides.ablates(head);
  std::vector<Button> buttons;
  if (alone)
    buttons.push_back({std::string(base::text("stage.heads.back")), document::ShowAllHeads{true}});
  buttons.push_back({std::string(base::text("stage.heads.open")),
                     document::ChooseHeadOf{attention.id, head,  // which makes these weights
                                            lesson::StepId::softmax}});
  buttons.push_back(
      {std::string(base::text(off ? "stage.heads.switch_on" : "stage.heads.switch_off")),
       document::AblateHead{attention.id, head, !off}});
  buttons.push_back(button_for_layers(input, place.width));
  float x = place.x;
  float y = place.y;
  for (Button& button : buttons) {
    if (x > place.x && x + button_width(button.words) > place.right()) {
      x = place.x;
      y += 32.0F;
    }
    x = put_button(figure, x, y, button.words, std::move(button.command), button.label);
  }
  return y + 38.0F;
}

}  // namespace

void put_one_head(Stage& stage, Figure& figure, const FigureInput& input, const Rect& place,
                  bool alone) {
  const ComputedAttention& attention = input.attention;
  document::ViewState view_state = input.view_state;
  view_state.all_heads = false;
  const std::size_t head = view_state.head;
  float y = place.y;
  if (alone) y = put_buttons(figure, input, place, alone);
  y += 8.0F;
  add_words(figure, {place.x, y}, Side::left, name_of_head(attention.id, head), Tone::strong,
            14.0F);
  y += 19.0F;
  const bool by_held_out = over_held_out(input);
  const auto pattern = [&](const HeadPattern& does, bool held_out) {
    add_words(figure, {place.x, y}, Side::left, words_on(does, held_out, place.width),
              held_out == by_held_out ? Tone::text : Tone::quiet, 12.0F);
  };
  pattern(pattern_of(attention, view_state.sample, head), false);
  if (const auto held_out = held_out_pattern_of(input.computed, attention, head)) {
    y += 16.0F;
    pattern(*held_out, true);
  }
  if (attention.trace.overrides.ablates(head)) {
    y += 16.0F;
    add_words(
        figure, {place.x, y}, Side::left,
        longest_fitting({base::text("stage.heads.is_off"), base::text("stage.heads.is_off.short")},
                        12.0F, place.width),
        Tone::text, 12.0F);
  }
  y += 14.0F;
  if (!alone) {
    y = put_buttons(figure, input, {place.x, y, place.width, 0.0F}, alone);
  } else {
    y += 8.0F;
  }
  const std::array<model::TensorId, 1> weights = {"attention_weights"};
  const std::vector<Drawing> drawings = drawings_of(attention, view_state, weights);
  if (drawings.empty()) return;
  const Drawing& drawing = drawings.front();
  const float room = place.bottom() - put_unchanged(figure, input, place, !alone) - y;
  float scale = 0.06F;
  for (float low = 0.06F, high = 1.2F; high - low > 0.002F;) {
    const float middle = (low + high) / 2.0F;
    const Measured m = measure(drawing.outline, middle, true, false, 1.0F, true);
    (m.width <= place.width && m.height <= room ? low : high) = middle;
    scale = low;
  }
  // Alone, it has height to spare: its rows become as high as a finger.
  float stretch = 1.0F;
  for (float high = 1.6F; alone && high - stretch > 0.01F;) {
    const float middle = (stretch + high) / 2.0F;
    const Measured m = measure(drawing.outline, scale, true, false, middle, true);
    (m.height <= room ? stretch : high) = middle;
  }
  put(stage, drawing, measure(drawing.outline, scale, true, false, stretch, true), place.x, y);
}

}  // namespace stage
