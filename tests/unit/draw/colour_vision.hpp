// How colours look to whom: simulated dichromats, and the distance between two colours as people
// see it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "draw/theme.hpp"

namespace draw {

/// A linear map of linear RGB: what a reader without one kind of cone confuses, it makes equal.
using Vision = std::array<std::array<double, 3>, 3>;

inline constexpr Vision trichromat{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency", IEEE TVCG 15(6), 2009: severity 1.0.
inline constexpr Vision protanope{{{0.152286, 1.052583, -0.204868},
                                   {0.114503, 0.786281, 0.099216},
                                   {-0.003882, -0.048116, 1.051998}}};
inline constexpr Vision deuteranope{{{0.367322, 0.860646, -0.227968},
                                     {0.280085, 0.672501, 0.047413},
                                     {-0.011820, 0.042940, 0.968881}}};
inline constexpr Vision tritanope{{{1.255528, -0.076749, -0.178779},
                                   {-0.078411, 0.930809, 0.147602},
                                   {0.004733, 0.691367, 0.303900}}};

struct Lab {
  double lightness = 0.0;
  double a = 0.0;
  double b = 0.0;
};

inline double linear_light(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

/// CIE 1976 L*a*b* (white: D65) of a colour as that reader sees it.
inline Lab seen(Rgb colour, const Vision& vision) {
  const std::array<double, 3> rgb{linear_light(static_cast<double>(colour.red)),
                                  linear_light(static_cast<double>(colour.green)),
                                  linear_light(static_cast<double>(colour.blue))};
  std::array<double, 3> light{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) light[i] += vision[i][j] * rgb[j];
    light[i] = std::clamp(light[i], 0.0, 1.0);
  }
  const auto f = [](double t) {
    return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
  };
  const double x =
      f((0.4124564 * light[0] + 0.3575761 * light[1] + 0.1804375 * light[2]) / 0.95047);
  const double y = f(0.2126729 * light[0] + 0.7151522 * light[1] + 0.0721750 * light[2]);
  const double z =
      f((0.0193339 * light[0] + 0.1191920 * light[1] + 0.9503041 * light[2]) / 1.08883);
  return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

/// CIEDE2000: about 1 is just seen side by side, 10 is told apart at a glance. Sharma, Wu and
/// Dalal, "The CIEDE2000 Color-Difference Formula", Color Research & Application 30(1), 2005.
inline double difference(const Lab& first, const Lab& second) {
  constexpr double degree = std::numbers::pi / 180.0;
  const auto seventh = [](double c) {
    return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + 6103515625.0));
  };
  const double mean_c = (std::hypot(first.a, first.b) + std::hypot(second.a, second.b)) / 2.0;
  const double g = 1.5 - 0.5 * seventh(mean_c);
  const double c1 = std::hypot(g * first.a, first.b);
  const double c2 = std::hypot(g * second.a, second.b);
  const auto hue = [](double a, double b) {
    if (a == 0.0 && b == 0.0) return 0.0;
    const double angle = std::atan2(b, a) / degree;
    return angle < 0.0 ? angle + 360.0 : angle;
  };
  const double h1 = hue(g * first.a, first.b);
  const double h2 = hue(g * second.a, second.b);
  double dh = h2 - h1;
  double h = (h1 + h2) / 2.0;
  if (c1 * c2 == 0.0) {
    dh = 0.0;
    h = h1 + h2;
  } else if (std::abs(dh) > 180.0) {
    h += h1 + h2 < 360.0 ? 180.0 : -180.0;
    dh += dh > 0.0 ? -360.0 : 360.0;
  }
  const double c = (c1 + c2) / 2.0;
  const double l = (first.lightness + second.lightness) / 2.0;
  const double t = 1.0 - 0.17 * std::cos((h - 30.0) * degree) + 0.24 * std::cos(2.0 * h * degree) +
                   0.32 * std::cos((3.0 * h + 6.0) * degree) -
                   0.20 * std::cos((4.0 * h - 63.0) * degree);
  const double turn = 30.0 * std::exp(-std::pow((h - 275.0) / 25.0, 2));
  const double squared = (l - 50.0) * (l - 50.0);
  const double dl =
      (second.lightness - first.lightness) / (1.0 + 0.015 * squared / std::sqrt(20.0 + squared));
  const double dc = (c2 - c1) / (1.0 + 0.045 * c);
  const double d_hue =
      2.0 * std::sqrt(c1 * c2) * std::sin(dh / 2.0 * degree) / (1.0 + 0.015 * c * t);
  const double rotation = -std::sin(2.0 * turn * degree) * 2.0 * seventh(c);
  return std::sqrt(dl * dl + dc * dc + d_hue * d_hue + rotation * dc * d_hue);
}

}  // namespace draw
