#include "stage/layout/camera.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "evenly_spaced.hpp"

namespace stage {
namespace {

constexpr Rect viewport{24.0F, 208.0F, 880.0F, 470.0F};
constexpr std::array cameras{Camera{{0.0F, 0.0F}, 1.0F}, Camera{{431.5F, -77.25F}, 0.31F},
                             Camera{{1200.0F, 640.0F}, 2.5F}, Camera{{-3.0F, 9.0F}, 40.0F}};

void expect_near(Point a, Point b, float tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
}

TEST(Camera, PutsItsCentreInTheMiddleOfTheViewport) {
  for (const Camera& camera : cameras) {
    EXPECT_EQ(camera.to_screen(camera.centre, viewport), viewport.centre());
    EXPECT_EQ(camera.to_plane(viewport.centre(), viewport), camera.centre);
  }
}

TEST(Camera, EnlargesByItsZoom) {
  const Camera camera{{100.0F, 50.0F}, 2.0F};
  const Rect view{0.0F, 0.0F, 200.0F, 100.0F};
  EXPECT_EQ(camera.to_screen(Point{110.0F, 45.0F}, view), (Point{120.0F, 40.0F}));
  EXPECT_EQ(camera.to_screen(Rect{110.0F, 45.0F, 3.0F, 4.0F}, view),
            (Rect{120.0F, 40.0F, 6.0F, 8.0F}));
  EXPECT_EQ(camera.to_plane({120.0F, 40.0F}, view), (Point{110.0F, 45.0F}));
}

TEST(Camera, LeadsFromScreenToPlaneAndBack) {
  for (const Camera& camera : cameras) {
    for (const float x : evenly_spaced(-100.0F, 1400.0F, 61.7F)) {
      for (const float y : evenly_spaced(-100.0F, 900.0F, 43.1F)) {
        const Point plane = camera.to_plane({x, y}, viewport);
        // A hundredth of a pixel: floats of a few thousand are that fine, times the zoom.
        expect_near(camera.to_screen(plane, viewport), {x, y}, 0.01F);
        expect_near(camera.to_plane(camera.to_screen(Point{x, y}, viewport), viewport), {x, y},
                    0.01F);
      }
    }
  }
}

TEST(Framing, ShowsAllOfTheBoundsWithTheMargin) {
  for (const Rect& bounds : {Rect{0.0F, 0.0F, 300.0F, 200.0F}, Rect{-40.0F, 12.0F, 4000.0F, 90.0F},
                             Rect{5.0F, 5.0F, 12.0F, 3000.0F}, Rect{0.0F, 0.0F, 881.0F, 471.0F},
                             Rect{7.0F, 7.0F, 1.0F, 1.0F}}) {
    for (const float margin : {0.0F, 8.0F, 40.0F}) {
      const Camera camera = Camera::framing(bounds, viewport, margin, 1.0F);
      const Rect seen = camera.to_screen(bounds, viewport);
      const Rect room = viewport.inset(margin);
      EXPECT_LE(camera.zoom, 1.0F);
      EXPECT_GE(seen.x, room.x - 0.01F);
      EXPECT_GE(seen.y, room.y - 0.01F);
      EXPECT_LE(seen.right(), room.right() + 0.01F);
      EXPECT_LE(seen.bottom(), room.bottom() + 0.01F);
      expect_near(seen.centre(), viewport.centre(), 0.01F);
    }
  }
}

TEST(Framing, IsAsLargeAsPossible) {
  const Rect wide{0.0F, 0.0F, 4000.0F, 90.0F};
  EXPECT_FLOAT_EQ(Camera::framing(wide, viewport, 8.0F, 1.0F).zoom, 864.0F / 4000.0F);
  const Rect high{0.0F, 0.0F, 12.0F, 3000.0F};
  EXPECT_FLOAT_EQ(Camera::framing(high, viewport, 8.0F, 1.0F).zoom, 454.0F / 3000.0F);
  const Rect small{0.0F, 0.0F, 20.0F, 10.0F};
  EXPECT_EQ(Camera::framing(small, viewport, 8.0F, 1.0F).zoom, 1.0F);
  EXPECT_EQ(Camera::framing(small, viewport, 8.0F, 6.0F).zoom, 6.0F);
}

TEST(Framing, HasAZoomEvenWhereThereIsNoRoom) {
  for (const Rect& view : {Rect{}, Rect{0.0F, 0.0F, 5.0F, 300.0F}}) {
    for (const Rect& bounds : {Rect{}, Rect{0.0F, 0.0F, 300.0F, 200.0F}}) {
      const Camera camera = Camera::framing(bounds, view, 8.0F, 1.0F);
      EXPECT_GT(camera.zoom, 0.0F);
      EXPECT_TRUE(std::isfinite(camera.zoom));
    }
  }
}

TEST(Zooming, KeepsWhatLiesUnderThePointer) {
  for (const Camera& camera : cameras) {
    for (const float factor : {0.02F, 0.8F, 1.0F, 1.2F, 9.0F, 500.0F}) {
      for (const Point at : {Point{24.0F, 208.0F}, Point{500.5F, 333.0F}, Point{903.0F, 677.0F}}) {
        const Point fixed = camera.to_plane(at, viewport);
        const Camera zoomed = camera.zoomed_at(at, factor, viewport, 0.1F, 400.0F);
        // Half a pixel at a zoom of 400 is a thousandth of a stage unit.
        expect_near(zoomed.to_screen(fixed, viewport), at, 0.5F);
        EXPECT_GE(zoomed.zoom, 0.1F);
        EXPECT_LE(zoomed.zoom, 400.0F);
      }
    }
  }
}

TEST(Zooming, MultipliesWithinTheLimits) {
  const Camera camera{{10.0F, 20.0F}, 2.0F};
  EXPECT_FLOAT_EQ(camera.zoomed_at({300.0F, 300.0F}, 1.5F, viewport, 0.5F, 10.0F).zoom, 3.0F);
  EXPECT_EQ(camera.zoomed_at({300.0F, 300.0F}, 100.0F, viewport, 0.5F, 10.0F).zoom, 10.0F);
  EXPECT_EQ(camera.zoomed_at({300.0F, 300.0F}, 0.001F, viewport, 0.5F, 10.0F).zoom, 0.5F);
}

TEST(Panning, MovesThePictureWithThePointer) {
  for (const Camera& camera : cameras) {
    const Point plane = camera.to_plane({400.0F, 400.0F}, viewport);
    const Camera panned = camera.panned(37.0F, -21.0F);
    expect_near(panned.to_screen(plane, viewport), {437.0F, 379.0F}, 0.01F);
    EXPECT_EQ(panned.zoom, camera.zoom);
  }
}

}  // namespace
}  // namespace stage
