// Panels under a finger, without a window: a list of forty buttons in a panel that shows five.
#include "app/input/touch_scroll.hpp"

#include <gtest/gtest.h>

#include "draw/headless.hpp"
#include "imgui.h"
#include "imgui_internal.h"

namespace app {
namespace {

class Fingers : public testing::Test {
 protected:
  Fingers() { frames(); }

  /// As many as ImGui needs to take in what it was told.
  void frames() {
    for (int i = 0; i < 4; ++i) {
      ImGui::EndFrame();
      ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
      ImGui::NewFrame();
      finger_.update();
      ImGui::SetNextWindowPos({100.0F, 100.0F});
      ImGui::SetNextWindowSize({200.0F, 200.0F});
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove);
      for (int row = 0; row < 40; ++row) {
        ImGui::PushID(row);
        if (ImGui::InvisibleButton("row", {150.0F, 34.0F})) pressed_ = row;
        ImGui::PopID();
      }
      scrolled_ = ImGui::GetScrollY();
      most_ = ImGui::GetScrollMaxY();
      ImGui::End();
    }
  }
  void move(float x, float y, ImGuiMouseSource source = ImGuiMouseSource_TouchScreen) {
    ImGui::GetIO().AddMouseSourceEvent(source);
    ImGui::GetIO().AddMousePosEvent(x, y);
    frames();
  }
  void button(bool down) {
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
    frames();
  }

  draw::Headless headless_;
  TouchScroll finger_;
  float scrolled_ = -1.0F;
  float most_ = 0.0F;
  int pressed_ = -1;
};

TEST_F(Fingers, ScrollUpAndDownAndPressNothing) {
  ASSERT_GT(most_, 1000.0F);
  move(200.0F, 250.0F);
  button(true);
  EXPECT_FALSE(finger_.scrolls());
  move(202.0F, 190.0F);
  EXPECT_TRUE(finger_.scrolls());
  EXPECT_EQ(scrolled_, 60.0F);
  move(260.0F, 150.0F);  // whatever it does sideways
  EXPECT_EQ(scrolled_, 100.0F);
  move(260.0F, 400.0F);
  EXPECT_EQ(scrolled_, 0.0F);
  move(260.0F, 200.0F);
  EXPECT_EQ(scrolled_, 50.0F);
  button(false);
  EXPECT_FALSE(finger_.scrolls());
  EXPECT_EQ(scrolled_, 50.0F);
  EXPECT_EQ(pressed_, -1);
  // What is tapped now stands where it was scrolled to.
  move(200.0F, 200.0F);
  button(true);
  button(false);
  EXPECT_GT(pressed_, 2);
}

TEST_F(Fingers, PressWhereTheyDoNotMove) {
  move(200.0F, 120.0F);
  button(true);
  move(201.0F, 122.0F);
  button(false);
  EXPECT_EQ(pressed_, 0);
  EXPECT_EQ(scrolled_, 0.0F);
}

TEST_F(Fingers, LeaveToThePageWhatIsNoScrolling) {
  for (const ImVec2 to :
       {ImVec2{120.0F, 230.0F}, ImVec2{200.0F, 290.0F}}) {  // sideways; at its end
    move(200.0F, 250.0F);
    button(true);
    move(to.x, to.y);
    move(to.x, 150.0F);
    EXPECT_FALSE(finger_.scrolls());
    button(false);
    EXPECT_EQ(scrolled_, 0.0F);
  }
}

TEST_F(Fingers, AreNoMouse) {
  move(200.0F, 250.0F, ImGuiMouseSource_Mouse);
  button(true);
  move(200.0F, 190.0F, ImGuiMouseSource_Mouse);
  EXPECT_FALSE(finger_.scrolls());
  EXPECT_EQ(scrolled_, 0.0F);
}

TEST_F(Fingers, AreTakenBackWhereAnotherComes) {
  move(200.0F, 250.0F);
  button(true);
  move(200.0F, 200.0F);
  ASSERT_TRUE(finger_.scrolls());
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  frames();
  EXPECT_FALSE(finger_.scrolls());
  button(false);
  EXPECT_EQ(scrolled_, 50.0F);
  EXPECT_EQ(ImGui::GetActiveID(), 0U);
}

TEST_F(Fingers, TwoOfThemMoveThePanelTheyAreOn) {
  EXPECT_FALSE(scroll_panel_at(50.0F, 50.0F, -40.0F));
  EXPECT_TRUE(scroll_panel_at(200.0F, 200.0F, -40.0F));
  frames();
  EXPECT_EQ(scrolled_, 40.0F);
  EXPECT_TRUE(scroll_panel_at(200.0F, 200.0F, -1e6F));
  frames();
  EXPECT_EQ(scrolled_, most_);
}

}  // namespace
}  // namespace app
