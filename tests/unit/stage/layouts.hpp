// Every layout there is to look at, made once for all tests of layouts.
#pragma once

#include "stage/scenes.hpp"

namespace stage {

/// One layout with everything it was made from.
struct Laid {
  const Scene* scene;
  document::ViewState view_state;
  const Screen* screen;
  Stage stage;

  std::string name() const { return name_of(*scene, view_state) + ", " + screen->name; }
};

inline std::vector<Laid> laid_out(const std::vector<Scene>& scenes) {
  std::vector<Laid> all;
  for (const Scene& scene : scenes) {
    for (const document::ViewState& view_state : looks_at(scene)) {
      for (const Screen& screen : screens) {
        all.push_back(
            {&scene, view_state, &screen, lay_out(scene.attention, view_state, screen.space())});
      }
    }
  }
  return all;
}

/// Everything the examples show, on all three screens.
inline const std::vector<Laid>& example_layouts() {
  static const std::vector<Laid> all = laid_out(example_scenes());
  return all;
}

inline const std::vector<Laid>& extreme_layouts() {
  static const std::vector<Laid> all = laid_out(extreme_scenes());
  return all;
}

template <typename Check>
void for_each_layout(Check check) {
  for (const std::vector<Laid>* all : {&example_layouts(), &extreme_layouts()}) {
    for (const Laid& laid : *all) {
      check(laid);
      if (testing::Test::HasFatalFailure()) FAIL() << laid.name();
    }
  }
}

}  // namespace stage
