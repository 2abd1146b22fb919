// The angles of rotary positions, held against the numbers before and after the rotation.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {
namespace {

FigureScene turned(std::size_t tokens, std::size_t head_dim, bool normed = false) {
  document::Configuration configuration = typed(repeated("word", tokens), head_dim * 2, 2);
  configuration.variants.rope_base = 100.0F;
  configuration.variants.qk_norm = normed;
  return FigureScene(*document::compute(configuration));
}

template <typename Check>
void for_each_rotation(Check check) {
  for (const std::size_t tokens : {1U, 11U, 64U}) {
    for (const std::size_t head_dim : {2U, 4U, 6U, 64U}) {
      for (const bool normed : {false, true}) {
        const FigureScene scene = turned(tokens, head_dim, normed);
        for (const std::size_t query : {std::size_t{0}, tokens / 2, tokens - 1}) {
          document::ViewState view_state;
          view_state.attention = lesson::AttentionId::attention;
          view_state.head = 1;
          view_state.query = query;
          for (const Rect& place : figure_places) {
            MadeFigure made = make_figure(scene, view_state, place, put_rotation_figure);
            made.name = std::to_string(tokens) + " tokens, D " + std::to_string(head_dim) +
                        ", query " + std::to_string(query) + ", " + text_of(place);
            check(made);
            if (testing::Test::HasFailure()) FAIL() << made.name;
          }
        }
      }
    }
  }
}

/// The direction of an arrow, y upwards.
double direction_of(const Stroke& arrow) {
  const Point from = arrow.points.front();
  const Point to = arrow.points.back();
  return std::atan2(static_cast<double>(from.y - to.y), static_cast<double>(to.x - from.x));
}

double length_of(const Stroke& arrow) {
  const Point from = arrow.points.front();
  const Point to = arrow.points.back();
  return std::hypot(static_cast<double>(to.x - from.x), static_cast<double>(to.y - from.y));
}

double turn_between(double from, double to) {
  const double full = 2.0 * std::numbers::pi;
  return std::fmod(std::fmod(to - from, full) + full, full);
}

TEST(RotationFigure, IsSoundEverywhere) { for_each_rotation(expect_sound); }

TEST(RotationFigure, DrawsEachPairBeforeAndAfterItsTurn) {
  for_each_rotation([](const MadeFigure& made) {
    const model::Trace& trace = made.trace();
    const std::size_t half = trace.config.head_dim() / 2;
    const model::TensorId source = trace.made_by("q_rotated")->of[0];
    std::vector<const Stroke*> before;
    std::vector<const Stroke*> after;
    for (const Stroke& stroke : made.figure().strokes) {
      if (!stroke.arrow || stroke.points.size() != 2) continue;
      (stroke.tone == Tone::head ? before : after).push_back(&stroke);
    }
    ASSERT_GE(before.size(), 1U);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t pair = 0; pair < before.size(); ++pair) {
      const auto number = [&](model::TensorId tensor, std::size_t column) {
        return static_cast<double>(trace[tensor].at({0, 1, made.view_state.query, column}));
      };
      const auto angle = [&](model::TensorId tensor) {
        return std::atan2(number(tensor, pair + half), number(tensor, pair));
      };
      EXPECT_NEAR(std::cos(direction_of(*before[pair]) - angle(source)), 1.0, 1e-4);
      EXPECT_NEAR(std::cos(direction_of(*after[pair]) - angle("q_rotated")), 1.0, 1e-4);
      EXPECT_NEAR(length_of(*before[pair]), length_of(*after[pair]), 0.05);
      const double theta = static_cast<double>(made.view_state.query) *
                           std::pow(100.0, -static_cast<double>(pair) / static_cast<double>(half));
      const double turn = turn_between(direction_of(*before[pair]), direction_of(*after[pair]));
      EXPECT_NEAR(std::cos(turn - theta), 1.0, 1e-4);
    }
  });
}

TEST(RotationFigure, SaysAnglesAndLeftOutPairs) {
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::attention;
  view_state.query = 7;
  const FigureScene scene = turned(11, 64);
  const std::string words =
      all_words(make_figure(scene, view_state, figure_places[0], put_rotation_figure).figure());
  EXPECT_NE(words.find("θ = 7.000 = 401.1°"), std::string::npos) << words;
  EXPECT_NE(words.find("more pairs have no room here."), std::string::npos) << words;
  EXPECT_NE(words.find("position · 100^(−2i/D)"), std::string::npos) << words;
}

}  // namespace
}  // namespace stage
