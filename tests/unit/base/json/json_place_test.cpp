#include "base/json/json_place.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/json/json.hpp"

namespace base {
namespace {

std::string_view value_at(std::string_view json, const std::vector<std::string>& path) {
  return json.substr(place_in_json(json, path));
}

TEST(JsonPlace, FindsTheValueAtAPath) {
  const std::string_view json = R"({ "a": [1, {"b": "x]", "c": null}, true], "d": -2.5e1 })";
  EXPECT_TRUE(value_at(json, {}).starts_with("{ \"a\""));
  EXPECT_TRUE(value_at(json, {"a"}).starts_with("[1,"));
  EXPECT_TRUE(value_at(json, {"a", "0"}).starts_with("1,"));
  EXPECT_TRUE(value_at(json, {"a", "1", "c"}).starts_with("null}"));
  EXPECT_TRUE(value_at(json, {"a", "2"}).starts_with("true]"));
  EXPECT_TRUE(value_at(json, {"d"}).starts_with("-2.5e1"));
}

TEST(JsonPlace, StopsWhereThePathLeadsNowhere) {
  EXPECT_TRUE(value_at(R"({"a": {"b": 1}})", {"a", "c", "d"}).starts_with("{\"b\""));
  EXPECT_TRUE(value_at(R"({"a": 3})", {"a", "0"}).starts_with("3}"));
  EXPECT_TRUE(value_at(" []", {"0"}).starts_with("[]"));
}

TEST(JsonPlace, TakesTheLastOfTwoMembers) {
  EXPECT_EQ(value_at(R"({"a": 1, "a": 2})", {"a"}), "2}");
}

TEST(JsonPlace, CountsLinesAndCharactersFromOne) {
  const std::string_view text = "{\n  \"größe\": 1\n}";
  EXPECT_EQ(line_and_column(text, 0).line, 1U);
  EXPECT_EQ(line_and_column(text, 0).column, 1U);
  const LineAndColumn one =
      line_and_column(text, place_in_json(text, std::vector<std::string>{"größe"}));
  EXPECT_EQ(one.line, 2U);
  EXPECT_EQ(one.column, 12U);
}

TEST(JsonPlace, ParseSaysWhereATextIsNoJson) {
  const auto fault = [](std::string_view text) {
    std::size_t place = 999;
    EXPECT_FALSE(Json::parse(text, &place).is_valid());
    return place;
  };
  EXPECT_EQ(fault("{\"a\": 1,}"), 8U);  // a comma too many
  EXPECT_EQ(fault("{\"a\" 1}"), 5U);    // no colon
  EXPECT_EQ(fault("[1 2]"), 3U);        // no comma
  EXPECT_EQ(fault("[1] x"), 4U);        // something behind
  EXPECT_EQ(fault("[\"\xff\"]"), 2U);   // no UTF-8
  EXPECT_EQ(fault(""), 0U);
}

}  // namespace
}  // namespace base
