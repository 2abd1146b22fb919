#include "base/json/json_reader.hpp"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(JsonReader, TakesWhatStandsAtTheFront) {
  JsonReader reader(" { \"a\\u00e9\" : [ -0.5e3 , 18446744073709551616 ] , \"b\" : true } ");
  std::string name;
  EXPECT_FALSE(reader.at_text());
  EXPECT_FALSE(reader.take('['));
  EXPECT_TRUE(reader.take('{'));
  EXPECT_TRUE(reader.at_text());
  EXPECT_TRUE(reader.read_text(name));
  EXPECT_EQ(name, "aé");
  EXPECT_TRUE(reader.take(':') && reader.take('['));
  EXPECT_EQ(reader.read_number(), "-0.5e3");
  EXPECT_TRUE(reader.take(','));
  EXPECT_EQ(reader.read_number(), "18446744073709551616") << "as it is written";
  EXPECT_TRUE(reader.take(']') && reader.take(',') && reader.read_text(name) && reader.take(':'));
  EXPECT_TRUE(reader.read_number().empty());
  EXPECT_TRUE(reader.take_word("true") && reader.take('}'));
  EXPECT_TRUE(reader.at_end());
}

TEST(JsonReader, StandsAtTheFault) {
  const auto place = [](std::string_view text) {
    JsonReader reader(text);
    std::string read;
    EXPECT_FALSE(reader.read_text(read) && reader.at_end()) << text;
    return reader.place();
  };
  EXPECT_EQ(place(" 1"), 1U);
  EXPECT_EQ(place("\"a\n\""), 2U);
  EXPECT_EQ(place("\"\\x\""), 2U);
  EXPECT_EQ(place("\"\\u12g4\""), 5U);
  EXPECT_EQ(place("\"\\ud83d\""), 7U);
  EXPECT_EQ(place("\"a"), 2U);
  EXPECT_EQ(place("\"a\" b"), 4U);
}

}  // namespace
}  // namespace base
