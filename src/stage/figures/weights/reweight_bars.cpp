#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "stage/figures/weights/reweight_parts.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage::reweight {

namespace {

/// The weight at the end of the axis, in coarse steps so that a small edit does not rescale all
/// bars.
float axis_of(const std::vector<float>& weights) {
  constexpr std::array<float, 7> ends = {0.1F, 0.2F, 0.3F, 0.4F, 0.6F, 0.8F, 1.0F};
  float largest = 0.0F;
  for (const float weight : weights) largest = std::max(largest, std::fabs(weight));
  const auto end = std::find_if(ends.begin(), ends.end(), [&](float at) { return largest <= at; });
  return end == ends.end() ? largest : *end;
}

}  // namespace

void put_bars(Figure& figure, const QueryRow& row, const Places& places, std::size_t added) {
  const std::vector<float> weights = row.values("attention_weights");
  const float axis = axis_of(weights);
  const BarAxis bars = bar_axis(weights, places.bars, places.bar_length);
  const float thickness = std::min(places.rows.pitch * 0.6F, 18.0F);
  const float type = std::clamp(places.rows.pitch * 0.75F, 10.5F, 12.0F);
  float sum = 0.0F;
  for (const float weight : weights) sum += weight;
  std::vector<std::string> labels;
  for (const std::size_t key : places.rows.keys) labels.push_back(row.key_token(key));
  labels = shortened_apart(labels, type, places.labels);
  for (std::size_t i = 0; i < places.rows.keys.size(); ++i) {
    const std::size_t key = places.rows.keys[i];
    const float middle = places.rows.middle(i);
    const float share = std::min(std::fabs(weights[key]) / axis, 1.0F);
    const float extent = std::max(1.5F, bars.length * share);
    const Rect bar{weights[key] < 0.0F ? bars.zero - extent : bars.zero, middle - thickness / 2.0F,
                   extent, thickness};
    const document::CellRef cell = row.cell("attention_weights", key);
    const bool there = i < added;
    const Tone tone = weights[key] < 0.0F ? Tone::below : Tone::head;
    figure.bars.push_back({bar, tone, row.head(), there ? 1.0F : 0.35F, weights[key], cell});
    add_words(figure, {places.bars - 8.0F, middle}, Side::right, labels[i],
              there ? Tone::text : Tone::quiet, type);
    add_number(figure, {places.bars + places.bar_length + 4.0F, middle}, Side::left,
               weight_text(weights[key], 3), Tone::text, type)
        .cell = cell;
    const float left = bars.zero;
    const float length = bars.length;
    const lesson::AttentionId attention = row.attention().id;
    const tensor::Index index = row.index(key);
    const auto drag = [=](Point at) -> std::optional<document::Command> {
      const float value = std::clamp((at.x - left) / length, 0.0F, 1.0F) * axis;
      return document::DragWeight{attention, index, std::min(value, 1.0F)};
    };
    figure.targets.push_back(
        {{left - 4.0F, middle - places.rows.pitch / 2.0F, length + 8.0F, places.rows.pitch},
         base::text("stage.weighted.weight_of", {{"token", row.key_token(key)}}),
         {},
         drag});
  }
  if (places.rows.left_out > 0) {
    const float middle = places.rows.middle(places.rows.keys.size());
    float rest = sum;
    for (const std::size_t key : places.rows.keys) rest -= weights[key];
    add_words(
        figure, {places.bars - 8.0F, middle}, Side::right,
        longest_fitting({base::text("stage.weighted.smallest", {{"count", places.rows.left_out}}),
                         "+ " + std::to_string(places.rows.left_out)},
                        type, places.labels),
        Tone::quiet, type);
    add_number(figure, {places.bars + places.bar_length + 4.0F, middle}, Side::left,
               number_text(rest, 3), Tone::quiet, type);
  }
  add_line(figure, {bars.zero, places.rows.top}, {bars.zero, places.rows.bottom()}, Tone::line);
}

void put_by_hand(Figure& figure, const QueryRow& row, const Places& places) {
  constexpr float around = 8.0F;
  const float room = places.values - sign_width - places.left;
  if (!row.trace().overrides.gives(row.sample(), row.head(), row.query())) {
    if (places.stack.height < 48.0F) return;  // where its place is that of the words below
    add_words(figure, {places.left, places.stack.y + 8.0F}, Side::left,
              longest_fitting({base::text("stage.weighted.drag"), ""}, 11.5F, room), Tone::quiet,
              11.5F);
    return;
  }
  const std::string words = longest_fitting(
      {base::text("stage.weighted.recompute.long"), base::text("stage.weighted.recompute.short")},
      11.5F, room - 2.0F * around);
  const Rect button{places.left, places.stack.y - 3.0F, text_width(words, 11.5F) + 2.0F * around,
                    22.0F};
  add_frame(figure, button, Tone::line, 1.0F);
  add_words(figure, {button.x + around, places.stack.y + 8.0F}, Side::left, words, Tone::accent,
            11.5F);
  figure.targets.push_back(
      {button,
       std::string(base::text("stage.weighted.recompute.label")),
       document::ReleaseWeights{row.attention().id, row.sample(), row.head(), row.query()},
       {}});
}

}  // namespace stage::reweight
