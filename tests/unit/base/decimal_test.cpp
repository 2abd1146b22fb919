#include "base/decimal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace base {
namespace {

/// −0 is not 0.
template <typename Number>
bool same_number(Number a, Number b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

void expect_as_strtod(const std::string& text) {
  const auto read = read_decimal(text);
  ASSERT_TRUE(read) << text;
  const double wanted = std::strtod(text.c_str(), nullptr);
  EXPECT_TRUE(same_number(*read, wanted)) << text << " " << *read;
  const auto narrow = read_float(text);
  ASSERT_TRUE(narrow) << text;
  const float wanted_narrow = std::strtof(text.c_str(), nullptr);
  EXPECT_TRUE(same_number(*narrow, wanted_narrow)) << text << " " << *narrow;
}

TEST(ReadDecimal, ReadsWhatADecimalIs) {
  for (const char* text : {"0",
                           "-0",
                           "+0.0",
                           "1",
                           "-1.5",
                           "0.1",
                           ".5",
                           "5.",
                           "1e3",
                           "1E+3",
                           "1e-3",
                           "00012",
                           "123456789012345678901234567890",
                           "0.000000000000000000000000000001234567890123456789",
                           "1e308",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "-1e309",
                           "1e999999999999",
                           "1e-999999999999",
                           "0e999999999999",
                           "2.2250738585072014e-308",
                           "2.2250738585072011e-308",
                           "4.9e-324",
                           "5e-324",
                           "2.5e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "2e-324",
                           "1e-400",
                           "9007199254740993",
                           "9007199254740992.9999999999999999999",
                           "9007199254740993.0000000000000000001",
                           "16777217",
                           "3.4028236e38",
                           "10000000000000000000",
                           "18446744073709551615",
                           "18446744073709551616"}) {
    expect_as_strtod(text);
  }
}

TEST(ReadDecimal, RefusesEverythingElse) {
  for (const char* text :
       {"",     "-",     ".",    "+.",  "e5",  "1e", "1e+", "1e-", "--1",   "1-",
        "1..2", "1.2.3", "0x10", "inf", "nan", "1 ", " 1",  "1,5", "1e5.0", "1e5e5"}) {
    EXPECT_EQ(read_decimal(text), std::nullopt) << text;
  }
}

TEST(ReadDecimal, AgreesWithTheStandardLibrary) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 40'000; ++i) {
    const std::uint64_t bits = random();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isfinite(number)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", static_cast<int>(1 + random() % 25), number);
    expect_as_strtod(text);
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random() % 12),
                  static_cast<double>(random() % 1'000'000) / 997.0);
    expect_as_strtod(text);
    // Where two doubles are as near, or nearly so.
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(random() | 1U));
    expect_as_strtod(text);
  }
}

TEST(WithExponent, HasNoZerosAndNoPlusInIt) {
  EXPECT_EQ(with_exponent(1e33, 2), "1.00e33");
  EXPECT_EQ(with_exponent(-2.6e8, 1), "-2.6e8");
  EXPECT_EQ(with_exponent(1e100, 0), "1e100");
}

TEST(ShortestDecimal, ReadsBackAndCouldNotBeShorter) {
  EXPECT_EQ(shortest_decimal(0.1F), "0.1");
  EXPECT_EQ(shortest_decimal(-3.0F), "-3");
  EXPECT_EQ(shortest_decimal(1e-7F), "1e-07");
  EXPECT_EQ(shortest_decimal(10.0F), "10");
  EXPECT_EQ(shortest_decimal(-2000.0F), "-2000");
  EXPECT_EQ(shortest_decimal(1e9F), "1e+09");
  EXPECT_EQ(shortest_decimal(16777216.0F), "16777216");
  std::mt19937 random(9);
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float number = 0.0F;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isfinite(number)) continue;
    const std::string text = shortest_decimal(number);
    ASSERT_EQ(std::strtof(text.c_str(), nullptr), number) << text;
    ASSERT_EQ(static_cast<float>(std::strtod(text.c_str(), nullptr)), number) << text;
  }
}

}  // namespace
}  // namespace base
