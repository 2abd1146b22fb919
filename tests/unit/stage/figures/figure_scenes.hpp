// What the tests of figures share: every scene in every size of place, and what must hold for all.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stage/figures/figures.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/scenes.hpp"

namespace stage {

/// A scene with what `put` asks for.
struct FigureScene {
  document::Computed computed;

  explicit FigureScene(const Scene& scene) { computed.attentions.push_back(scene.attention); }
  explicit FigureScene(document::Computed made) : computed(std::move(made)) {}

  const document::ComputedAttention& attention() const { return computed.attentions[0]; }
  const model::Trace& trace() const { return attention().trace; }
  FigureInput input(const document::ViewState& view_state) const {
    return {computed, attention(), view_state};
  }
};

/// The places that figures get on a page, in an embed, on a phone, and the ends of what is allowed.
inline constexpr Rect figure_places[] = {{471.0F, 0.0F, 400.0F, 460.0F},
                                         {370.0F, 0.0F, 302.0F, 266.0F},
                                         {0.0F, 0.0F, 342.0F, 430.0F},
                                         {0.0F, 0.0F, 240.0F, 160.0F},
                                         {8.0F, 8.0F, 560.0F, 520.0F}};

/// One figure with everything it was made from.
struct MadeFigure {
  const FigureScene* scene;
  document::ViewState view_state;
  Rect place;
  Stage stage;
  std::string name;

  const Figure& figure() const { return stage.figures.at(0); }
  const model::Trace& trace() const { return scene->trace(); }
};

inline MadeFigure make_figure(const FigureScene& scene, const document::ViewState& view_state,
                              const Rect& place,
                              void (*put)(Stage&, const FigureInput&, const Rect&)) {
  MadeFigure made{&scene, view_state, place, {}, {}};
  put(made.stage, scene.input(view_state), place);
  return made;
}

/// Calls `check` for every scene, some of its queries, keys, heads and samples, and every place.
template <typename Check>
void for_each_figure(void (*put)(Stage&, const FigureInput&, const Rect&), Check check) {
  for (const Scene* scene : all_scenes()) {
    const FigureScene figure_scene(*scene);
    const model::Config& config = scene->config();
    std::size_t count = 0;
    for (std::size_t sample = 0; sample < config.batch; ++sample) {
      for (const std::size_t head : {std::size_t{0}, config.num_heads - 1}) {
        for (const std::size_t query : {std::size_t{0}, config.query_len - 1}) {
          document::ViewState view_state;
          view_state.attention = scene->attention.id;
          view_state.sample = sample;
          view_state.head = head;
          view_state.query = query;
          view_state.key = count++ % config.key_len;
          for (const Rect& place : figure_places) {
            MadeFigure made = make_figure(figure_scene, view_state, place, put);
            made.name = name_of(*scene, view_state) + ", key " + std::to_string(view_state.key) +
                        ", " + text_of(place);
            ASSERT_EQ(made.stage.figures.size(), 1U) << made.name;
            check(made);
            if (testing::Test::HasFailure()) FAIL() << made.name;
          }
        }
      }
    }
  }
}

/// Whether it is an arc between words: a curve, or the many corners of the loop from a word to
/// itself.
inline bool is_arc(const Stroke& stroke) { return stroke.curved || stroke.points.size() > 8; }

/// The corners of a line, and points along a curve: its handles may lie outside.
inline std::vector<Point> points_of(const Stroke& stroke) {
  if (!stroke.curved) return stroke.points;
  std::vector<Point> points;
  constexpr int steps = 64;
  for (int step = 0; step <= steps; ++step) {
    const float t = static_cast<float>(step) / steps;
    const float s = 1.0F - t;
    const float share[] = {s * s * s, 3.0F * s * s * t, 3.0F * s * t * t, t * t * t};
    Point point;
    for (std::size_t i = 0; i < 4; ++i) {
      point.x += share[i] * stroke.points[i].x;
      point.y += share[i] * stroke.points[i].y;
    }
    points.push_back(point);
  }
  return points;
}

inline Rect bounds_of(const Stroke& stroke) {
  Rect all{stroke.points[0].x, stroke.points[0].y, 0.0F, 0.0F};
  for (const Point& point : points_of(stroke)) {
    const float right = std::max(all.right(), point.x);
    const float bottom = std::max(all.bottom(), point.y);
    all.x = std::min(all.x, point.x);
    all.y = std::min(all.y, point.y);
    all.width = right - all.x;
    all.height = bottom - all.y;
  }
  return all;
}

/// Everything of the figure lies in its bounds, and those in its place.
inline void expect_inside(const MadeFigure& made) {
  const Figure& figure = made.figure();
  EXPECT_TRUE(inside(figure.bounds, made.place, 0.5F)) << text_of(figure.bounds);
  for (const Words& words : figure.words)
    EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F))
        << words.text << " " << text_of(place_of(words)) << " in " << text_of(figure.bounds);
  for (const Bar& bar : figure.bars)
    EXPECT_TRUE(inside(bar.place, figure.bounds, 0.5F)) << text_of(bar.place);
  for (const Stroke& stroke : figure.strokes)
    EXPECT_TRUE(inside(bounds_of(stroke), figure.bounds, 0.5F)) << text_of(bounds_of(stroke));
  for (const Target& target : figure.targets) {
    EXPECT_TRUE(inside(target.place, made.place, 0.5F))
        << target.label << " " << text_of(target.place);
    EXPECT_FALSE(target.label.empty());
    EXPECT_TRUE(target.click || target.drag) << target.label;
  }
  for (const Block& block : made.stage.blocks)
    EXPECT_TRUE(inside(block.cells, figure.bounds, 0.5F)) << text_of(block.cells);
}

/// No word lies on another one or on a matrix; sizes of type can be read.
inline void expect_words_apart(const MadeFigure& made) {
  const std::vector<Words>& words = made.figure().words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_GE(words[i].size, 10.5F) << words[i].text;
    EXPECT_LE(words[i].size, 14.0F) << words[i].text;
    EXPECT_EQ(words[i].text.find('\n'), std::string::npos);
    for (std::size_t j = i + 1; j < words.size(); ++j) {
      EXPECT_FALSE(overlap(place_of(words[i]), place_of(words[j])))
          << words[i].text << " " << text_of(place_of(words[i])) << " on " << words[j].text << " "
          << text_of(place_of(words[j]));
    }
    for (const Block& block : made.stage.blocks)
      EXPECT_FALSE(overlap(place_of(words[i]), block.cells)) << words[i].text;
  }
}

/// Is this how a number is set, with as many digits as may be?
inline bool says(const std::string& text, float value) {
  for (int decimals = 0; decimals <= 4; ++decimals) {
    if (text == number_text(value, decimals)) return true;
  }
  return text == number_text_telling(value) || text == number_in(value, 7, 3);
}

/// Numbers, bars and matrices that are cells of a tensor have what the trace has there.
inline void expect_true_to_trace(const MadeFigure& made) {
  const model::Trace& trace = made.trace();
  for (const Words& words : made.figure().words) {
    if (!words.cell) continue;
    EXPECT_TRUE(words.number);
    const float value = trace[words.cell->tensor].at(words.cell->index);
    EXPECT_TRUE(says(words.text, value)) << words.text << " for " << value;
  }
  for (const Bar& bar : made.figure().bars) {
    if (!bar.cell) continue;
    EXPECT_EQ(bits_of(bar.value), bits_of(trace[bar.cell->tensor].at(bar.cell->index)));
  }
  for (const Group& group : made.stage.groups) {
    EXPECT_TRUE(group.in_figure);
    ASSERT_GT(group.block_count, 0U);
    EXPECT_EQ(group.title, model::name_of(group.tensor));
  }
  for (const Block& block : made.stage.blocks) {
    EXPECT_EQ(block.attention, made.scene->attention().id);
    EXPECT_EQ(made.stage.groups.at(block.group).tensor, block.tensor);
    EXPECT_EQ(block.range, value_range(trace[block.tensor]));
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        EXPECT_EQ(bits_of(block.value(row, column)),
                  bits_of(trace[block.tensor].at(block.index_of(row, column))));
      }
    }
  }
}

inline void expect_sound(const MadeFigure& made) {
  expect_inside(made);
  expect_words_apart(made);
  expect_true_to_trace(made);
}

inline const Words* find_words(const Figure& figure, const std::string& text) {
  for (const Words& words : figure.words) {
    if (words.text == text) return &words;
  }
  return nullptr;
}

/// The words of every line of a figure, to look for a sentence in.
inline std::string all_words(const Figure& figure) {
  std::string all;
  for (const Words& words : figure.words) all += words.text + " ";
  return all;
}

/// The number that is set for a cell; nothing where there is none.
inline const Words* find_number(const Figure& figure, const document::CellRef& cell) {
  for (const Words& words : figure.words) {
    if (words.cell == cell) return &words;
  }
  return nullptr;
}

}  // namespace stage
