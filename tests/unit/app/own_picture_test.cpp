// Pictures of the reader's own, without a window.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/api/api.hpp"
#include "app/app.hpp"
#include "imgui.h"
#include "lesson/input/patches.hpp"

namespace app {
namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

class OwnPicture : public testing::Test {
 public:
  OwnPicture() : context_(ImGui::CreateContext()), app_(std::make_unique<App>()) {}
  ~OwnPicture() override {
    app_.reset();
    ImGui::DestroyContext(context_);
  }
  OwnPicture(const OwnPicture&) = delete;
  OwnPicture& operator=(const OwnPicture&) = delete;

 protected:
  /// One colour all over.
  static Bytes plain(std::size_t width, std::size_t height, std::uint8_t red) {
    Bytes rgba(width * height * 4, 255);
    for (std::size_t i = 0; i < rgba.size(); i += 4) rgba[i] = red;
    return rgba;
  }
  void give(std::size_t width, std::size_t height, std::uint8_t red) {
    app_->picture_given(plain(width, height, red), width, height);
  }
  Json result(std::string_view method, const Json& arguments = Json::object()) {
    const Json json = Json::parse(Api(*app_).call(method, arguments.dump()), nullptr, false);
    EXPECT_TRUE(json.contains("result")) << json.dump();
    return json.value("result", Json());
  }
  const document::Configuration& configuration() const {
    return app_->session().document().configuration;
  }
  App& app() { return *app_; }

 private:
  ImGuiContext* context_;
  std::unique_ptr<App> app_;
};

TEST_F(OwnPicture, LeadsToImagePatchesAndBackInOneStep) {
  result("set", {{"example", "pool-beats-badminton"}});
  result("edit", {{"tensor", "query_input"}, {"index", {0, 0, 0}}, {"value", 2.5}});
  const Json before = result("state");
  give(40, 30, 51);
  EXPECT_EQ(configuration().example, lesson::ExampleId::image_patches);
  ASSERT_EQ(configuration().parameters.picture.size(), lesson::picture_bytes);
  EXPECT_EQ(configuration().parameters.picture[0], 51);
  EXPECT_EQ(configuration().parameters.picture[1], 255);
  EXPECT_EQ(app().message(), "");
  // The numbers are the picture's: 51 of 255 is −0.6.
  EXPECT_FLOAT_EQ(*app().session().attention().trace["query_input"].data(), -0.6F);
  const Json with_picture = result("state");
  EXPECT_NE(with_picture["picture"], "");
  result("undo");
  EXPECT_EQ(result("state")["example"], "pool-beats-badminton");
  EXPECT_EQ(result("state")["edits"], before["edits"]);
  result("redo");
  EXPECT_EQ(result("state")["picture"], with_picture["picture"]);
}

TEST_F(OwnPicture, TakesThePlaceOfTheLastOneAndLeavesTheStep) {
  result("set", {{"example", "image-patches"}, {"step", "scores"}, {"query", 5}});
  give(24, 24, 10);
  give(24, 24, 200);
  EXPECT_EQ(configuration().parameters.picture[0], 200);
  EXPECT_EQ(result("state")["step"], "scores");
  EXPECT_EQ(result("state")["query"], 5);
  result("undo");
  EXPECT_EQ(configuration().parameters.picture[0], 10);
  result("undo");
  EXPECT_TRUE(configuration().parameters.picture.empty());
  EXPECT_EQ(result("state")["example"], "image-patches");
}

TEST_F(OwnPicture, IsInTheLink) {
  give(24, 24, 77);
  const Json link = result("link");
  const Json state = result("state");
  ASSERT_TRUE(app().perform(document::SetPicture{}));
  EXPECT_TRUE(configuration().parameters.picture.empty());
  EXPECT_EQ(result("open", {{"link", link}})["problems"], Json::array());
  EXPECT_EQ(result("state"), state);
}

TEST_F(OwnPicture, WhatIsNoneIsSaidAndChangesNothing) {
  const Json before = result("state");
  app().refused("“x.txt” is not a picture.");
  EXPECT_EQ(app().message(), "“x.txt” is not a picture.");
  EXPECT_EQ(result("state"), before);
  const Bytes three(3);
  app().picture_given(three, 1, 1);
  EXPECT_NE(app().message(), "“x.txt” is not a picture.");
  EXPECT_TRUE(app().message().ends_with('.')) << app().message();
  EXPECT_EQ(result("state"), before);
  app().picture_given({}, 0, 0);
  EXPECT_TRUE(app().message().ends_with('.')) << app().message();
  EXPECT_EQ(result("state"), before);
  give(1, 1, 9);
  EXPECT_EQ(app().message(), "") << "the next good one takes it away";
}

}  // namespace
}  // namespace app
