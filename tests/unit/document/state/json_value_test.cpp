#include "document/state/json_value.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/attention/mask.hpp"

namespace document {
namespace {

using base::Json;
using UnorderedPeer = nlohmann::json;  // can be changed, which ours cannot

Json json(std::string_view text) { return Json::parse(text); }
base::Result<Edit> read(const UnorderedPeer& edit) { return read_edit(json(edit.dump())); }

/// One of every type there is.
const std::vector<std::string> every_type = {"null", "true", "1", "-1", "1.5", "\"a\"", "[]", "{}"};

TEST(JsonValue, ChoiceIsAPlaceAmongNames) {
  constexpr std::array<std::string_view, 3> names = {"a", "b", "c"};
  EXPECT_EQ(choice("letter", json("\"a\""), names), 0U);
  EXPECT_EQ(choice("letter", json("\"c\""), names), 2U);
  EXPECT_EQ(choice("letter", json("\"A\""), names).error().message,
            "letter is “A”; allowed: a, b and c.");
  for (const std::string& text : every_type) {
    const auto place = choice("letter", json(text), names);
    EXPECT_EQ(place.has_value(), text == "\"a\"") << text;
    if (!place) {
      EXPECT_EQ(place.error().message, "letter is not text; allowed: a, b and c.");
    }
  }
}

TEST(JsonValue, BooleanIsTrueOrFalse) {
  EXPECT_EQ(boolean("on", json("true")), true);
  EXPECT_EQ(boolean("on", json("false")), false);
  for (const std::string& text : every_type) {
    EXPECT_EQ(boolean("on", json(text)).has_value(), text == "true") << text;
  }
  EXPECT_EQ(boolean("on", json("0")).error().message, "on must be true or false.");
}

TEST(JsonValue, WholeNumbersAreWholeAndInRange) {
  EXPECT_EQ(whole("n", json("3"), 3, 5), 3U);
  EXPECT_EQ(whole("n", json("5"), 3, 5), 5U);
  for (const char* text :
       {"2", "6", "-3", "4.0", "4.5", "4e0", "\"4\"", "null", "[4]", "18446744073709551616"}) {
    const auto number = whole("n", json(text), 3, 5);
    ASSERT_FALSE(number) << text;
    EXPECT_EQ(number.error().message, "n must be a whole number from 3 to 5.");
  }
  for (const std::string& text : every_type) {
    EXPECT_EQ(whole("n", json(text), 0, 5).has_value(), text == "1") << text;
  }
}

TEST(JsonValue, NumbersAreWhatAFloatHolds) {
  EXPECT_EQ(number(json("2")), 2.0F);
  EXPECT_EQ(number(json("-2")), -2.0F);
  EXPECT_EQ(number(json("0.1")), 0.1F);
  EXPECT_EQ(number(json("18446744073709551615")), 18446744073709551616.0F);
  EXPECT_EQ(number(json("-9223372036854775808")), -9223372036854775808.0F);
  EXPECT_EQ(number(json("3.4028234663852886e38")), std::numeric_limits<float>::max());
  EXPECT_EQ(number(json("1e-60")), 0.0F);
  EXPECT_TRUE(std::signbit(*number(json("-0.0"))));
  EXPECT_EQ(number(json("\"-Infinity\"")), model::hidden);
  for (const char* text : {"\"Infinity\"", "\"NaN\"", "\"1\"", "1e39", "-1e39", "1e300", "null",
                           "true", "[1]", "{}"}) {
    EXPECT_FALSE(number(json(text)).has_value()) << text;
  }
}

TEST(JsonValue, AnEditHasItsFourFieldsInAnyOrder) {
  const auto edit = read_edit(json(
      R"({"value":"-Infinity","index":[1,0,2,3],"attention":"cross_attention","tensor":"mask"})"));
  ASSERT_TRUE(edit);
  const Edit expected{{lesson::AttentionId::cross_attention, "mask", {1, 0, 2, 3}}, model::hidden};
  EXPECT_EQ(*edit, expected);
  EXPECT_TRUE(read_edit(json(R"({"value":0,"index":[],"attention":"attention","tensor":"q"})")));
}

TEST(JsonValue, AnEditOfAnyOtherTypeOrShapeIsRefused) {
  const std::string whole_edit =
      R"({"value":1,"index":[0,1],"attention":"attention","tensor":"q"})";
  for (const std::string& text : every_type) EXPECT_FALSE(read_edit(json(text))) << text;
  for (const char* field : {"value", "index", "attention", "tensor"}) {
    UnorderedPeer edit = UnorderedPeer::parse(whole_edit);
    ASSERT_TRUE(read(edit));
    edit.erase(field);
    EXPECT_FALSE(read(edit)) << "without " << field;
    edit["other"] = 1;
    EXPECT_EQ(read(edit).error().message, "An edit lacks the field " + std::string(field) + ".");
    edit = UnorderedPeer::parse(whole_edit);
    edit["other"] = 1;
    EXPECT_FALSE(read(edit));
    for (const std::string& text : every_type) {
      edit = UnorderedPeer::parse(whole_edit);
      edit[field] = UnorderedPeer::parse(text);
      const bool number_for_value = std::string(field) == "value" && json(text).is_number();
      const bool empty_index = std::string(field) == "index" && text == "[]";
      EXPECT_EQ(read(edit).has_value(), number_for_value || empty_index) << field << text;
    }
  }
}

}  // namespace
}  // namespace document
