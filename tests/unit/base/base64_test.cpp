#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace base {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Base64, WritesWhatTheStandardSays) {
  // RFC 4648, section 10, without the padding.
  EXPECT_EQ(to_base64(bytes_of("")), "");
  EXPECT_EQ(to_base64(bytes_of("f")), "Zg");
  EXPECT_EQ(to_base64(bytes_of("fo")), "Zm8");
  EXPECT_EQ(to_base64(bytes_of("foo")), "Zm9v");
  EXPECT_EQ(to_base64(bytes_of("foobar")), "Zm9vYmFy");
  EXPECT_EQ(to_base64(Bytes{0xFB, 0xFF}), "-_8");
}

TEST(Base64, ReadsBackEveryByteAndLength) {
  Bytes bytes;
  for (unsigned i = 0; i < 515; ++i) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes) << i;
    bytes.push_back(static_cast<std::uint8_t>(i * 7));
  }
}

TEST(Base64, ReadsTheOtherAlphabetAndPadding) {
  EXPECT_EQ(from_base64("+/8="), (Bytes{0xFB, 0xFF}));
  EXPECT_EQ(from_base64("Zg=="), bytes_of("f"));
  EXPECT_EQ(from_base64("Zm9v"), bytes_of("foo"));
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text :
       {"A", "ABCDE", "Zg=", "Zm9v=", "Zg===", "=", "====", "Z g", "Zh", "Zm9", "é", "Zg=a"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace base
