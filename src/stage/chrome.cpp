#include "stage/chrome.hpp"

#include <algorithm>

namespace stage {

namespace {

/// What is left of the legend's row, up to `right`.
Rect beside(const Rect& legend, float right, float height) {
  constexpr float gap = 16.0F;
  const float x = legend.right() + gap;
  return {x, legend.y, std::max(0.0F, right - x), height};
}

Chrome arrange_page(float width, float height) {
  constexpr float bar = 48.0F;
  constexpr float steps = 64.0F;
  constexpr float panel = 312.0F;
  constexpr float margin = 24.0F;
  Chrome chrome;
  chrome.form = Form::page;
  chrome.bar = {0.0F, 0.0F, width, bar};
  chrome.steps = {0.0F, height - steps, width, steps};
  chrome.panel = {width - panel - 16.0F, bar + 16.0F, panel, height - bar - steps - 32.0F};
  const float left_width = chrome.panel.x - 2.0F * margin;
  chrome.text = {margin, bar + 10.0F, left_width, 130.0F};
  chrome.heads = {margin, chrome.text.bottom() + 4.0F, left_width, 32.0F};
  const float bottom = height - steps - 52.0F;
  chrome.stage = {margin, chrome.heads.bottom() + 6.0F, left_width,
                  bottom - chrome.heads.bottom() - 6.0F};
  chrome.legend = {margin, bottom + 4.0F, std::min(320.0F, left_width), 40.0F};
  chrome.view = beside(chrome.legend, margin + left_width, 32.0F);
  return chrome;
}

Chrome arrange_embed(float width, float height) {
  constexpr float bar = 40.0F;
  constexpr float steps = 44.0F;
  constexpr float margin = 16.0F;
  Chrome chrome;
  chrome.form = Form::embed;
  chrome.bar = {0.0F, 0.0F, width, bar};
  chrome.steps = {0.0F, height - steps, width, steps};
  chrome.text = {margin, bar + 8.0F, width - 2.0F * margin, 28.0F};
  chrome.heads = {margin, chrome.text.bottom() + 4.0F, width - 2.0F * margin, 28.0F};
  const float bottom = height - steps - 42.0F;
  chrome.stage = {margin, chrome.heads.bottom() + 6.0F, width - 2.0F * margin,
                  std::max(38.0F, bottom - chrome.heads.bottom() - 6.0F)};
  chrome.legend = {margin, bottom + 2.0F, std::min(280.0F, width - 2.0F * margin), 36.0F};
  chrome.view = beside(chrome.legend, width - margin, 28.0F);
  return chrome;
}

Chrome arrange_phone(float width, float height) {
  constexpr float steps = 72.0F;
  constexpr float margin = 16.0F;
  // A phone on its side or a small frame: the words give way to the stage, first to their title,
  // then altogether.
  const bool low = height < 544.0F;
  const bool lowest = height < 320.0F;
  const float bar = lowest ? 40.0F : 48.0F;
  Chrome chrome;
  chrome.form = Form::phone;
  chrome.bar = {0.0F, 0.0F, width, bar};
  chrome.steps = {0.0F, height - steps, width, steps};
  chrome.text = {margin, bar + (low ? 6.0F : 12.0F), width - 2.0F * margin, low ? 28.0F : 136.0F};
  if (lowest) chrome.text.height = 0.0F;
  chrome.heads = {margin, lowest ? bar + 4.0F : chrome.text.bottom() + 4.0F, width - 2.0F * margin,
                  36.0F};
  const float bottom = height - steps - (lowest ? 40.0F : 48.0F);
  const float gap = lowest ? 4.0F : 8.0F;
  chrome.stage = {margin, chrome.heads.bottom() + gap, width - 2.0F * margin,
                  std::max(40.0F, bottom - chrome.heads.bottom() - gap)};
  chrome.legend = {margin, bottom + (lowest ? 0.0F : 4.0F), (width - 2.0F * margin) * 0.4F, 40.0F};
  chrome.view = beside(chrome.legend, width - margin, 34.0F);
  return chrome;
}

}  // namespace

Chrome arrange(float width, float height) {
  Chrome chrome = width < 600.0F                       ? arrange_phone(width, height)
                  : width < 1000.0F || height < 600.0F ? arrange_embed(width, height)
                                                       : arrange_page(width, height);
  // A window can be dragged smaller than its margins.
  for (Rect* part : {&chrome.bar, &chrome.text, &chrome.heads, &chrome.stage, &chrome.panel,
                     &chrome.legend, &chrome.view, &chrome.steps}) {
    part->width = std::max(0.0F, part->width);
    part->height = std::max(0.0F, part->height);
  }
  return chrome;
}

}  // namespace stage
