#include "stage/scene/number_text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "lesson/input/random.hpp"
#include "special_floats.hpp"
#include "stage/scenes.hpp"

namespace stage {
namespace {

constexpr float denormal = std::numeric_limits<float>::denorm_min();

/// Any float but NaN: every exponent is as likely.
float any_float(lesson::Random& random) {
  for (;;) {
    const float value = float_of(static_cast<std::uint32_t>(random.bits() >> 32U));
    if (!std::isnan(value)) return value;
  }
}

/// Numbers of the sizes that are on the stage.
float usual_float(lesson::Random& random) {
  return static_cast<float>(random.whole(2'000'000)) / 100'000.0F;
}

std::size_t glyphs(const std::string& text) {
  std::size_t count = 0;
  for (const char byte : text) {
    if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) ++count;
  }
  return count;
}

/// A set number with an ASCII minus, for strtod.
std::string ascii(std::string text) {
  if (text.starts_with("\u2212")) text.replace(0, 3, "-");
  return text;
}

TEST(NumberText, HasAsManyDigitsAsAskedFor) {
  EXPECT_EQ(number_text(0.5F, 2), "0.50");
  EXPECT_EQ(number_text(0.5F, 1), "0.5");
  EXPECT_EQ(number_text(3.0F, 0), "3");
  EXPECT_EQ(number_text(1.0F / 3.0F, 4), "0.3333");
  EXPECT_EQ(number_text(12345.678F, 2), "12345.68");
  EXPECT_EQ(number_text(0.996F, 2), "1.00");
}

// As after training that diverged: nobody reads 34 digits, and a float has no more than nine.
TEST(NumberText, SetsHugeNumbersWithAnExponent) {
  EXPECT_EQ(number_text(1e33F, 2), "1.00e33");
  EXPECT_EQ(number_text(1e33F, 0), "1.00e33");
  EXPECT_EQ(number_text(-2.346e11F, 4), "\u22122.35e11");
  EXPECT_EQ(number_text(1e10F, 3), "1.00e10");
  EXPECT_EQ(number_text(9.9999e10F, 2), "1.00e11");
  EXPECT_EQ(number_text(1358954496.0F, 0), "1358954496");
  EXPECT_EQ(number_text_telling(1e33F), "1.00e33");
  EXPECT_EQ(number_text_telling(-3.4e38F), "\u22123.40e38");
  EXPECT_EQ(weight_text(1e33F, 2), "1.00e33");
}

TEST(NumberText, FitsHugeNumbersWithFewerDigits) {
  EXPECT_EQ(number_text_fitting(1.26e33F, 9), "1.26e33");
  EXPECT_EQ(number_text_fitting(1.26e33F, 7), "1.26e33");
  EXPECT_EQ(number_text_fitting(-1.26e33F, 7), "\u22121.3e33");
  EXPECT_EQ(number_text_fitting(1.26e33F, 4), "1e33");
  EXPECT_EQ(number_text_fitting(1.26e33F, 3), "");
}

TEST(NumberText, HasARealMinusSign) {
  EXPECT_EQ(number_text(-0.14F, 2), "\u22120.14");
  EXPECT_EQ(number_text(-7.0F, 0), "\u22127");
  EXPECT_EQ(number_text(-7.0F, 0).find('-'), std::string::npos);
}

TEST(NumberText, HasNoSignWhereItRoundsToZero) {
  EXPECT_EQ(number_text(-0.0F, 2), "0.00");
  EXPECT_EQ(number_text(-0.004F, 2), "0.00");
  EXPECT_EQ(number_text(-0.006F, 2), "\u22120.01");
  EXPECT_EQ(number_text(-0.4F, 0), "0");
  EXPECT_EQ(number_text(-denormal, 6), "0.000000");
}

TEST(NumberText, NamesWhatIsNotFinite) {
  EXPECT_EQ(number_text(infinity, 3), "\u221E");
  EXPECT_EQ(number_text(-infinity, 3), "\u2212\u221E");
  EXPECT_EQ(number_text(not_a_number, 3), "NaN");
  EXPECT_EQ(number_text(-not_a_number, 3), "NaN");
}

TEST(NumberText, IsNeverCutOff) {
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(number_text(largest, 0), "3.40e38");
  EXPECT_EQ(number_text(-largest, 6), "\u22123.40e38");
}

TEST(NumberText, IsTheNumberToItsLastDigit) {
  lesson::Random random(1, "shown");
  for (int round = 0; round < 20'000; ++round) {
    const float value = usual_float(random);
    for (const int decimals : {0, 2, 3, 4}) {
      const std::string text = ascii(number_text(value, decimals));
      const double shown = std::strtod(text.c_str(), nullptr);
      ASSERT_LE(std::abs(shown - static_cast<double>(value)), 0.5000001 * std::pow(10.0, -decimals))
          << text;
    }
  }
}

TEST(Fitting, TakesTheMostDigitsThereIsRoomFor) {
  EXPECT_EQ(number_text_fitting(0.12345F, 6), "0.123");
  EXPECT_EQ(number_text_fitting(0.12345F, 5), "0.123");
  EXPECT_EQ(number_text_fitting(0.12345F, 4), "0.12");
  EXPECT_EQ(number_text_fitting(0.12345F, 3), "0.1");
  EXPECT_EQ(number_text_fitting(0.12345F, 2), "0");
  EXPECT_EQ(number_text_fitting(0.12345F, 1), "0");
  EXPECT_EQ(number_text_fitting(0.12345F, 0), "");
  EXPECT_EQ(number_text_fitting(0.12345F, -3), "");
  EXPECT_EQ(number_text_fitting(-0.12345F, 5), "\u22120.12");
  EXPECT_EQ(number_text_fitting(0.12345F, 9, 5), "0.12345");
}

TEST(Fitting, LeavesOutWhatDoesNotFitRatherThanChangeIt) {
  EXPECT_EQ(number_text_fitting(1234.5F, 4), "1234");
  EXPECT_EQ(number_text_fitting(1234.5F, 3), "");
  EXPECT_EQ(number_text_fitting(-12.0F, 2), "");
  EXPECT_EQ(number_text_fitting(infinity, 1), "\u221E");
  EXPECT_EQ(number_text_fitting(-infinity, 2), "\u2212\u221E");
  EXPECT_EQ(number_text_fitting(-infinity, 1), "");
  EXPECT_EQ(number_text_fitting(not_a_number, 3), "NaN");
  EXPECT_EQ(number_text_fitting(not_a_number, 2), "");
}

TEST(Fitting, SetsLargeNumbersWithoutDigitsAfterThePoint) {
  EXPECT_EQ(number_text_fitting(9999.5F, 9), "9999.500");
  EXPECT_EQ(number_text_fitting(10000.5F, 9), "10000");
  EXPECT_EQ(number_text_fitting(-123456.0F, 9), "\u2212123456");
}

TEST(Fitting, NeverTakesMoreGlyphsThanThereAre) {
  lesson::Random random(2, "fitting");
  for (int round = 0; round < 4'000; ++round) {
    const float value = round % 2 == 0 ? usual_float(random) : any_float(random);
    for (int characters = -1; characters <= 12; ++characters) {
      const std::string text = number_text_fitting(value, characters);
      ASSERT_LE(glyphs(text), static_cast<std::size_t>(std::max(characters, 0))) << value;
      if (text.empty() || !std::isfinite(value)) continue;
      // What is shown is the number, rounded to the digits that are shown.
      const std::size_t point = text.find('.');
      const std::size_t end = std::min(text.size(), text.find('e'));
      const auto decimals = point == std::string::npos ? 0 : static_cast<int>(end - point) - 1;
      if (end < text.size()) {
        ASSERT_EQ(ascii(text), base::with_exponent(static_cast<double>(value), decimals));
        continue;
      }
      ASSERT_EQ(text, number_text(value, decimals));
    }
  }
}

TEST(Telling, HasThreeDigitsThatCount) {
  EXPECT_EQ(number_text_telling(0.0F), "0.00");
  EXPECT_EQ(number_text_telling(1.0F), "1.00");
  EXPECT_EQ(number_text_telling(-12.345F), "\u221212.35");
  EXPECT_EQ(number_text_telling(0.5F), "0.500");
  EXPECT_EQ(number_text_telling(-0.0762F), "\u22120.0762");
  EXPECT_EQ(number_text_telling(0.0001F), "0.000100");
  EXPECT_EQ(number_text_telling(0.00002F), "2.00e\u22125");
  EXPECT_EQ(number_text_telling(-denormal), "\u22121.40e\u221245");
  EXPECT_EQ(number_text_telling(123456.7F), "123457");
  EXPECT_EQ(number_text_telling(-infinity), "\u2212\u221E");
  EXPECT_EQ(number_text_telling(not_a_number), "NaN");
}

TEST(Telling, IsTheNumberToHalfAPercent) {
  lesson::Random random(7, "telling");
  for (int round = 0; round < 20'000; ++round) {
    const float value = round % 2 == 0 ? usual_float(random) : any_float(random);
    if (!std::isfinite(value)) continue;
    const std::string text = number_text_telling(value);
    float read = 99.0F;
    ASSERT_TRUE(parse_number(text, read)) << text;
    ASSERT_NEAR(read, value, 0.00501 * std::abs(static_cast<double>(value)) + 1e-45) << text;
  }
}

TEST(ForEditing, IsAsShortAsTheFloatAllows) {
  EXPECT_EQ(number_for_editing(0.1F), "0.1");
  EXPECT_EQ(number_for_editing(-0.25F), "-0.25");
  EXPECT_EQ(number_for_editing(0.0F), "0");
  EXPECT_EQ(number_for_editing(3.0F), "3");
  EXPECT_EQ(number_for_editing(1.0F / 3.0F), "0.33333334");
  EXPECT_EQ(number_for_editing(infinity), "inf");
  EXPECT_EQ(number_for_editing(-infinity), "-inf");
  EXPECT_EQ(number_for_editing(not_a_number), "nan");
}

TEST(ForEditing, ReadsBackAsTheSameFloat) {
  lesson::Random random(3, "edited");
  std::vector<float> values{0.0F,
                            -0.0F,
                            denormal,
                            -denormal,
                            std::numeric_limits<float>::min(),
                            std::nextafter(std::numeric_limits<float>::min(), 0.0F),
                            std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::lowest(),
                            infinity,
                            -infinity};
  for (int round = 0; round < 20'000; ++round) {
    values.push_back(any_float(random));
    values.push_back(usual_float(random));
    values.push_back(float_of(static_cast<std::uint32_t>(random.bits() >> 41U)));  // denormals
  }
  for (const float value : values) {
    float read = 99.0F;
    const std::string text = number_for_editing(value);
    ASSERT_TRUE(parse_number(text, read)) << text;
    ASSERT_EQ(bits_of(read), bits_of(value)) << text;
  }
}

// A number can be copied from a cell into the field.
TEST(ParseNumber, ReadsWhatTheScreenShows) {
  lesson::Random random(4, "copied");
  for (int round = 0; round < 5'000; ++round) {
    const float value = usual_float(random);
    const std::string text = number_text(value, 3);
    float read = 99.0F;
    ASSERT_TRUE(parse_number(text, read)) << text;
    ASSERT_NEAR(read, value, 0.00051F);
  }
}

TEST(ParseNumber, ReadsWhatAPersonTypes) {
  const std::vector<std::pair<std::string, float>> typed{
      {"5", 5.0F},           {"-5", -5.0F},          {"\u22125", -5.0F},
      {"+5", 5.0F},          {"0.25", 0.25F},        {"0,25", 0.25F},
      {".5", 0.5F},          {",5", 0.5F},           {"5.", 5.0F},
      {"  7 ", 7.0F},        {"- 7", -7.0F},         {"1 000", 1000.0F},
      {"1e3", 1000.0F},      {"1E-3", 0.001F},       {"1e+3", 1000.0F},
      {"1e\u22123", 0.001F}, {"007", 7.0F},          {"-0", -0.0F},
      {"inf", infinity},     {"-inf", -infinity},    {"+inf", infinity},
      {"\u221E", infinity},  {"-\u221E", -infinity}, {"\u2212\u221E", -infinity},
      {"1e-45", denormal},   {"3.4e38", 3.4e38F}};
  for (const auto& [text, value] : typed) {
    float read = 99.0F;
    EXPECT_TRUE(parse_number(text, read)) << text;
    EXPECT_EQ(read, value) << text;
  }
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  const std::vector<std::string> refused{"",
                                         " ",
                                         "-",
                                         "+",
                                         "\u2212",
                                         ".",
                                         ",",
                                         "-.",
                                         "e",
                                         "e5",
                                         "1e",
                                         "1e+",
                                         "1e5.5",
                                         "1e1e1",
                                         "--5",
                                         "+-5",
                                         "5-",
                                         "5+3",
                                         "1.2.3",
                                         "1,2,3",
                                         "1,234.5",
                                         "one",
                                         "5x",
                                         "x5",
                                         "0x10",
                                         "0x1p3",
                                         "1p3",
                                         "1f",
                                         "nan",
                                         "NaN",
                                         "nan(1)",
                                         "-nan",
                                         "infinity",
                                         "Infinity",
                                         "INF",
                                         "in",
                                         "infinf",
                                         "\u221E\u221E",
                                         "1\u221E",
                                         "\u221E1",
                                         "1inf",
                                         "inf1",
                                         "--inf",
                                         "1e39",
                                         "-1e39",
                                         "1e999",
                                         "5%",
                                         "5\u00B2",
                                         "\u0665",
                                         "5\n",
                                         "\t5",
                                         "5\u00A0",
                                         "5;",
                                         "$5",
                                         "1/2",
                                         "1_000",
                                         "5\u2013",
                                         "\xE2\x88",
                                         "\xE2",
                                         "\x88\x92",
                                         "\xFF",
                                         std::string(41, '1'),
                                         std::string("5\0", 2),
                                         std::string("\0"
                                                     "5",
                                                     2),
                                         std::string(3, '\0'),
                                         std::string(100'000, '9')};
  for (const std::string& text : refused) {
    float untouched = 99.0F;
    EXPECT_FALSE(parse_number(text, untouched)) << '"' << text.substr(0, 50) << '"';
    EXPECT_EQ(untouched, 99.0F) << text.substr(0, 50);
  }
}

/// What a number is, said once more: signs, digits, one point or comma, an exponent. Nothing where
/// `text` is none.
std::optional<double> number_in(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto take = [&](std::string_view prefix, std::string_view meaning) {
      if (!text.starts_with(prefix)) return false;
      plain += meaning;
      text.remove_prefix(prefix.size());
      return true;
    };
    if (take("\u2212", "-") || take("\u221E", "inf") || take(",", ".") || take(" ", "")) continue;
    plain += text.front();
    text.remove_prefix(1);
  }
  if (plain.size() > 40) return std::nullopt;
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < plain.size() && plain[at] >= '0' && plain[at] <= '9') ++at;
    return at - first;
  };
  const auto sign = [&] {
    if (at < plain.size() && (plain[at] == '-' || plain[at] == '+')) ++at;
  };
  sign();
  if (plain.substr(at) == "inf") return plain[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  std::size_t count = digits();
  if (at < plain.size() && plain[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return std::nullopt;
  if (at < plain.size() && (plain[at] == 'e' || plain[at] == 'E')) {
    ++at;
    sign();
    if (digits() == 0) return std::nullopt;
  }
  if (at != plain.size()) return std::nullopt;
  const double value = std::strtod(plain.c_str(), nullptr);
  if (std::isinf(static_cast<float>(value))) return std::nullopt;
  return value;
}

void expect_as_defined(const std::string& text) {
  float value = 99.0F;
  const bool read = parse_number(text, value);
  const std::optional<double> expected = number_in(text);
  ASSERT_EQ(read, expected.has_value()) << '"' << text << '"';
  if (!read) {
    ASSERT_EQ(value, 99.0F);
  } else if (std::isinf(value)) {
    ASSERT_EQ(static_cast<double>(value), *expected);
  } else {
    ASSERT_NEAR(static_cast<double>(value), *expected, 1e-7 * std::abs(*expected) + 1e-45);
  }
}

TEST(ParseNumber, TakesNumbersOnlyOutOfRandomBytes) {
  lesson::Random random(5, "bytes");
  for (int round = 0; round < 50'000; ++round) {
    std::string text(random.bits() % 6, '\0');
    for (char& byte : text) byte = static_cast<char>(random.bits() >> 56U);
    expect_as_defined(text);
    if (HasFatalFailure()) return;
  }
}

// Made of what numbers are made of: about one in five is one.
TEST(ParseNumber, TakesNumbersOnlyOutOfTheirPieces) {
  constexpr std::array<std::string_view, 20> pieces{"0", "1", "25", "9",      "0",      "3",  ".",
                                                    ",", "e", "E",  "-",      "+",      " ",  "5",
                                                    "7", "i", "f",  "\u2212", "\u221E", "inf"};
  lesson::Random random(6, "pieces");
  int numbers = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string text;
    const std::uint64_t count = random.bits() % 7;
    for (std::uint64_t i = 0; i < count; ++i) text += pieces[random.bits() % pieces.size()];
    expect_as_defined(text);
    if (HasFatalFailure()) return;
    if (number_in(text)) ++numbers;
  }
  EXPECT_GT(numbers, 10'000);  // the other half of the test was tried as well
}

TEST(WeightText, TellsNothingFromNextToNothing) {
  EXPECT_EQ(weight_text(0.0F, 3), "0");
  EXPECT_EQ(weight_text(0.0004F, 3), "0.000");
  EXPECT_EQ(weight_text(0.25F, 3), "0.250");
}

TEST(SmallNumberText, KeepsTheFirstDigitInWhatRoomThereIs) {
  EXPECT_EQ(small_number_text(0.0231F, 5), "0.02");
  EXPECT_EQ(small_number_text(-0.0231F, 5), "−0.02");
  EXPECT_EQ(small_number_text(-0.0231F, 4), "−.02");
  EXPECT_EQ(small_number_text(0.00231F, 5), "0.002");
  EXPECT_EQ(small_number_text(0.00231F, 4), "2e−3");
  EXPECT_EQ(small_number_text(-0.00231F, 5), "−2e−3");
  EXPECT_EQ(small_number_text(-0.00231F, 4), "");
  EXPECT_EQ(small_number_text(0.00096F, 4), "1e−3");
  EXPECT_EQ(small_number_text(1.4e-12F, 5), "1e−12");
  EXPECT_EQ(small_number_text(0.4F, 2), ".4");
  EXPECT_EQ(small_number_text(0.4F, 0), "");
}

}  // namespace
}  // namespace stage
