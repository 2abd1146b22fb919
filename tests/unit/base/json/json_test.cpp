#include "base/json/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace base {
namespace {

/// The same, from a library that has nothing to do with ours.
using Peer = nlohmann::ordered_json;

Peer peer(const std::string& text) { return Peer::parse(text, nullptr, false); }
std::string dumped(const Peer& json) {
  return json.dump(-1, ' ', false, Peer::error_handler_t::replace);
}

TEST(Json, ReadsAndWritesWhatJsonIs) {
  for (const std::string text :
       {"null", "true", "false", "0", "-0.0", "7", "-7.0", "0.1", "1e-07", "1e+30", "\"\"",
        R"("a\"\\/\b\f\n\r\t\u0001é漢💙")", "[]", "[[],{}]", "[1,[2,3],{\"a\":4}]", "{}",
        R"({"b":1,"a":{"c":[true,null]},"":"x"})", "9007199254740991"}) {
    const Json json = Json::parse(text);
    ASSERT_TRUE(json.is_valid()) << text;
    EXPECT_EQ(json.dump(), dumped(peer(text))) << text;
    EXPECT_EQ(Json::parse(json.dump()), json) << text;
  }
}

TEST(Json, TakesWhatTheStandardAllowsAndNothingElse) {
  for (const std::string text : {" 1 ",
                                 "\t[ 1 ,\n2 ]\r",
                                 "{ \"a\" : 1 }",
                                 "1E5",
                                 "1e+5",
                                 "1.50",
                                 "-0",
                                 "\"\\/\"",
                                 "\"\\u00e9\\u6F22\\ud83d\\udc99\"",
                                 "\"\x7F\"",
                                 "[1,2",
                                 "[1,]",
                                 "[,1]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{a:1}",
                                 "{1:2}",
                                 "01",
                                 "1.",
                                 ".5",
                                 "+1",
                                 "--1",
                                 "1e",
                                 "1e+",
                                 "0x10",
                                 "NaN",
                                 "Infinity",
                                 "-",
                                 "",
                                 " ",
                                 "nul",
                                 "nulll",
                                 "True",
                                 "'a'",
                                 "\"a",
                                 "\"\n\"",
                                 "\"\\x\"",
                                 "\"\\u12\"",
                                 "\"\\u12g4\"",
                                 "\"\\ud83d\"",
                                 "\"\\ud83dx\"",
                                 "\"\\udc99\"",
                                 "\"\\ud83d\\u0041\"",
                                 "\"\xFF\"",
                                 "\"\xC3\"",
                                 "\"\xED\xA0\x80\"",
                                 "é",
                                 "1 2",
                                 "[] []",
                                 "]",
                                 "1e999",
                                 "-1e999",
                                 "[1e400]",
                                 "/* */ 1",
                                 "\"\\\"",
                                 "\\"}) {
    const Json json = Json::parse(text);
    EXPECT_EQ(json.is_valid(), !peer(text).is_discarded()) << text;
    if (json.is_valid()) {
      EXPECT_EQ(json.dump(), dumped(peer(json.dump()))) << text;
    }
  }
  EXPECT_FALSE(Json::parse(std::string_view("1\0", 2)).is_valid());
  EXPECT_FALSE(Json::parse(std::string_view("\"\0\"", 3)).is_valid());
}

TEST(Json, TakesEveryTextThatAnotherReaderTakes) {
  std::mt19937 random(5);
  const std::vector<std::string> pieces = {"{",     "}",           "[",  "]",      ",",    ":",
                                           "\"a\"", "\"\\u00e9\"", "1",  "-0.5e3", "true", "null",
                                           " ",     "\"",          "\\", "é"};
  int valid = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    const std::size_t length = random() % 8;
    for (std::size_t j = 0; j < length; ++j) text += pieces[random() % pieces.size()];
    const Json json = Json::parse(text);
    ASSERT_EQ(json.is_valid(), !peer(text).is_discarded()) << text;
    if (json.is_valid()) {
      ++valid;
      ASSERT_EQ(peer(json.dump()), peer(text)) << text;
    }
  }
  EXPECT_GT(valid, 500);
}

TEST(Json, WritesNumbersThatReadBack) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isfinite(number)) continue;
    if (i % 2 == 0) number = static_cast<double>(static_cast<float>(number));
    if (!std::isfinite(number)) continue;
    const std::string text = Json(number).dump();
    ASSERT_EQ(Json::parse(text).number(), number) << text;
    ASSERT_FALSE(Json::parse(text).is_whole()) << text;
    ASSERT_LE(text.size(), 24U) << text;
  }
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(3.0).dump(), "3.0");
  EXPECT_EQ(Json(3U).dump(), "3");
  EXPECT_EQ(Json(-3).dump(), "-3.0");
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, TellsWholeNumbersFromOthers) {
  EXPECT_TRUE(Json::parse("5").is_whole());
  EXPECT_TRUE(Json(std::size_t{5}).is_whole());
  for (const char* text : {"5.0", "-5", "5e0", "\"5\"", "true"})
    EXPECT_FALSE(Json::parse(text).is_whole()) << text;
  EXPECT_EQ(Json::parse("5"), Json(5.0));
  EXPECT_NE(Json::parse("5"), Json("5"));
}

TEST(Json, FindsMembers) {
  const Json json = Json::parse(R"({"b": 1, "a": "x", "b": 2})");
  ASSERT_NE(json.find("b"), nullptr);
  EXPECT_EQ(json.find("b")->number(), 2.0) << "the later one counts";
  EXPECT_EQ(*json.find("a")->text(), "x");
  EXPECT_EQ(json.find("a")->boolean(), nullptr);
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(Json::parse("[1]").find("b"), nullptr);
  EXPECT_EQ(Json().find("b"), nullptr);
  EXPECT_EQ(Json(1.5).size(), 0U);
}

TEST(Json, IsMadeInOneExpression) {
  const std::vector<std::string> words = {"de", "nada"};
  const Json json = Json::object()
                        .with("text", std::string_view("a"))
                        .with("on", true)
                        .with("words", words)
                        .with("none", nullptr);
  EXPECT_EQ(json.dump(), R"({"text":"a","on":true,"words":["de","nada"],"none":null})");
  Json copy = json;
  copy.add("more", 1);
  EXPECT_EQ(json.size(), 4U);
  EXPECT_NE(copy, json);
  copy = json;
  EXPECT_EQ(copy, json);
}

TEST(Json, WritesWhatIsNoUtf8AsUtf8) {
  EXPECT_EQ(Json("a\xFFz").dump(), "\"a\uFFFDz\"");
  EXPECT_EQ(Json("\xC3").dump(), "\"\uFFFD\"");
  EXPECT_TRUE(Json::parse(Json("\xE6\xBC \xF0\x9F\x92").dump()).is_valid());
}

TEST(Json, IsNotOverrunByDepthOrLength) {
  EXPECT_TRUE(Json::parse(std::string(64, '[') + std::string(64, ']')).is_valid());
  EXPECT_FALSE(Json::parse(std::string(65, '[') + std::string(65, ']')).is_valid());
  EXPECT_FALSE(Json::parse(std::string(100'000, '[')).is_valid());
  std::string many = "{";
  for (int i = 0; i < 10'000; ++i) many += "\"a\":1,";
  EXPECT_EQ(Json::parse(many + "\"b\":2}").find("b")->number(), 2.0);
}

}  // namespace
}  // namespace base
