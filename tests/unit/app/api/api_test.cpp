// The API without a window: everything but what the last frame showed.
#include "app/api/api.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/app.hpp"
#include "document/state/state.hpp"
#include "imgui.h"
#include "lesson/input/random.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace app {
namespace {

using Json = nlohmann::json;

/// A program that no frame has been asked of. There is no GL context.
class ApiTest : public testing::Test {
 public:
  ApiTest() : context_(ImGui::CreateContext()), app_(std::make_unique<App>()) {}
  ~ApiTest() override {
    app_.reset();
    ImGui::DestroyContext(context_);
  }
  ApiTest(const ApiTest&) = delete;
  ApiTest& operator=(const ApiTest&) = delete;

 protected:
  /// The whole answer: an object with `result` or `error`, never both.
  Json answer(std::string_view method, const std::string& arguments = "{}") {
    Json json = Json::parse(app::Api(*app_).call(method, arguments), nullptr, false);
    EXPECT_TRUE(json.is_object()) << method;
    EXPECT_EQ(json.size(), 1U) << json.dump();
    EXPECT_TRUE(json.contains("result") || json.contains("error")) << json.dump();
    return json;
  }
  Json result(std::string_view method, const std::string& arguments = "{}") {
    const Json json = answer(method, arguments);
    EXPECT_TRUE(json.contains("result")) << method << ' ' << arguments << ": " << json.dump();
    return json.value("result", Json());
  }
  /// One clear sentence, after which nothing has changed.
  std::string error(std::string_view method, const std::string& arguments = "{}") {
    const Json before = result("state");
    const Json json = answer(method, arguments);
    EXPECT_TRUE(json.contains("error"))
        << method << ' ' << arguments.substr(0, 200) << ": " << json.dump();
    std::string text = json.value("error", "");
    EXPECT_TRUE(text.ends_with('.')) << text;
    EXPECT_LT(text.size(), 400U) << text;
    EXPECT_EQ(result("state"), before) << method;
    return text;
  }

  App& program() { return *app_; }

 private:
  ImGuiContext* context_;
  std::unique_ptr<App> app_;
};

TEST_F(ApiTest, TellsTheState) {
  const Json state = result("state");
  EXPECT_EQ(state["example"], "you-are-welcome");
  EXPECT_EQ(state["step"], "overview");
  EXPECT_EQ(state["edits"], Json::array());
  EXPECT_EQ(state.dump(), Json::parse(document::state_json(program().session().document(),
                                                           program().session().computed())
                                          .dump())
                              .dump());
  EXPECT_EQ(app::Api(program()).call("state", ""), app::Api(program()).call("state", "{}"));
}

TEST_F(ApiTest, SetsAPartOfTheState) {
  const Json state = result(
      "set", R"({"example": "pool-beats-badminton", "variant": "scaled", "step": "softmax"})");
  EXPECT_EQ(state["example"], "pool-beats-badminton");
  EXPECT_EQ(state["variant"], "scaled");
  EXPECT_EQ(state["step"], "softmax");
  EXPECT_EQ(result("state"), state);
  EXPECT_EQ(result("set", "{}"), state);
  EXPECT_EQ(result("set", state.dump()), state);  // the whole state, as told
}

TEST_F(ApiTest, RefusesAStateThatIsNone) {
  EXPECT_NE(error("set", R"({"step": "lunch"})").find("lunch"), std::string::npos);
  EXPECT_NE(error("set", R"({"steps": "softmax"})").find("steps"), std::string::npos);
  error("set", R"({"head": 17})");
  error("set", R"({"head": -1})");
  error("set", R"({"query": 1.5})");
  error("set", R"({"example": "your-sentence", "sentence": ""})");
  error("set", R"({"example": "your-sentence", "num_heads": 3})");
  error("set", R"({"step": "softmax", "head": "two"})");
  error(
      "set",
      R"({"edits": [{"attention": "cross_attention", "tensor": "q", "index": [0,0,0], "value": 1}]})");
  EXPECT_FALSE(result("message").get<std::string>().empty());  // the last one is on screen
  result("set", R"({"step": "softmax"})");
  EXPECT_EQ(result("message"), "");
}

TEST_F(ApiTest, EditsACell) {
  const Json state = result(
      "edit",
      R"({"attention": "encoder_self_attention", "tensor": "q_proj_weight", "index": [1, 2], "value": 2.5})");
  ASSERT_EQ(state["edits"].size(), 1U);
  EXPECT_EQ(state["edits"][0]["value"], 2.5);
  const auto tensor = app::Api(program()).tensor("encoder_self_attention.q_proj_weight");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->tensor.at({1, 2}), 2.5F);
  EXPECT_EQ(result("undo")["edits"], Json::array());
  EXPECT_EQ(result("redo"), state);
  EXPECT_EQ(result("reset")["edits"], Json::array());
}

TEST_F(ApiTest, HidesAKey) {
  const Json state = result(
      "edit",
      R"({"attention": "cross_attention", "tensor": "mask", "index": [0, 1, 0, 2], "value": "-Infinity"})");
  EXPECT_EQ(state["edits"][0]["value"], "-Infinity");
  const auto weights = app::Api(program()).tensor("cross_attention.attention_weights");
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->tensor.at({0, 0, 0, 2}), 0.0F);
  EXPECT_EQ(weights->tensor.at({0, 1, 0, 2}), 0.0F);  // a mask holds for all heads
}

TEST_F(ApiTest, MakesAMistakeThatIsToBeGuessed) {
  error("guess", R"({"mistake": "no-scale"})");  // nothing is to be guessed
  result("set", R"({"example": "pool-beats-badminton", "mistake": "no-scale"})");
  const Json begun = result("begin_guessing");
  EXPECT_EQ(begun["guessing"], true);
  EXPECT_EQ(begun["step"], "softmax") << "where it can be seen";
  const std::string made = begun["mistake"];
  EXPECT_NE(made, "none");
  EXPECT_NE(made, "no-scale") << "the reader knows that one";
  EXPECT_EQ(result("guess", R"({"mistake": "no-scale"})"),
            "It is not “scale forgotten”. Look again.");
  error("guess", R"({"mistake": "lunch"})");
  EXPECT_EQ(result("state"), begun);
  const auto explained = [&] { return result("describe")["focus"]; };
  const Json kept = explained();
  EXPECT_EQ(kept["sources"], Json::array()) << "the arithmetic would tell it";
  EXPECT_EQ(std::string(kept["text"]).find("exp("), std::string::npos) << kept["text"];

  const lesson::MistakeText& text = lesson::text_of(*model::mistake_named(made));
  EXPECT_EQ(result("guess", R"({"mistake": ")" + made + R"("})"),
            "Right: " + std::string(text.label()) + ". " + std::string(text.text()));
  EXPECT_EQ(result("state")["guessing"], false);
  EXPECT_EQ(result("state")["mistake"], made) << "it can be looked at now";
  EXPECT_NE(explained()["text"], kept["text"]) << "and so can its arithmetic";
  EXPECT_EQ(result("undo")["mistake"], "no-scale") << "all that was tried is one step to take back";

  const std::string other = result("begin_guessing")["mistake"];
  const std::string told = result("guess", R"({"mistake": "none"})");
  EXPECT_TRUE(told.starts_with("It was “")) << told;
  EXPECT_EQ(result("state")["mistake"], other);
}

TEST_F(ApiTest, RefusesEditsThatAreNone) {
  const auto edit = [](const std::string& rest) {
    return R"({"attention": "cross_attention", )" + rest + "}";
  };
  error("edit");
  error("edit", R"({"tensor": "mask"})");
  error("edit", edit(R"("tensor": "mask", "index": [0,0,0,0])"));
  error("edit", edit(R"("tensor": "mask", "index": [0,0,0,0], "value": "Infinity")"));
  error("edit", edit(R"("tensor": "mask", "index": [0,0,0,0], "value": "0.5")"));
  error("edit", edit(R"("tensor": "mask", "index": [0,0,0,0], "value": null)"));
  error("edit", edit(R"("tensor": "mask", "index": [0,0,0,0], "value": 1e300)"));
  error("edit", edit(R"("tensor": "mask", "index": [0,0,0,0], "value": -1e300)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0,0], "value": "-Infinity")"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0,0], "value": 1e30)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0], "value": 1)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0,6], "value": 1)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0,-1], "value": 1)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0,1.0], "value": 1)"));
  error("edit",
        edit(R"("tensor": "q_proj_weight", "index": [0,18446744073709551615], "value": 1)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [], "value": 1)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": [0,0,0,0,0,0,0,0,0], "value": 1)"));
  error("edit", edit(R"("tensor": "q_proj_weight", "index": "0,0", "value": 1)"));
  error("edit", edit(R"("tensor": "scores", "index": [0,0,0,0], "value": 1)"));
  error("edit", edit(R"("tensor": "weighted_values", "index": [0,0,0,0,0], "value": 1)"));
  error("edit", edit(R"("tensor": "nothing", "index": [0,0], "value": 1)"));
  error("edit", edit(R"("tensor": 3, "index": [0,0], "value": 1)"));
  error("edit",
        R"({"attention": "third_attention", "tensor": "mask", "index": [0,0,0,0], "value": 0})");
  error("edit", R"({"attention": 1, "tensor": "mask", "index": [0,0,0,0], "value": 0})");
}

TEST_F(ApiTest, NamesEveryTensor) {
  const Json names = result("tensors");
  EXPECT_GT(names.size(), 60U);
  for (const Json& name : names) {
    const Json tensor = result("tensor", Json{{"name", name}}.dump());
    EXPECT_EQ(tensor["name"], name);
    const auto found = app::Api(program()).tensor(name.get<std::string>());
    ASSERT_TRUE(found) << name;
    ASSERT_EQ(tensor["shape"].size(), found->tensor.rank());
    for (std::size_t axis = 0; axis < found->tensor.rank(); ++axis) {
      EXPECT_EQ(tensor["shape"][axis], found->tensor.dim(axis));
      EXPECT_EQ(tensor["strides"][axis], found->tensor.strides()[axis]);
    }
    EXPECT_EQ(tensor["offset"], found->tensor.offset());
    const std::string owner = tensor["view_of"];
    if (owner.empty()) continue;
    const auto base = app::Api(program()).tensor(owner);
    ASSERT_TRUE(base) << owner;
    EXPECT_TRUE(base->tensor.shares_storage_with(found->tensor)) << name;
  }
}

TEST_F(ApiTest, FindsATensorOfTheAttentionOnScreenByItsShortName) {
  result("set", R"({"attention": "cross_attention"})");
  EXPECT_EQ(result("tensor", R"({"name": "q_heads"})")["name"], "cross_attention.q_heads");
  EXPECT_EQ(result("tensor", R"({"name": "q_heads"})")["view_of"], "cross_attention.q");
  const Json weighted = result("tensor", R"({"name": "weighted_values"})");
  EXPECT_EQ(weighted["shape"], Json({2, 2, 2, 3, 3})) << "all queries, as a cell's index has them";
}

TEST_F(ApiTest, RefusesNamesOfNoTensor) {
  for (const std::string name :
       {"", ".", "nothing", "q_heads.", ".q_heads", "cross_attention", "cross_attention.",
        "cross_attention.nothing", "cross_attention.q.q", "Q_HEADS", "attention.q"}) {
    error("tensor", Json{{"name", name}}.dump());
  }
  error("tensor");
  error("tensor", R"({"name": 3})");
  result("set", R"({"example": "pool-beats-badminton"})");
  error("tensor", R"({"name": "q_proj_weight"})");  // has none
}

TEST_F(ApiTest, NamesTheRuleOfEachVariant) {
  result("set", R"({"example": "your-sentence", "softcap": 2, "sink": 0.5})");
  const auto rule_of = [this](const std::string& tensor) {
    return result("provenance",
                  R"({"tensor": ")" + tensor + R"(", "index": [0, 0, 0, 0]})")["rule"];
  };
  EXPECT_EQ(rule_of("capped_scores"), "capped");
  EXPECT_EQ(rule_of("attention_weights"), "softmax");
  result("set", R"({"target": [{"attention": "attention", "tensor": "output", "index": [0, 0, 0],
                    "value": 1}], "gradients": true})");
  EXPECT_EQ(result("provenance", R"({"tensor": "d_sinks", "index": [0]})")["rule"],
            "sink_gradient");
}

TEST_F(ApiTest, ExplainsACell) {
  const Json made =
      result("provenance",
             R"({"attention": "cross_attention", "tensor": "scores", "index": [0, 1, 1, 2]})");
  EXPECT_EQ(made["rule"], "dot_product");
  EXPECT_EQ(made["cell"]["tensor"], "scores");
  ASSERT_EQ(made["terms"].size(), 3U);
  EXPECT_EQ(made["terms"][1]["a"]["tensor"], "q_heads");
  EXPECT_EQ(made["terms"][1]["a"]["index"], Json({0, 1, 1, 1}));
  EXPECT_EQ(made["terms"][1]["b"]["tensor"], "k_heads");
  EXPECT_EQ(made["terms"][1]["b"]["index"], Json({0, 1, 2, 1}));
  double sum = 0.0;
  for (const Json& term : made["terms"]) sum += term["value"].get<double>();
  EXPECT_DOUBLE_EQ(sum, made["result"].get<double>());
  EXPECT_NEAR(sum, made["cell"]["value"].get<double>(), 1e-5);
}

TEST_F(ApiTest, NamesEveryRule) {
  result("set", R"({"example": "your-sentence", "softcap": 2})");
  EXPECT_EQ(result("provenance", R"({"tensor": "capped_scores", "index": [0, 0, 0, 1]})")["rule"],
            "capped");
  const Json mean = result("provenance", R"({"tensor": "mean_weights", "index": [0, 0, 1]})");
  EXPECT_EQ(mean["rule"], "mean");
  EXPECT_EQ(mean["terms"].size(), result("state")["num_heads"].get<std::size_t>());
}

TEST_F(ApiTest, TheSentenceCanBeTheMeanOverTheHeads) {
  result("set", R"({"example": "gender-and-number", "step": "sentence", "mean_heads": true})");
  const Json described = result("describe");
  EXPECT_EQ(described["focus"]["tensor"], "mean_weights");
  EXPECT_EQ(described["step"]["formula"], "mean_weights[i, j] = Σ attention_weights[h, i, j] / H");
  EXPECT_NE(described["step"]["text"].get<std::string>().find("mean"), std::string::npos);
  EXPECT_NE(result("link").get<std::string>().find("mean_heads=true"), std::string::npos);
}

TEST_F(ApiTest, GoesToAnExampleAsWhoChoosesItInTheBar) {
  result("set", R"({"step": "softmax"})");
  const Json now = result("choose_example", R"({"example": "reverse"})");
  EXPECT_EQ(now["step"], "sentence") << "what was trained begins there";
  error("choose_example", R"({"example": "nothing"})");
}

TEST_F(ApiTest, RefusesToExplainWhatIsNotThere) {
  error("provenance");
  error("provenance", R"({"tensor": "scores"})");
  error("provenance", R"({"tensor": "scores", "index": [0, 0, 0]})");
  error("provenance", R"({"tensor": "scores", "index": [0, 0, 0, 3]})");
  error("provenance", R"({"tensor": "weighted_values", "index": [0, 0, 0, 0, 3]})");
  error("provenance", R"({"tensor": "weighted_values", "index": [0, 0, 0, 0]})");
  error("provenance", R"({"attention": "attention", "tensor": "scores", "index": [0, 0, 0, 0]})");
}

TEST_F(ApiTest, HasDrawnNothingWithoutAWindow) {
  EXPECT_EQ(result("frames"), 0);
  EXPECT_EQ(result("blocks"), Json::array());
  EXPECT_EQ(result("legend"), Json());
  EXPECT_EQ(result("probe", R"({"x": 100, "y": 100.5})")["kind"], "nothing");
  EXPECT_EQ(result("probe", R"({"x": -1e300, "y": 1e300})")["kind"], "nothing");
  error("probe");
  error("probe", R"({"x": 1})");
  error("probe", R"({"x": "1", "y": 2})");
  error("probe", R"({"x": null, "y": 2})");
}

TEST_F(ApiTest, RefusesWhatIsNoCall) {
  for (const std::string arguments :
       {"[]", "3", "null", "\"state\"", "{", "{]", "{\"a\":}", "nonsense", " "}) {
    error("tensor", arguments);
    error("set", arguments);
  }
  error("tensor", std::string("{}\0{", 4));
  const std::string unknown = error("format_disk");
  EXPECT_NE(unknown.find("provenance"), std::string::npos);  // says what there is
  error("");
  error("State");
  error(std::string(100'000, 'x'));
}

// A hostile page must not get further than a sentence.
TEST_F(ApiTest, RefusesHostileArguments) {
  constexpr std::size_t much = 400'000;
  for (const std::string method : {"set", "edit", "tensor", "provenance", "probe"}) {
    error(method, std::string(2'000'000, ' ') + "{}");
    error(method, R"({"a": )" + std::string(much, '[') + std::string(much, ']') + "}");
    std::string deep = R"({"a": )";
    for (std::size_t i = 0; i < much / 5; ++i) deep += "{\"a\":";
    error(method, deep);
    std::string wide = "{";
    for (int i = 0; i < 90'000; ++i) wide += '"' + std::to_string(i) + "\":0,";
    error(method, wide + "\"x\":0}");
  }
}

TEST_F(ApiTest, AnswersRandomBytesWithASentence) {
  lesson::Random random(1, "calls");
  const std::string_view methods[] = {"set", "edit", "tensor", "provenance", "probe"};
  for (int round = 0; round < 2'000; ++round) {
    std::string arguments = "{\"";
    const std::uint64_t length = random.bits() % 40;
    for (std::uint64_t i = 0; i < length; ++i) arguments += static_cast<char>(random.bits() >> 56U);
    arguments += "\"}";
    answer(methods[random.bits() % std::size(methods)], arguments);
  }
}

}  // namespace
}  // namespace app
