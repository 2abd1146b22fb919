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
constexpr float least_panel = 240.0F;  // folded groups, and the cell in focus over them
constexpr float under_text = 10.0F;
constexpr float around_words = 6.0F;
constexpr float sheet_width = 330.0F;
constexpr float least_sheet = 220.0F;         // in height
constexpr float legend_beside_sheet = 0.37F;  // of the width; the switches get the rest
// In two columns: lines of more than about ninety letters are hard to follow.
constexpr float widest_words = 1100.0F;
constexpr float words_beside = 0.44F;           // of the width, beside the stage
constexpr float room_beside_heads = 860.0F;     // heads and letters fit into one row
constexpr float letters_beside_heads = 320.0F;  // at least
constexpr float letters_in_a_line = 460.0F;
constexpr float room_under_letters = 200.0F;  // least room for stage and legend

constexpr float room_over_training = 150.0F;  // least room for stage and legend
// In a wide and low screen, training stands beside the stage unless it leaves this much over it.
constexpr float ample_over_training = 300.0F;
constexpr float least_column = 200.0F;  // the height of a training beside the stage
constexpr float tall_phone = 760.0F;    // from here on a training has room for its answers

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

/// Gives each part its place, from the outside in: what is left over is the stage's.
class PlacesOnScreen {
 public:
  PlacesOnScreen(float width, float height, const Parts& wanted, const Opened& opened)
      : width_(width), height_(height), wanted_(wanted), opened_(opened) {
    chrome_.form = width < 600.0F                       ? Form::phone
                   : width < 1000.0F || height < 600.0F ? Form::embed
                                                        : Form::page;
    chrome_.sheets = wanted.panel;
    m_ = measures_for(chrome_.form, width, height, wanted);
    parts_ = wanted;
    parts_.text = parts_.text && m_.text > 0.0F;
    parts_ = that_fit(parts_, m_, height);
    margin_ = std::min(m_.margin, width * 0.125F);
    right_ = stage_right_ = width - margin_;
    legend_width_ = m_.legend_width;
  }

  Chrome made() {
    bar_and_steps();
    panel_beside();
    controls_beside();
    text();
    sentence();
    heads();
    training_beside();
    letters();
    training_below();
    controls_below();
    panel_below();
    legend();
    chrome_.stage = {margin_, y_, stage_right_ - margin_, std::max(0.0F, bottom_ - y_)};
    words_beside_stage();
    return chrome_;
  }

 private:
  bool is(Form form) const { return chrome_.form == form; }
  float room() const { return right_ - margin_; }
  /// The bottom of what lies over the stage.
  float under_sheet() const { return chrome_.steps.y - edge; }
  float training_height() const {
    if (is(Form::phone)) return height_ >= tall_phone ? 176.0F : 124.0F;
    return is(Form::page) ? 154.0F : 96.0F;
  }
  /// What an edge keeps where nothing else keeps a distance.
  float small_edge(float length) const { return std::min(edge, length * 0.125F); }

  void bar_and_steps() {
    const float steps = parts_.steps ? m_.steps : 0.0F;
    chrome_.bar = {0.0F, 0.0F, width_, parts_.bar ? m_.bar : 0.0F};
    chrome_.steps = {0.0F, height_ - steps, width_, steps};
    y_ = chrome_.bar.bottom();
    bottom_ = chrome_.steps.y;
  }

  /// On a page below the text, which uses the whole width.
  void panel_beside() {
    if (!is(Form::page) || !parts_.panel) return;
    const float top = parts_.text ? y_ + m_.above_text + m_.text + under_text : y_ + around_panel;
    chrome_.panel = {width_ - panel_width - around_panel, top, panel_width,
                     bottom_ - around_panel - top};
    right_ = stage_right_ = chrome_.panel.x - margin_;
  }

  /// The opened controls of a figure: beside the stage or, on a lower screen, beside the rows above
  /// and below it, too.
  void controls_beside() {
    if (!is(Form::embed) || !opened_.controls || !wanted_.panel) return;
    const float below_text = y_ + (parts_.text ? m_.above_text + m_.text : 0.0F);
    const float below_heads = below_text + (parts_.heads ? m_.above_heads + m_.heads : 0.0F);
    const float over_legend = bottom_ - (parts_.legend ? m_.legend_row : 0.0F);
    const bool beside_stage =
        !opened_.training && over_legend - below_heads - 2.0F * edge >= least_sheet;
    float top = beside_stage ? below_heads + edge : below_text + edge;
    if (under_sheet() - top < least_sheet) top = y_ + edge;
    const float under = beside_stage ? over_legend - edge : under_sheet();
    chrome_.controls = {width_ - sheet_width - edge, top, sheet_width, under - top};
    stage_right_ = chrome_.controls.x - margin_;
    if (beside_stage) return;
    right_ = stage_right_;
    legend_width_ = room() * legend_beside_sheet;
  }

  void text() {
    if (!parts_.text) return;
    chrome_.text = {margin_, y_ + m_.above_text, width_ - 2.0F * margin_, m_.text};
    y_ = chrome_.text.bottom();
    if (is(Form::embed)) return;
    if (!chrome_.panel.empty()) return words_in_panel();
    const float most = std::max(0.0F, (height_ - taken(parts_, m_)) / 2.0F - 2.0F * around_words);
    chrome_.words = {margin_, y_ + around_words, std::min(widest_words, room()),
                     std::min(opened_.words, most)};
    if (opened_.words > 0.0F) y_ = chrome_.words.bottom() + around_words;
  }

  /// On a page they take a part of the panel's room: what they explain keeps its size.
  void words_in_panel() {
    Rect& panel = chrome_.panel;
    const float most = std::max(0.0F, panel.height - least_panel - edge);
    chrome_.words = {panel.x, panel.y, panel.width, std::min(opened_.words, most)};
    if (opened_.words == 0.0F) return;
    panel.y = chrome_.words.bottom() + edge;
    panel.height -= chrome_.words.height + edge;
  }

  void sentence() {
    const bool in_bar = is(Form::page) && parts_.bar;
    const bool phone = is(Form::phone);
    const bool gives_way = phone && opened_.words > 0.0F;  // the stage would keep too little
    if (!opened_.sentence || !parts_.text || in_bar || gives_way) return;
    const float high =
        phone ? phone_sentence + (opened_.translation ? phone_translation : 0.0F) : sentence_line;
    const float under =
        height_ - taken(parts_, m_) - (y_ - chrome_.text.bottom()) - 2.0F * over_sentence;
    if (under - high < least_under_sentence) return;
    chrome_.sentence = {margin_, y_ + over_sentence, room(), high};
    y_ = chrome_.sentence.bottom() + over_sentence;
  }

  void heads() {
    if (parts_.heads) {
      chrome_.heads = {margin_, y_ + m_.above_heads, room(), m_.heads};
      y_ = chrome_.heads.bottom();
    }
    y_ += parts_.text || parts_.heads ? m_.above_stage : small_edge(height_);
  }

  /// Beside the stage where a figure has too little height for it below.
  void training_beside() {
    if (!opened_.training || !is(Form::embed) || !chrome_.controls.empty()) return;
    const float high = bottom_ - above_steps - y_;
    if (high - training_height() >= ample_over_training || high < least_column) return;
    const float wide = std::clamp(room() * 0.33F, 216.0F, 300.0F);
    chrome_.training = {right_ - wide, y_, wide, high};
    stage_right_ = right_ = chrome_.training.x - margin_;
    legend_width_ = room() * legend_beside_sheet;
  }

  /// Beside the heads or below them.
  void letters() {
    if (!opened_.letters || !parts_.text || opened_.words > 0.0F) return;
    const float high = is(Form::phone) ? 40.0F : 24.0F;
    const float row = chrome_.heads.width;
    if (row >= room_beside_heads) {
      const float wide = std::clamp(row * 0.36F, letters_beside_heads, letters_in_a_line);
      chrome_.heads.width = row - wide - margin_;
      chrome_.letters = {chrome_.heads.right() + margin_, chrome_.heads.y, wide,
                         chrome_.heads.height};
    } else if (y_ + high + room_under_letters < chrome_.steps.y) {
      chrome_.letters = {margin_, y_, stage_right_ - margin_, high};
      y_ = chrome_.letters.bottom() + 4.0F;
    }
  }

  void training_below() {
    if (!opened_.training || !chrome_.training.empty()) return;
    const float top = bottom_ - above_steps - training_height();
    if (top - y_ < room_over_training) return;
    chrome_.training = {margin_, top, room(), training_height()};
    bottom_ = chrome_.training.y;
  }

  /// A phone's opened controls: in the place of inspector and legend, or on a low screen over them
  /// and the stage.
  void controls_below() {
    if (!is(Form::phone) || !opened_.controls || !wanted_.panel) return;
    const float most = std::max(0.0F, under_sheet() - chrome_.bar.height - edge);
    const float high = std::min(most, std::max(least_sheet, (under_sheet() - y_) * 0.6F));
    chrome_.controls = {edge, under_sheet() - high, width_ - 2.0F * edge, high};
    if (chrome_.controls.y - above_steps - y_ < m_.least_stage) return;
    bottom_ = chrome_.controls.y;
    parts_.panel = parts_.legend = false;
  }

  void panel_below() {
    if (!parts_.panel || m_.panel == 0.0F) return;
    const float around = small_edge(width_);
    const float under = parts_.steps ? above_steps : around;
    chrome_.panel = {around, bottom_ - under - m_.panel, width_ - 2.0F * around, m_.panel};
    bottom_ = chrome_.panel.y;
  }

  void legend() {
    if (parts_.legend) {
      bottom_ -= m_.legend_row;
      chrome_.legend = {margin_, bottom_ + m_.above_legend, std::min(legend_width_, room()),
                        m_.legend};
      chrome_.view = beside(chrome_.legend, right_, m_.view);
    } else if (bottom_ == chrome_.panel.y) {
      bottom_ -= edge;
    } else {
      bottom_ -= parts_.steps ? above_steps : small_edge(height_);
    }
  }

  /// A figure's text stands beside its stage.
  void words_beside_stage() {
    if (!parts_.text || !is(Form::embed)) return;
    const float wide = room() * words_beside;
    chrome_.words = {right_ - wide, y_, wide, std::min(opened_.words, chrome_.stage.height)};
    if (opened_.words > 0.0F) chrome_.stage.width -= wide + margin_;
  }

  float width_;
  float height_;
  const Parts& wanted_;
  const Opened& opened_;
  Chrome chrome_;
  Measures m_;
  Parts parts_;  ///< those that have room
  float margin_ = 0.0F;
  float y_ = 0.0F;       ///< the bottom of what stands above the stage
  float bottom_ = 0.0F;  ///< the top of what stands below it
  float right_ = 0.0F;
  float stage_right_ = 0.0F;
  float legend_width_ = 0.0F;
};

}  // namespace

Chrome arrange(float width, float height, const Parts& wanted, const Opened& opened) {
  return PlacesOnScreen(width, height, wanted, opened).made();
}

}  // namespace stage
