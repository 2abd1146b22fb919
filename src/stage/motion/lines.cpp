#include "stage/motion/lines.hpp"

#include <algorithm>
#include <cmath>

namespace stage {

namespace {

bool cross(Point a, Point b, Point c, Point d) {
  const auto side = [](Point p, Point q, Point r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  // A line through the corner between two pieces crosses one of them, not none.
  const auto parted = [&](Point p, Point q, Point r, Point s) {
    return (side(p, q, r) < 0.0F) != (side(p, q, s) < 0.0F);
  };
  return parted(a, b, c, d) && parted(c, d, a, b);
}

}  // namespace

Point along(const std::vector<Point>& curve, float t) {
  const float u = 1.0F - t;
  const auto at = [t, u](float a, float b, float c, float d) {
    return u * u * u * a + 3.0F * u * u * t * b + 3.0F * u * t * t * c + t * t * t * d;
  };
  return {at(curve[0].x, curve[1].x, curve[2].x, curve[3].x),
          at(curve[0].y, curve[1].y, curve[2].y, curve[3].y)};
}

std::vector<Point> pieces_of(const Route& route) {
  if (!route.curved) return route.points;
  constexpr int count = 16;
  std::vector<Point> points;
  for (int i = 0; i <= count; ++i)
    points.push_back(along(route.points, static_cast<float>(i) / static_cast<float>(count)));
  return points;
}

bool Lines::is_along(float y, float from, float to, std::size_t target) const {
  constexpr float apart = 3.5F;
  const auto on_it = [&](Point a, Point b) {
    return a.y == b.y && std::fabs(a.y - y) < apart &&
           std::min(std::max(a.x, b.x), std::max(from, to)) >
               std::max(std::min(a.x, b.x), std::min(from, to));
  };
  for (const Line& line : all) {
    for (std::size_t i = 0; line.to != target && i + 1 < line.pieces.size(); ++i) {
      if (on_it(line.pieces[i], line.pieces[i + 1])) return true;
    }
  }
  return false;
}

std::size_t Lines::crossed_by(const std::vector<Point>& way, std::size_t to) const {
  std::size_t count = 0;
  for (const Line& line : all) {
    if (line.to == to) continue;
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      for (std::size_t j = 0; j + 1 < line.pieces.size(); ++j)
        count += cross(way[i], way[i + 1], line.pieces[j], line.pieces[j + 1]) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace stage
