#include "stage/motion/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "document/session.hpp"
#include "stage/compositions.hpp"
#include "stage/layout/layout.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/motion/lines.hpp"
#include "stage/scene/drawing.hpp"

namespace stage {
namespace {

using document::ChooseExample;
using document::ChooseStep;
using document::Session;

/// Points along a route, close together.
std::vector<Point> walk(const Route& route) {
  std::vector<Point> points;
  if (route.curved) {
    for (int i = 0; i <= 64; ++i) {
      const float t = static_cast<float>(i) / 64.0F;
      const float u = 1.0F - t;
      const auto at = [&](float a, float b, float c, float d) {
        return u * u * u * a + 3.0F * u * u * t * b + 3.0F * u * t * t * c + t * t * t * d;
      };
      const auto& p = route.points;
      points.push_back({at(p[0].x, p[1].x, p[2].x, p[3].x), at(p[0].y, p[1].y, p[2].y, p[3].y)});
    }
    return points;
  }
  for (std::size_t i = 0; i + 1 < route.points.size(); ++i) {
    const Point from = route.points[i];
    const Point to = route.points[i + 1];
    const int steps = 1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y));
    for (int j = 0; j <= steps; ++j) {
      const float t = static_cast<float>(j) / static_cast<float>(steps);
      points.push_back({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
    }
  }
  return points;
}

/// How many groups' cells a route runs through, its own ends' cells included.
std::size_t crossings(const Stage& stage, const Route& route) {
  std::size_t count = 0;
  for (const Group& group : stage.groups) {
    const Rect cells = cells_of(stage, group);
    for (const Point& point : walk(route)) {
      if (!cells.contains(point)) continue;
      ++count;
      break;
    }
  }
  return count;
}

/// Where everything is, for a message.
std::string all_of(const Stage& stage, const Route& route) {
  std::string text = "\nthe line";
  for (const Point& point : route.points)
    text += " (" + std::to_string(point.x) + ", " + std::to_string(point.y) + ")";
  for (const Group& group : stage.groups) {
    const Rect cells = cells_of(stage, group);
    text += "\n" + group.title + " at (" + std::to_string(cells.x) + ", " +
            std::to_string(cells.y) + ") to (" + std::to_string(cells.right()) + ", " +
            std::to_string(cells.bottom()) + ")";
  }
  return text;
}

Session session_at(lesson::ExampleId example, lesson::StepId step) {
  Session session;
  EXPECT_TRUE(session.perform(ChooseExample{example, 0}));
  EXPECT_TRUE(session.perform(ChooseStep{step}));
  return session;
}

std::string names_of(const Stage& stage, const Route& route) {
  return std::string(model::name_of(stage.groups[route.from].tensor)) + " to " +
         std::string(model::name_of(stage.groups[route.to].tensor));
}

/// A screen, and what it is of.
struct Screen {
  std::string name;
  Stage stage;
};

/// Every step of every example, on a page, in an embed and on a phone; laid out once for all tests.
const std::vector<Screen>& screens() {
  static const std::vector<Screen> all = [] {
    std::vector<Screen> made;
    for (const lesson::Example& example : lesson::examples()) {
      for (const lesson::Step& step : lesson::steps()) {
        const Session session = session_at(example.id, step.id);
        for (const Space space :
             {Space{888.0F, 440.0F}, Space{672.0F, 260.0F}, Space{342.0F, 400.0F}}) {
          made.push_back({std::to_string(space.width) + " wide, " + std::string(example.name) +
                              ", " + std::string(step.name),
                          lay_out(session.attention(), session.document().view_state, space)});
        }
      }
    }
    return made;
  }();
  return all;
}

template <typename Visit>
void for_each_screen(Visit visit) {
  for (const auto& [name, stage] : screens()) {
    SCOPED_TRACE(name);
    visit(stage);
  }
}

TEST(Routes, JoinWhatTheLinksJoin) {
  const Session session = session_at(lesson::ExampleId::you_are_welcome, lesson::StepId::scores);
  const Stage stage = lay_out(session.attention(), session.document().view_state, {900.0F, 480.0F});
  const std::vector<Route> routes = routes_of(stage);
  ASSERT_EQ(routes.size(), stage.links.size());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    EXPECT_EQ(routes[i].from, stage.links[i].from);
    EXPECT_EQ(routes[i].to, stage.links[i].to);
    // Each starts near what it leaves and ends near what it reaches.
    const Rect from = stage.groups[routes[i].from].bounds.inset(-10.0F);
    const Rect to = stage.groups[routes[i].to].bounds.inset(-10.0F);
    EXPECT_TRUE(from.contains(routes[i].points.front()));
    EXPECT_TRUE(to.contains(routes[i].points.back()));
  }
}

// The mask stands between the scores and what they become: the line goes around it.
TEST(Routes, CrossNoMatrix) {
  for_each_screen([](const Stage& stage) {
    for (const Route& route : routes_of(stage)) {
      EXPECT_EQ(crossings(stage, route), 0U) << names_of(stage, route) << all_of(stage, route);
    }
  });
}

/// Where a group's name stands; the room for it is an estimate, a letter too long.
Rect name_place(const Stage& stage, const Group& group) {
  const float size = caption_type_size(stage.detail);
  const float line = group.caption.height / (stage.detailed ? 2.0F : 1.0F);
  return {group.caption.x, group.caption.y + 2.0F, label_width(group.title) * size / 12.0F,
          line - 6.0F};
}

TEST(Routes, CrossNoName) {
  for_each_screen([](const Stage& stage) {
    for (const Route& route : routes_of(stage)) {
      const std::vector<Point> points = walk(route);
      for (const Group& group : stage.groups) {
        const Rect name = name_place(stage, group);
        const auto in_it = [&name](const Point& point) { return name.contains(point); };
        EXPECT_TRUE(std::none_of(points.begin(), points.end(), in_it))
            << names_of(stage, route) << " through " << group.title << all_of(stage, route);
      }
    }
  });
}

// A line that is a little slanted looks like a mistake.
TEST(Routes, AreStraightWhereTheirEndsAreAlmostInLine) {
  std::size_t straight = 0;
  for_each_composition([&straight](const Composed& composed) {
    const Stage& stage = composed.stage();
    for (const Route& route : routes_of(stage)) {
      if (!route.curved) continue;
      const Point start = route.points.front();
      const Point end = route.points.back();
      const bool across = route.points[1].x != start.x;
      const float slant = across ? std::fabs(end.y - start.y) : std::fabs(end.x - start.x);
      ASSERT_TRUE(slant < 0.01F || slant > 6.0F) << slant << all_of(stage, route);
      if (slant > 6.0F) continue;
      ++straight;
      const Rect to = cells_of(stage, stage.groups[route.to]);
      const float place = across ? end.y : end.x;
      ASSERT_GE(place, across ? to.y : to.x) << all_of(stage, route);
      ASSERT_LE(place, across ? to.bottom() : to.right()) << all_of(stage, route);
    }
  });
  EXPECT_GT(straight, 100U);
}

/// How far a point is from a rectangle's edge, from outside or inside.
float from_edge(const Rect& rect, Point point) {
  const float x = std::clamp(point.x, rect.x, rect.right());
  const float y = std::clamp(point.y, rect.y, rect.bottom());
  const float outside = std::hypot(point.x - x, point.y - y);
  if (outside > 0.0F) return outside;
  return std::min(
      {point.x - rect.x, rect.right() - point.x, point.y - rect.y, rect.bottom() - point.y});
}

/// A group's matrices and, where samples lie under them, those.
std::vector<Rect> edges_of(const Stage& stage, std::size_t group) {
  const Group& of = stage.groups[group];
  std::vector<Rect> all;
  for (std::size_t i = 0; i < of.block_count; ++i)
    all.push_back(stage.blocks[of.first_block + i].cells);
  for (const Sheet& sheet : stage.sheets) {
    if (stage.blocks[sheet.over].group != group) continue;
    Rect& block = all[sheet.over - of.first_block];
    block = block.united(place_of(stage, sheet));
  }
  // The bias stands right of its weight and is left with it.
  if (group + 1 < stage.groups.size()) {
    const Group& next = stage.groups[group + 1];
    if (next.bounds.y == of.bounds.y && next.bounds.x > of.bounds.right() &&
        next.bounds.x < of.bounds.right() + 20.0F)
      all.push_back(stage.blocks[next.first_block].cells);
  }
  return all;
}

float nearest(const std::vector<Rect>& rects, Point point) {
  float least = 1000.0F;
  for (const Rect& rect : rects) least = std::min(least, from_edge(rect, point));
  return least;
}

// A line that ends in the air does not say what it joins.
TEST(Routes, TouchWhatTheyJoin) {
  for_each_composition([](const Composed& composed) {
    const Stage& stage = composed.stage();
    for (const Route& route : routes_of(stage)) {
      const Group& to = stage.groups[route.to];
      const Rect cells = cells_of(stage, to);
      const Point end = route.points.back();
      std::vector<Rect> target = edges_of(stage, route.to);
      // From above it arrives at the name, from the left at the labels where it has some.
      if (end.y < cells.y || to.bounds.x < cells.x - 2.0F) target = {to.bounds};
      ASSERT_LE(nearest(target, end), 3.1F) << names_of(stage, route) << all_of(stage, route);
      std::vector<Rect> source = edges_of(stage, route.from);
      const Rect from = cells_of(stage, stage.groups[route.from]);
      if (route.points.front().x < from.x) source = {stage.groups[route.from].bounds};
      ASSERT_LE(nearest(source, route.points.front()), 3.1F)
          << names_of(stage, route) << all_of(stage, route);
    }
  });
}

/// How often two lines cross, ends that they have in common apart.
std::size_t crossings(const Route& a, const Route& b) {
  if (a.from == b.from || a.to == b.to) return 0;
  const auto side = [](Point p, Point q, Point r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  const std::vector<Point> first = walk(a);
  const std::vector<Point> second = walk(b);
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    for (std::size_t j = 0; j + 1 < second.size(); ++j) {
      const Point p = first[i];
      const Point q = first[i + 1];
      const Point r = second[j];
      const Point s = second[j + 1];
      // Half open: a line through the corner between two pieces crosses one of them.
      const auto parted = [&](Point from, Point to, Point one, Point other) {
        return (side(from, to, one) < 0.0F) != (side(from, to, other) < 0.0F);
      };
      count += parted(p, q, r, s) && parted(r, s, p, q) ? 1U : 0U;
    }
  }
  return count;
}

// The values' way to the sums does not cut that of the scores.
TEST(Routes, AreNotTangledOnAWideMap) {
  for (const Space space : {Space{904.0F, 490.0F}, Space{888.0F, 516.0F}, Space{888.0F, 487.0F},
                            Space{1500.0F, 760.0F}}) {
    for (const lesson::Example& example : lesson::examples()) {
      const Session session = session_at(example.id, lesson::StepId::overview);
      const Stage stage = lay_out(session.attention(), session.document().view_state, space);
      const std::vector<Route> routes = routes_of(stage);
      for (std::size_t i = 0; i < routes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_EQ(crossings(routes[i], routes[j]), 0U)
              << example.name << ", " << space.width << " wide: " << names_of(stage, routes[i])
              << " and " << names_of(stage, routes[j]) << all_of(stage, routes[i])
              << all_of(stage, routes[j]);
        }
      }
    }
  }
}

// A curve is known as pieces, and a way round it can pass exactly where two of them meet.
TEST(Routes, ALineThroughTheCornerOfTwoPiecesIsCrossed) {
  const Lines lines{{{7, {{0.0F, 0.0F}, {10.0F, 5.0F}, {20.0F, 10.0F}}}}};
  EXPECT_EQ(lines.crossed_by({{10.0F, -20.0F}, {10.0F, 20.0F}}, 1), 1U);
  EXPECT_EQ(lines.crossed_by({{15.0F, -20.0F}, {15.0F, 20.0F}}, 1), 1U);
  EXPECT_EQ(lines.crossed_by({{25.0F, -20.0F}, {25.0F, 20.0F}}, 1), 0U);
  EXPECT_EQ(lines.crossed_by({{10.0F, -20.0F}, {10.0F, 20.0F}}, 7), 0U) << "they may meet there";
}

/// How far two lines that join nothing in common run along each other, closer than can be told
/// apart.
float shared_way(const Route& a, const Route& b) {
  if (a.curved || b.curved || a.from == b.from || a.to == b.to) return 0.0F;
  constexpr float apart = 3.0F;
  float shared = 0.0F;
  const auto along = [&](const Route& route, std::size_t i, bool upright) {
    const Point from = route.points[i];
    const Point to = route.points[i + 1];
    const float across = upright ? std::fabs(to.x - from.x) : std::fabs(to.y - from.y);
    const float begin = upright ? std::min(from.y, to.y) : std::min(from.x, to.x);
    const float end = upright ? std::max(from.y, to.y) : std::max(from.x, to.x);
    return across < 0.01F ? std::array{upright ? from.x : from.y, begin, end}
                          : std::array{0.0F, 0.0F, 0.0F};
  };
  for (const bool upright : {false, true}) {
    for (std::size_t i = 0; i + 1 < a.points.size(); ++i) {
      for (std::size_t j = 0; j + 1 < b.points.size(); ++j) {
        const auto [x, a_begin, a_end] = along(a, i, upright);
        const auto [y, b_begin, b_end] = along(b, j, upright);
        if (std::fabs(x - y) < apart)
          shared += std::max(0.0F, std::min(a_end, b_end) - std::max(a_begin, b_begin));
      }
    }
  }
  return shared;
}

TEST(Routes, DoNotRunAlongEachOther) {
  for_each_screen([](const Stage& stage) {
    const std::vector<Route> routes = routes_of(stage);
    for (std::size_t i = 0; i < routes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_EQ(shared_way(routes[i], routes[j]), 0.0F)
            << names_of(stage, routes[i]) << " along " << names_of(stage, routes[j])
            << all_of(stage, routes[i]);
      }
    }
  });
}

}  // namespace
}  // namespace stage
