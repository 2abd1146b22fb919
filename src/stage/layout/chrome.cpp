#include "stage/layout/chrome.hpp"

#include <algorithm>

namespace stage {

namespace {

/// The sizes of a design's parts in logical pixels, from top to bottom.
struct Measures {
  float margin = 0.0F;  // at the left and the right
  float bar = 0.0F;
  float above_text = 0.0F;
  float text = 0.0F;  // 0: this design has none
  float above_heads = 4.0F;
  float heads = 0.0F;
  float above_stage = 0.0F;
  float least_stage = 38.0F;
  float legend_row = 0.0F;
  float above_legend = 0.0F;
  float legend = 0.0F;
  float legend_width = 0.0F;  // at most
  float view = 0.0F;
  float panel = 0.0F;  // below the stage; 0: beside it, or none
  float steps = 0.0F;
};

constexpr float edge = 8.0F;          // between the stage and the edge of the screen
constexpr float above_steps = 12.0F;  // the slider's knob reaches above the step bar
constexpr float panel_width = 312.0F;
constexpr float around_panel = 16.0F;
constexpr float under_text = 10.0F;
constexpr float around_words = 6.0F;
constexpr float sheet_width = 330.0F;
constexpr float least_sheet = 220.0F;         // in height
constexpr float legend_beside_sheet = 0.37F;  // of the width; the switches get the rest
// Lines of about ninety letters read well; in wider ones the eye loses its way back.
constexpr float widest_words = 640.0F;
constexpr float words_beside = 0.44F;           // of the width, beside the stage
constexpr float room_beside_heads = 860.0F;     // heads and letters fit into one row
constexpr float letters_beside_heads = 320.0F;  // at least
constexpr float letters_in_a_line = 460.0F;
constexpr float room_under_letters = 200.0F;  // least room for stage and legend

constexpr float room_over_training = 150.0F;  // least room for stage and legend
// In a wide and low screen, training stands beside the stage unless it leaves this much over it.
constexpr float ample_over_training = 300.0F;
constexpr float least_column = 200.0F;  // the height of a training beside the stage

constexpr float over_sentence = 3.0F;   // and below it
constexpr float sentence_line = 28.0F;  // the field beside the translation
constexpr float phone_sentence = 34.0F;
constexpr float phone_translation = 22.0F;      // below the field
constexpr float least_under_sentence = 168.0F;  // what the stage keeps

constexpr Measures page_measures{
    .margin = 24.0F,
    .bar = 40.0F,
    .above_text = 8.0F,
    .text = 62.0F,
    .above_heads = 8.0F,
    .heads = 28.0F,
    .above_stage = 6.0F,
    .legend_row = 52.0F,
    .above_legend = 4.0F,
    .legend = 40.0F,
    .legend_width = 320.0F,
    .view = 32.0F,
    .steps = 64.0F,
};

constexpr Measures embed_measures{
    .margin = 16.0F,
    .bar = 40.0F,
    .above_text = 3.0F,
    .text = 42.0F,
    .above_heads = 2.0F,
    .heads = 28.0F,
    .above_stage = 2.0F,
    .legend_row = 42.0F,
    .above_legend = 2.0F,
    .legend = 36.0F,
    .legend_width = 280.0F,
    .view = 28.0F,
    .steps = 44.0F,
};

/// `height` is what the screen would have with all its parts. On a low screen (a phone on its side,
/// a small frame) the text gives way to the stage: first all but the title, then that, too.
Measures phone_measures(float width, float height, bool panel) {
  const bool low = height < 544.0F;
  const bool under = panel && height >= 720.0F;
  const bool lowest = height < 320.0F;
  Measures m;
  m.margin = 16.0F;
  m.bar = lowest ? 40.0F : 44.0F;
  m.above_text = low ? 6.0F : 8.0F;
  m.text = lowest ? 0.0F : low ? 28.0F : under ? 42.0F : 98.0F;
  m.above_heads = low ? 4.0F : 6.0F;
  m.heads = 34.0F;
  m.above_stage = lowest ? 4.0F : 6.0F;
  m.least_stage = 40.0F;
  m.legend_row = lowest ? 40.0F : 44.0F;
  m.above_legend = lowest ? 0.0F : 2.0F;
  m.legend = 40.0F;
  m.legend_width = std::max(0.0F, width - 2.0F * m.margin) * 0.37F;
  m.view = 34.0F;
  // The panel then shows the equation, and the text above leaves it out.
  m.panel = under ? 100.0F : 0.0F;
  m.steps = height < 480.0F ? least_steps_of_two_rows - 24.0F : least_steps_of_two_rows;
  return m;
}

/// The rest of the legend's row, up to `right`.
Rect beside(const Rect& legend, float right, float height) {
  constexpr float gap = 16.0F;
  const float x = std::min(legend.right() + gap, right);
  return {x, legend.y, right - x, height};
}

/// The height of everything but the stage.
float taken(const Parts& parts, const Measures& m) {
  const bool words = parts.text || parts.heads;
  return (parts.bar ? m.bar : 0.0F) + (parts.text ? m.above_text + m.text : 0.0F) +
         (parts.heads ? m.above_heads + m.heads : 0.0F) + (words ? m.above_stage : edge) +
         (parts.legend  ? m.legend_row
          : parts.steps ? above_steps
                        : edge) +
         (parts.steps ? m.steps : 0.0F) + (parts.panel && m.panel > 0.0F ? m.panel + edge : 0.0F);
}

/// `parts` without those that leave the stage less than its minimum; the least important go first.
Parts that_fit(Parts parts, const Measures& m, float height) {
  for (bool Parts::*part :
       {&Parts::panel, &Parts::legend, &Parts::heads, &Parts::text, &Parts::bar, &Parts::steps}) {
    if (taken(parts, m) + m.least_stage <= height) break;
    if (part == &Parts::panel && m.panel == 0.0F) continue;  // takes no height
    parts.*part = false;
  }
  return parts;
}

Measures measures_for(Form form, float width, float height, const Parts& parts) {
  if (form == Form::page) return page_measures;
  if (form == Form::embed) {
    Measures m = embed_measures;
    if (height < 420.0F) m.text = 28.0F;  // one line, so that the stage keeps the rest
    return m;
  }
  // Parts that are switched off leave their height to the text.
  return phone_measures(width,
                        height + (parts.bar ? 0.0F : 44.0F) + (parts.heads ? 0.0F : 40.0F) +
                            (parts.legend ? 0.0F : 44.0F) + (parts.steps ? 0.0F : 72.0F),
                        parts.panel);
}

}  // namespace

Chrome arrange(float width, float height, const Parts& wanted, const Opened& opened) {
  Chrome chrome;
  chrome.form = width < 600.0F                       ? Form::phone
                : width < 1000.0F || height < 600.0F ? Form::embed
                                                     : Form::page;
  chrome.sheets = wanted.panel;
  const Measures m = measures_for(chrome.form, width, height, wanted);
  Parts parts = wanted;
  parts.text = parts.text && m.text > 0.0F;
  parts = that_fit(parts, m, height);

  const float margin = std::min(m.margin, width * 0.125F);
  const float bar = parts.bar ? m.bar : 0.0F;
  const float steps = parts.steps ? m.steps : 0.0F;
  chrome.bar = {0.0F, 0.0F, width, bar};
  chrome.steps = {0.0F, height - steps, width, steps};
  float right = width - margin;
  if (chrome.form == Form::page && parts.panel) {
    // Below the text, which uses the whole width.
    const float top = parts.text ? bar + m.above_text + m.text + under_text : bar + around_panel;
    chrome.panel = {width - panel_width - around_panel, top, panel_width,
                    height - steps - around_panel - top};
    right = chrome.panel.x - margin;
  }
  const float under_sheet = height - steps - edge;
  float stage_right = right;
  float legend_width = m.legend_width;
  if (chrome.form == Form::embed && opened.controls && wanted.panel) {
    const float under_text = bar + (parts.text ? m.above_text + m.text : 0.0F);
    const float under_heads = under_text + (parts.heads ? m.above_heads + m.heads : 0.0F);
    const float over_legend = height - steps - (parts.legend ? m.legend_row : 0.0F);
    const bool beside_stage =
        !opened.training && over_legend - under_heads - 2.0F * edge >= least_sheet;
    float top = beside_stage ? under_heads + edge : under_text + edge;
    if (under_sheet - top < least_sheet) top = bar + edge;
    const float under = beside_stage ? over_legend - edge : under_sheet;
    chrome.controls = {width - sheet_width - edge, top, sheet_width, under - top};
    stage_right = chrome.controls.x - margin;
    // On a lower screen the rows above and below the stage are beside the sheet, too.
    if (!beside_stage) {
      right = stage_right;
      legend_width = (right - margin) * legend_beside_sheet;
    }
  }
  const float room = right - margin;

  float y = bar;
  if (parts.text) {
    chrome.text = {margin, y + m.above_text, width - 2.0F * margin, m.text};
    y = chrome.text.bottom();
    if (chrome.form != Form::embed) {
      const float most = std::max(0.0F, (height - taken(parts, m)) / 2.0F - 2.0F * around_words);
      chrome.words = {margin, y + around_words, std::min(widest_words, room),
                      std::min(opened.words, most)};
      if (opened.words > 0.0F) y = chrome.words.bottom() + around_words;
    }
  }
  const bool in_bar = chrome.form == Form::page && parts.bar;
  const bool phone = chrome.form == Form::phone;
  const bool gives_way = phone && opened.words > 0.0F;  // the stage would keep too little
  if (opened.sentence && parts.text && !in_bar && !gives_way) {
    const float high =
        phone ? phone_sentence + (opened.translation ? phone_translation : 0.0F) : sentence_line;
    const float under =
        height - taken(parts, m) - (y - chrome.text.bottom()) - 2.0F * over_sentence;
    if (under - high >= least_under_sentence) {
      chrome.sentence = {margin, y + over_sentence, room, high};
      y = chrome.sentence.bottom() + over_sentence;
    }
  }
  if (parts.heads) {
    chrome.heads = {margin, y + m.above_heads, room, m.heads};
    y = chrome.heads.bottom();
  }
  y += parts.text || parts.heads ? m.above_stage : std::min(edge, height * 0.125F);
  float bottom = chrome.steps.y;
  const float high = chrome.form == Form::page    ? 138.0F
                     : chrome.form == Form::phone ? 124.0F
                                                  : 96.0F;
  const float over_training = bottom - above_steps - high - y;
  if (opened.training && chrome.form == Form::embed && chrome.controls.empty() &&
      over_training < ample_over_training && bottom - above_steps - y >= least_column) {
    const float wide = std::clamp(room * 0.33F, 216.0F, 300.0F);
    chrome.training = {right - wide, y, wide, bottom - above_steps - y};
    stage_right = right = chrome.training.x - margin;
    legend_width = (right - margin) * legend_beside_sheet;
  }
  const float stage_room = stage_right - margin;
  const float letters_height = chrome.form == Form::phone ? 40.0F : 24.0F;
  const bool letters = opened.letters && parts.text && opened.words == 0.0F;
  if (letters && parts.heads && room >= room_beside_heads) {
    const float wide = std::clamp(room * 0.36F, letters_beside_heads, letters_in_a_line);
    chrome.heads.width = room - wide - margin;
    chrome.letters = {chrome.heads.right() + margin, chrome.heads.y, wide, chrome.heads.height};
  } else if (letters && y + letters_height + room_under_letters < chrome.steps.y) {
    chrome.letters = {margin, y, stage_room, letters_height};
    y = chrome.letters.bottom() + 4.0F;
  }
  if (opened.training && chrome.training.empty() &&
      bottom - above_steps - high - y >= room_over_training) {
    chrome.training = {margin, bottom - above_steps - high, room, high};
    bottom = chrome.training.y;
  }
  if (chrome.form == Form::phone && opened.controls && wanted.panel) {
    const float most = std::max(0.0F, under_sheet - bar - edge);
    const float high = std::min(most, std::max(least_sheet, (under_sheet - y) * 0.6F));
    chrome.controls = {edge, under_sheet - high, width - 2.0F * edge, high};
    // In the place of inspector and legend, or on a low screen over them and the stage.
    if (chrome.controls.y - above_steps - y >= m.least_stage) {
      bottom = chrome.controls.y;
      parts.panel = parts.legend = false;
    }
  }
  if (parts.panel && m.panel > 0.0F) {
    const float around = std::min(edge, width * 0.125F);
    const float under = parts.steps ? above_steps : around;
    chrome.panel = {around, bottom - under - m.panel, width - 2.0F * around, m.panel};
    bottom = chrome.panel.y;
  }
  if (parts.legend) {
    bottom -= m.legend_row;
    chrome.legend = {margin, bottom + m.above_legend, std::min(legend_width, room), m.legend};
    chrome.view = beside(chrome.legend, right, m.view);
  } else if (bottom == chrome.panel.y) {
    bottom -= edge;
  } else {
    bottom -= parts.steps ? above_steps : std::min(edge, height * 0.125F);
  }
  chrome.stage = {margin, y, stage_room, std::max(0.0F, bottom - y)};
  if (parts.text && chrome.form == Form::embed) {
    const float wide = (right - margin) * words_beside;
    chrome.words = {right - wide, y, wide, std::min(opened.words, chrome.stage.height)};
    if (opened.words > 0.0F) chrome.stage.width -= wide + margin;
  }
  return chrome;
}

}  // namespace stage
