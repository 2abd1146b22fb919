#include "document/link/link_text.hpp"

#include <gtest/gtest.h>

namespace document {
namespace {

using base::Json;

using Texts = std::vector<std::string>;

TEST(Encoded, KeepsWhatIsHarmlessAndSpellsTheRest) {
  EXPECT_EQ(encoded("you-are_welcome"), "you-are_welcome");
  EXPECT_EQ(encoded("a b"), "a+b");
  EXPECT_EQ(encoded("a+b&c=d#e%"), "a%2Bb%26c%3Dd%23e%25");
  EXPECT_EQ(encoded("漢"), "%E6%BC%A2");
  EXPECT_EQ(encoded("Yes, I am."), "Yes,+I+am%2E") << "a stop at the end would be lost in a mail";
  EXPECT_EQ(encoded("end "), "end%20");
  EXPECT_EQ(encoded(""), "");
}

TEST(Decoded, IsTheOtherWay) {
  std::string every;
  for (int byte = 0; byte < 128; ++byte) every += static_cast<char>(byte);
  for (const std::string& text : Texts{every, "", "漢字 💙", "100%", "%41"}) {
    EXPECT_EQ(decoded(encoded(text)), text);
  }
  EXPECT_EQ(decoded("a%2fb+c"), "a/b c");
  EXPECT_EQ(decoded("é"), "é") << "a browser may leave letters as they are";
}

TEST(Decoded, RefusesWhatIsNoText) {
  for (const char* text : {"%", "%4", "%4g", "a%", "%%41", "%FF", "%C3", "\xC3", "%ED%A0%80"}) {
    EXPECT_EQ(decoded(text), std::nullopt) << text;
  }
}

TEST(PartsOf, SplitsNamesAndValues) {
  Texts problems;
  const auto parts = parts_of("#a=1&&b=x=y&c=", problems);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].name, "b");
  EXPECT_EQ(parts[1].value, "x=y");
  EXPECT_EQ(parts[2].value, "");
  EXPECT_EQ(problems, Texts{});
  EXPECT_EQ(parts_of("a=1&b&%=2", problems).size(), 1U);
  EXPECT_EQ(problems.size(), 2U);
}

TEST(ValueText, IsShort) {
  EXPECT_EQ(value_text(1.0), "1");
  EXPECT_EQ(value_text(0.25), "0.25");
  EXPECT_EQ(value_text(-0.0), "-0.0") << "JSON's -0 would be a whole number, which has no sign";
  EXPECT_EQ(value_text(1e30), "1e30");
  EXPECT_EQ(value_text(true), "true");
  EXPECT_EQ(value_text(nullptr), "null");
  EXPECT_EQ(value_text(Json::parse("[1, 0.5, 2.0]")), "1,0.5,2");
  EXPECT_EQ(value_text(Json::parse(R"({"tensor": "q", "index": [0, 1]})")), "q:0,1");
  EXPECT_EQ(value_text(Json::parse(R"([{"a":1}])")), "%5B%7B%22a%22%3A1%7D%5D");
  EXPECT_EQ(value_text(Json::array()), "%5B%5D");
}

TEST(Readings, AreWhatAValueMayStandFor) {
  EXPECT_EQ(readings("softmax"), (Texts{R"("softmax")"}));
  EXPECT_EQ(readings("3"), (Texts{"3", "[3]", R"("3")"}));
  EXPECT_EQ(readings("0.5,2"), (Texts{"[0.5,2]", R"("0.5,2")"}));
  EXPECT_EQ(readings("q:0,1"), (Texts{R"({"index":[0,1],"tensor":"q"})", R"("q:0,1")"}));
  EXPECT_EQ(readings(""), (Texts{"[]", R"("")"}));
  EXPECT_EQ(readings(R"("so")").back(), R"("\"so\"")");
  EXPECT_EQ(readings(R"( "so")").size(), 2U) << "never what is between the quotation marks";
  EXPECT_EQ(readings("1],[2").size(), 1U) << "never more than one value";
  EXPECT_EQ(readings("q:0,1,2,3,4,5,6,7,8").size(), 1U) << "no tensor has so many axes";
}

/// There and back.
Texts same(const std::string& json, const std::string& text) {
  const Json edits = Json::parse(json);
  EXPECT_EQ(edits_text(edits), text);
  Texts problems;
  const auto read = edits_of({"edits", text}, lesson::AttentionId::attention, problems);
  EXPECT_EQ(read.size(), edits.size());
  for (std::size_t i = 0; i < read.size() && i < edits.size(); ++i) {
    const auto wanted = read_edit(edits.elements()[i]);
    EXPECT_TRUE(wanted && *wanted == read[i]) << text;
  }
  return problems;
}

TEST(EditsText, GroupsNeighboursAndReadsBack) {
  EXPECT_EQ(same("[]", ""), Texts{});
  EXPECT_EQ(same(R"([{"attention":"attention","tensor":"q_proj_weight","index":[0,1],"value":0.5},
                     {"attention":"attention","tensor":"q_proj_weight","index":[0,2],"value":1.0},
                     {"attention":"attention","tensor":"q_proj_weight","index":[0,4],"value":2.0},
                     {"attention":"attention","tensor":"k_proj_weight","index":[0,5],"value":2.0},
                     {"attention":"cross_attention","tensor":"mask","index":[0,0,1,1],
                      "value":"-Infinity"}])",
                 "attention.q_proj_weight:0,1=0.5,1;0,4=2;attention.k_proj_weight:0,5=2;"
                 "cross_attention.mask:0,0,1,1=-inf"),
            Texts{});
}

TEST(EditsOf, LeavesOutWhatCannotBeRead) {
  Texts problems;
  const auto read = edits_of({"edits",
                              "q_proj_weight:0=1;:1=2;nothing:1=2;mask:1=−∞,x;2;=;cross.mask:0=1;"
                              "mask:18446744073709551616=1"},
                             lesson::AttentionId::cross_attention, problems);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].cell.attention, lesson::AttentionId::cross_attention);
  EXPECT_EQ(read[1].value, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(problems.size(), 7U);
}

// Where a place has 32 bits, the one after the last would be the first.
TEST(EditsOf, EndAtTheLastPlaceThereCanBe) {
  Texts problems;
  const auto read = edits_of({"edits", "q_proj_weight:0,4294967295=1,2"},
                             lesson::AttentionId::attention, problems);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].cell.index, (tensor::Index{0, 4294967295U}));
}

}  // namespace
}  // namespace document
