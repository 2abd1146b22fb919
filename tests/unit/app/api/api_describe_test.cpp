// What the API says of what is shown, without a window.
#include "app/api/api_describe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "app/api/api.hpp"
#include "app/app.hpp"
#include "document/state/state.hpp"
#include "imgui.h"
#include "lesson/steps/formula_speech.hpp"
#include "stage/scene/number_text.hpp"

namespace app {
namespace {

using Json = nlohmann::json;

class ApiDescribe : public testing::Test {
 public:
  ApiDescribe() : context_(ImGui::CreateContext()), app_(std::make_unique<App>()) {}
  ~ApiDescribe() override {
    app_.reset();
    ImGui::DestroyContext(context_);
  }
  ApiDescribe(const ApiDescribe&) = delete;
  ApiDescribe& operator=(const ApiDescribe&) = delete;

 protected:
  App& app() { return *app_; }
  Json answer(std::string_view method, const Json& arguments) {
    return Json::parse(Api(*app_).call(method, arguments.dump()), nullptr, false);
  }
  Json result(std::string_view method, const Json& arguments = Json::object()) {
    const Json json = answer(method, arguments);
    EXPECT_TRUE(json.contains("result")) << method << ": " << json.dump();
    return json.value("result", Json());
  }
  std::string error(std::string_view method, const Json& arguments) {
    const Json json = answer(method, arguments);
    EXPECT_TRUE(json.contains("error")) << method << ": " << json.dump();
    std::string text = json.value("error", "");
    EXPECT_TRUE(text.ends_with('.')) << text;
    return text;
  }

 private:
  ImGuiContext* context_;
  std::unique_ptr<App> app_;
};

// A mistake that does nothing here would look like a switch that does nothing.
TEST_F(ApiDescribe, TellsWhyAMistakeChangesNothing) {
  result("set", {{"example", "gender-and-number"}});
  const auto notice = [&](const char* mistake) {
    result("set", {{"mistake", mistake}});
    return result("describe")["notice"].get<std::string>();
  };
  EXPECT_EQ(notice("no-scale"), "");
  EXPECT_NE(notice("mask-with-zero").find("no key is hidden"), std::string::npos);
  result("set", {{"mask", "look-ahead"}, {"mistake", "none"}});
  EXPECT_EQ(result("describe")["notice"], "");
  EXPECT_EQ(notice("mask-with-zero"), "");
  result("set", {{"example", "you-are-welcome"}, {"sample", 0}});
  EXPECT_NE(notice("mask-with-zero").find("Choose sample 1"), std::string::npos);
  // It overflows for large scores only.
  EXPECT_NE(notice("naive-softmax").find("changes no number"), std::string::npos);
}

// A step that is leapt to may show another attention or sample, where it has something to show.
TEST_F(ApiDescribe, SaysWhereAStepLanded) {
  result("set", {{"example", "you-are-welcome"}, {"step", "sentence"}});
  const auto notice = [this](lesson::StepId step) {
    EXPECT_TRUE(app().perform(document::ChooseStep{step}));
    return std::string(result("describe")["notice"]);
  };
  EXPECT_EQ(notice(lesson::StepId::mask), "This step shows sample 1, in which a key is hidden.");
  EXPECT_EQ(notice(lesson::StepId::output), "") << "back where the example opens";
  EXPECT_EQ(notice(lesson::StepId::scale),
            "This step shows another attention, one in which √D and √Lk are different numbers.");
  EXPECT_EQ(notice(lesson::StepId::mask), "") << "the next step is no leap";
}

TEST_F(ApiDescribe, TellsWhatTheLastEditChanged) {
  result("set", {{"example", "pool-beats-badminton"}});
  EXPECT_EQ(result("describe")["changed"], "");
  result("edit", {{"tensor", "query_input"}, {"index", {0, 0, 0}}, {"value", 2.5}});
  const std::string changed = result("describe")["changed"];
  EXPECT_EQ(changed, "The last edit changed: scores, attention_weights, head_outputs, output.");
  result("set", {{"step", "output"}});
  EXPECT_EQ(result("describe")["changed"], changed) << "still true";
  result("undo");
  EXPECT_EQ(result("describe")["changed"], "");
}

TEST_F(ApiDescribe, TellsTheStepInWords) {
  result("set", {{"example", "you-are-welcome"}, {"step", "scores"}});
  const Json told = result("describe");
  EXPECT_EQ(told["example"]["id"], "you-are-welcome");
  EXPECT_EQ(told["step"]["id"], "scores");
  EXPECT_EQ(told["step"]["title"], "Compare every query with every key");
  EXPECT_EQ(told["step"]["spoken"], lesson::spoken(told["step"]["formula"].get<std::string>()));
  EXPECT_EQ(told["attention"], "encoder_self_attention");
  EXPECT_EQ(told["chosen"], Json(nullptr));
  EXPECT_EQ(told["message"], "");
  result("set", {{"cell", {{"tensor", "scores"}, {"index", {0, 0, 1, 2}}}}});
  const Json chosen = result("describe")["chosen"];
  EXPECT_EQ(chosen["tensor"], "scores");
  EXPECT_TRUE(chosen["text"].get<std::string>().starts_with("scores, sample 0, head 0, query are"))
      << chosen;
}

// What has the focus, and the cells that it was made of, each of which one can go to.
TEST_F(ApiDescribe, TellsTheFocusAndGoesToWhatItWasMadeOf) {
  result("set", {{"step", "scores"}, {"cell", {{"tensor", "scores"}, {"index", {0, 1, 1, 2}}}}});
  Json told = result("describe");
  EXPECT_EQ(told["focus"]["tensor"], "scores");
  EXPECT_EQ(told["focus"]["index"], (Json{0, 1, 1, 2}));
  EXPECT_TRUE(told["focus"]["text"].get<std::string>().starts_with("scores[1, 1, 2] = "));
  const Json sources = told["focus"]["sources"];
  ASSERT_EQ(sources.size(), 6U);
  EXPECT_EQ(sources[1]["tensor"], "k_heads");
  EXPECT_TRUE(sources[1]["text"].get<std::string>().starts_with("k_heads, "));
  // It is in this step.
  result("go", {{"tensor", "k_heads"}, {"index", {0, 1, 2, 1}}});
  Json state = result("state");
  EXPECT_EQ(state["step"], "scores");
  EXPECT_EQ(state["cell"]["tensor"], "k_heads");
  EXPECT_EQ(state["key"], 2);
  // That is made in another one, of the keys.
  result("go", {{"tensor", "k"}, {"index", {0, 1, 4}}});
  state = result("state");
  EXPECT_EQ(state["step"], "project");
  EXPECT_EQ(state["projection"], "k");
  EXPECT_EQ(state["cell"]["tensor"], "k");
  EXPECT_EQ(state["head"], 1);
  EXPECT_EQ(error("go", {{"tensor", "k"}, {"index", {0, 9, 4}}}), "index lies outside the tensor.");
}

// Every matrix that is told of can be read: its first and its last cell are where it says.
TEST_F(ApiDescribe, TellsMatricesThatCanBeRead) {
  const Json choices = result("choices");
  ASSERT_EQ(choices["examples"].size(), 13U);
  ASSERT_EQ(choices["steps"].size(), 13U);
  for (const Json& example : choices["examples"]) {
    if (!example["loaded"]) continue;
    result("set", {{"example", example["id"]}});
    for (const Json& step : choices["steps"]) {
      result("set", {{"step", step["id"]}});
      const Json told = result("describe");
      const std::string where = example["id"].dump() + ' ' + step["id"].dump();
      ASSERT_FALSE(told["blocks"].empty()) << where;
      for (const Json& block : told["blocks"]) {
        const auto rows = block["rows"].get<std::size_t>();
        const auto columns = block["columns"].get<std::size_t>();
        Json window{{"attention", block["attention"]},
                    {"tensor", block["tensor"]},
                    {"corner", block["corner"]},
                    {"row_axis", block["row_axis"]},
                    {"column_axis", block["column_axis"]},
                    {"rows", 1},
                    {"columns", 1}};
        if (!block["row_axis"].is_null()) {
          const auto axis = block["row_axis"].get<std::size_t>();
          window["corner"][axis] = window["corner"][axis].get<std::size_t>() + rows - 1;
        }
        if (!block["column_axis"].is_null()) {
          const auto axis = block["column_axis"].get<std::size_t>();
          window["corner"][axis] = window["corner"][axis].get<std::size_t>() + columns - 1;
        }
        const Json cells = result("cells", window);
        const Json explained = result("explain", {{"attention", block["attention"]},
                                                  {"tensor", block["tensor"]},
                                                  {"index", window["corner"]}});
        EXPECT_EQ(cells["values"][0][0], explained["value"]) << where << block.dump();
        const auto text = explained["text"].get<std::string>();
        EXPECT_NE(text.find(": " + cells["texts"][0][0].get<std::string>()), std::string::npos)
            << where << text;
        const std::size_t row_words = block["row_labels"].size();
        const std::size_t column_words = block["column_labels"].size();
        EXPECT_TRUE(row_words == 0 || row_words == rows) << where << block.dump();
        EXPECT_TRUE(column_words == 0 || column_words == columns) << where << block.dump();
        if (block["tensor"] == "scores") {
          EXPECT_EQ(row_words, rows) << where << block.dump();
          // One query's scores, set as a column by a figure, walk no second axis.
          const bool walks = !block["column_axis"].is_null();
          EXPECT_EQ(column_words, walks ? columns : 0U) << where << block.dump();
        }
        EXPECT_FALSE(block["title"].get<std::string>().empty());
      }
    }
  }
}

TEST_F(ApiDescribe, TellsWhatCanBeChosen) {
  result("set", {{"example", "you-are-welcome"}, {"attention", "cross_attention"}});
  const Json choices = result("choices");
  EXPECT_EQ(choices["attentions"].size(), 3U);
  EXPECT_EQ(choices["attentions"][2]["label"], "cross attention");
  EXPECT_EQ(choices["heads"], 2);
  EXPECT_EQ(choices["samples"], 2);
  EXPECT_EQ(choices["query_tokens"].size(), 2U);
  EXPECT_EQ(choices["key_tokens"].size(), 3U);
  EXPECT_EQ(choices["masks"], Json({"none", "padding", "look-ahead", "both"}));
  EXPECT_EQ(choices["mistakes"].size(), 9U);
  result("reset");
  result("set", {{"scale", "none"}});
  EXPECT_EQ(result("choices")["can_undo"], true);
  // What is offered is taken.
  for (const Json& scale : choices["scales"]) result("set", {{"scale", scale["id"]}});
  for (const Json& mask : choices["masks"]) result("set", {{"mask", mask}});
}

TEST_F(ApiDescribe, OffersTheStepsThatAnAuthorChose) {
  EXPECT_EQ(result("steps").size(), lesson::step_count);
  const Json two({"scores", "softmax"});
  EXPECT_EQ(result("steps", {{"steps", {"softmax", "scores"}}}), two);
  const Json choices = result("choices");
  Json offered = Json::array();
  for (const Json& step : choices["steps"]) offered.push_back(step["id"]);
  EXPECT_EQ(offered, two);
  for (const Json& wrong : {Json("scores"), Json({"scores", "soft"}), Json({1})}) {
    EXPECT_NE(error("steps", {{"steps", wrong}}).find("reweight"), std::string::npos);
    EXPECT_EQ(result("steps"), two);
  }
  EXPECT_EQ(result("steps", {{"steps", Json::array()}}).size(), lesson::step_count);
}

TEST_F(ApiDescribe, ShowsTheChosenParts) {
  const Json all = {"bar", "text", "heads", "legend", "panel", "steps"};
  EXPECT_EQ(result("parts"), all);
  EXPECT_EQ(result("parts", {{"parts", {"steps", "text"}}}), Json({"text", "steps"}));
  for (const Json& wrong : {Json("all"), Json({"stage"}), Json({1}), Json(nullptr)}) {
    EXPECT_NE(error("parts", {{"parts", wrong}}).find("legend"), std::string::npos);
    EXPECT_EQ(result("parts"), Json({"text", "steps"}));
  }
  EXPECT_EQ(result("parts", {{"parts", Json::array()}}), Json::array());
  EXPECT_EQ(result("parts", {{"parts", all}}), all);
}

TEST_F(ApiDescribe, Plays) {
  EXPECT_EQ(result("play", {{"on", true}}), true);
  EXPECT_EQ(result("play", {{"on", true}}), true);
  EXPECT_EQ(result("describe")["playing"], true);
  EXPECT_EQ(result("play", {{"on", false}}), false);
  error("play", {{"on", 1}});
  EXPECT_EQ(result("describe")["speed"], 1.0);
  EXPECT_EQ(result("play", {{"on", false}, {"speed", 0.5}}), false);
  EXPECT_EQ(result("describe")["speed"], 0.5);
  EXPECT_EQ(error("play", {{"on", true}, {"speed", 3}}), "speed must be 0.5, 1 or 2.");
  EXPECT_EQ(result("describe")["playing"], false) << "nothing was done";
  EXPECT_EQ(result("pointed"), Json(nullptr));
}

TEST_F(ApiDescribe, PlaysAStepOnceUntilSomethingIsDone) {
  result("set", {{"step", "sentence"}, {"scrub", 0.5}});
  for (const Json& change : {Json{{"query", 1}}, Json{{"step", "scores"}}}) {
    EXPECT_EQ(result("play", {{"on", true}, {"once", true}}), true);
    EXPECT_EQ(result("state")["scrub"], 0.0);
    result("set", change);
    EXPECT_EQ(result("state")["scrub"], 1.0) << "the picture is whole";
    EXPECT_EQ(result("describe")["playing"], false);
  }
  EXPECT_EQ(result("play", {{"on", true}, {"once", true}}), true);
  result("set", {{"scrub", 0.25}});
  EXPECT_EQ(result("state")["scrub"], 0.25) << "but where another progress is asked for";
  EXPECT_EQ(error("play", {{"on", true}, {"once", 1}}), "once must be true or false.");
}

TEST_F(ApiDescribe, SavesWhatIsThere) {
  result("set", {{"example", "you-are-welcome"}});
  EXPECT_EQ(result("save", {{"tensor", "scores"}, {"head", 1}, {"as", "png"}}), Json(nullptr));
  EXPECT_EQ(result("save", {{"tensor", "scores"}, {"head", nullptr}, {"as", "svg"}}),
            Json(nullptr));
  EXPECT_EQ(result("save", {{"as", "svg"}}), Json(nullptr));
  EXPECT_EQ(error("save", {{"as", "webm"}}), "A film can be recorded only on a page.");
  EXPECT_EQ(error("save", {{"tensor", "scores"}, {"as", "gif"}}),
            "as must be png, svg, webm or safetensors.");
  EXPECT_EQ(error("save", {{"tensor", "scores"}, {"head", 2}, {"as", "png"}}),
            "head must be a whole number from 0 to 1.");
  error("save", {{"tensor", "nothing"}, {"as", "png"}});
}

TEST_F(ApiDescribe, RefusesCellsThatAreNotThere) {
  result("set", {{"example", "pool-beats-badminton"}});
  const Json good{{"tensor", "scores"}, {"corner", {0, 0, 0, 0}},
                  {"row_axis", 2},      {"column_axis", 3},
                  {"rows", 3},          {"columns", 3}};
  const Json cells = result("cells", good);
  EXPECT_EQ(cells["texts"][0], Json({"0.310", "0.140", "0.300"}));
  const auto with = [&good](const char* name, const Json& value) {
    Json changed = good;
    changed[name] = value;
    return changed;
  };
  EXPECT_EQ(error("cells", with("rows", 4)), "The window reaches out of the tensor.");
  EXPECT_NE(error("cells", with("rows", 17)).find("16"), std::string::npos);
  error("cells", with("columns", 0));
  error("cells", with("columns", -1));
  error("cells", with("row_axis", 4));
  error("cells", with("row_axis", "2"));
  error("cells", with("corner", Json::array()));
  error("cells", with("corner", {0, 0}));
  error("cells", with("tensor", "nothing"));
  error("cells", with("tensor", "mask"));
  error("cells", with("attention", "cross_attention"));
  error("explain", {{"tensor", "scores"}, {"index", {0, 0, 0, 3}}});
  error("explain", {{"tensor", "mask"}, {"index", {0, 0, 0, 0}}});
}

}  // namespace
}  // namespace app
