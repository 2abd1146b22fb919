#include "stage/layout/tip_labels.hpp"

#include <gtest/gtest.h>

#include "stage/layout/lettering.hpp"

namespace stage {
namespace {

constexpr Rect area{0.0F, 0.0F, 200.0F, 100.0F};
constexpr Point origin{100.0F, 50.0F};

Figure with_line(Point from, Point to) {
  Figure figure;
  Stroke stroke;
  stroke.points = {from, to};
  figure.strokes.push_back(stroke);
  return figure;
}

/// Where the first word set at a tip stands.
Rect place_at(Point tip, Figure figure) {
  TipLabels labels(area, origin);
  labels.put(figure, tip, "key", Tone::quiet, 11.0F);
  return figure.words.empty() ? Rect{} : place_of(figure.words.front());
}

TEST(TipLabels, StandBesideTheTipAwayFromTheOrigin) {
  const Rect right = place_at({130.0F, 30.0F}, {});
  EXPECT_GT(right.x, 130.0F);
  EXPECT_LT(right.y, 30.0F);
  EXPECT_GT(right.bottom(), 30.0F);
  const Rect left = place_at({70.0F, 70.0F}, {});
  EXPECT_LT(left.right(), 70.0F);
}

TEST(TipLabels, KeepOffTheLinesWhereTheyCan) {
  const Point tip{130.0F, 45.0F};
  const Rect usual = place_at(tip, {});
  const float axis = usual.centre().y;
  const Rect place = place_at(tip, with_line({0.0F, axis}, {200.0F, axis}));
  EXPECT_FALSE(place.empty());
  EXPECT_TRUE(place.y > axis || place.bottom() < axis);
  // One that only passes by is none of theirs.
  EXPECT_EQ(place_at(tip, with_line({0.0F, 5.0F}, {200.0F, 5.0F})), usual);
}

TEST(TipLabels, StandOnALineOrTwoWhereThereIsNothingElse) {
  const auto grid = [](float apart) {
    Figure figure;
    for (int line = 0; line < 50; ++line) {
      const float y = apart * static_cast<float>(line);
      figure.strokes.push_back(with_line({0.0F, y}, {200.0F, y}).strokes.front());
    }
    return figure;
  };
  EXPECT_FALSE(place_at({130.0F, 45.0F}, grid(8.0F)).empty());
  // In a thicket nobody could read it.
  EXPECT_TRUE(place_at({130.0F, 45.0F}, grid(2.0F)).empty());
  // The chosen one is named all the same.
  TipLabels labels(area, origin);
  Figure figure = grid(2.0F);
  labels.put(figure, {130.0F, 45.0F}, "key", Tone::strong, 11.0F);
  EXPECT_EQ(figure.words.size(), 1U);
}

TEST(TipLabels, NeverStandOnEachOtherNorOutside) {
  TipLabels labels(area, origin);
  Figure figure;
  for (int i = 0; i < 30; ++i) labels.put(figure, {130.0F, 45.0F}, "key", Tone::quiet, 11.0F);
  labels.put(figure, {199.0F, 1.0F}, "far too long for here", Tone::quiet, 11.0F);
  EXPECT_GE(figure.words.size(), 3U);
  EXPECT_LT(figure.words.size(), 12U);
  for (const Words& words : figure.words) {
    const Rect place = place_of(words);
    EXPECT_GE(place.x, area.x);
    EXPECT_LE(place.right(), area.right());
    for (const Words& other : figure.words) {
      EXPECT_TRUE(&other == &words || !place_of(other).overlaps(place));
    }
  }
}

}  // namespace
}  // namespace stage
