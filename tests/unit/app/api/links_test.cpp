// Links through the API, without a window.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/api/api.hpp"
#include "app/app.hpp"
#include "document/link/link.hpp"
#include "imgui.h"

namespace app {
namespace {

using Json = nlohmann::json;

class Links : public testing::Test {
 public:
  Links() : context_(ImGui::CreateContext()), app_(std::make_unique<App>()) {}
  ~Links() override {
    app_.reset();
    ImGui::DestroyContext(context_);
  }
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

 protected:
  Json answer(std::string_view method, const Json& arguments = Json::object()) {
    return Json::parse(Api(*app_).call(method, arguments.dump()), nullptr, false);
  }
  Json result(std::string_view method, const Json& arguments = Json::object()) {
    const Json json = answer(method, arguments);
    EXPECT_TRUE(json.contains("result")) << json.dump();
    return json.value("result", Json());
  }

 private:
  ImGuiContext* context_;
  std::unique_ptr<App> app_;
};

TEST_F(Links, WhatIsOpenedIsWhatWasLinked) {
  EXPECT_EQ(result("link"), "#v=1&example=you-are-welcome&step=overview");
  result("set",
         {{"step", "softmax"}, {"head", 1}, {"query", 2}, {"scale", "none"}, {"scrub", 0.5}});
  const Json state = result("state");
  const Json link = result("link");
  result("set", {{"example", "pool-beats-badminton"}, {"theme", "dark"}});
  const Json opened = result("open", {{"link", link}});
  EXPECT_EQ(opened["problems"], Json::array());
  EXPECT_EQ(opened["state"], state);
  EXPECT_EQ(result("state"), state);
  EXPECT_EQ(result("message"), "");
  result("undo");
  EXPECT_EQ(result("state")["example"], "pool-beats-badminton");
}

TEST_F(Links, WhatTheProgramBeginsWithCannotBeUndone) {
  result("open", {{"link", "#example=counting&step=split"}, {"begins", true}});
  EXPECT_FALSE(result("choices")["can_undo"].get<bool>());
  result("undo");
  EXPECT_EQ(result("state")["example"], "counting");
  result("open", {{"link", "#example=lazy-dog"}});
  EXPECT_TRUE(result("choices")["can_undo"].get<bool>());
  result("undo");
  EXPECT_EQ(result("state")["example"], "counting");
  EXPECT_EQ(answer("open", {{"link", ""}, {"begins", 1}})["error"],
            "begins must be true or false.");
}

TEST_F(Links, WhatCannotBeUsedIsToldAndShown) {
  const Json opened = result("open", {{"link", "#step=mask&head=9&colour=red"}});
  EXPECT_EQ(opened["state"]["step"], "mask");
  ASSERT_EQ(opened["problems"].size(), 2U);
  EXPECT_EQ(result("message"), opened["problems"][0].get<std::string>() + "\n" +
                                   opened["problems"][1].get<std::string>());
  result("open", {{"link", "#step=softmax"}});
  EXPECT_EQ(result("message"), "") << "the next good one takes it away";
  result("open", {{"link", "#a=1&b=1&c=1&d=1&step=mask"}});
  EXPECT_TRUE(result("message").get<std::string>().ends_with("\n… and 1 more."));
}

TEST_F(Links, ALinkIsPutIntoTheStateAsAWholeOrNotAtAll) {
  result("set", {{"example", "counting"}, {"query", 1}});
  const Json changed = result("change", {{"link", "#step=split&theme=dark"}});
  EXPECT_EQ(changed["step"], "split");
  EXPECT_EQ(changed["query"], 1);
  const Json refused = answer("change", {{"link", "#step=mask&head=9"}});
  EXPECT_TRUE(refused["error"].get<std::string>().starts_with("head 9 is not there"));
  EXPECT_EQ(result("state"), changed);
}

TEST_F(Links, ArgumentsThatAreNone) {
  EXPECT_EQ(answer("change")["error"], "link must be text.");
  EXPECT_EQ(answer("open")["error"], "link must be text.");
  EXPECT_EQ(answer("open", {{"link", 3}})["error"], "link must be text.");
  EXPECT_EQ(answer("open", {{"link", std::string(200'000, 'x')}})["error"],
            "The arguments are longer than 131072 bytes.");
  const Json opened = result("open", {{"link", std::string(document::max_link_bytes + 1, 'x')}});
  EXPECT_EQ(opened["problems"].size(), 1U);
}

}  // namespace
}  // namespace app
