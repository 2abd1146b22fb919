#include "draw/panels/training/heat_maps.hpp"

#include <gtest/gtest.h>

#include "draw/headless.hpp"

namespace draw {
namespace {

/// What the maps of an example take of a place of this height.
float width_of(const Headless& headless, lesson::ExampleId example, float height) {
  document::Session session(document::document_of(document::fresh(example, 0)));
  document::perform(session, document::ChooseStep{lesson::StepId::softmax});
  float width = 0.0F;
  on_screen(headless, session, 1280.0F, 800.0F,
            [&](const Screen& screen) { width = HeatMaps(screen).width(height); });
  return width;
}

// Letters stand beside and above each map, whole words beside the first one, if its rows are high
// enough for them.
TEST(HeatMaps, TakeRoomForWordsBesideTheirRows) {
  const Headless headless;
  ImGui::EndFrame();
  const float letters = width_of(headless, lesson::ExampleId::reverse, 124.0F);
  const float words = width_of(headless, lesson::ExampleId::agree, 124.0F);
  EXPECT_GT(words, letters + 20.0F);
  EXPECT_LT(words, letters + 65.0F);
  EXPECT_EQ(width_of(headless, lesson::ExampleId::agree, 80.0F),
            width_of(headless, lesson::ExampleId::reverse, 80.0F));
  ImGui::NewFrame();
}

}  // namespace
}  // namespace draw
