#include "files/dtype.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "file_bytes.hpp"
#include "special_floats.hpp"

namespace files {
namespace {

using test::bytes_of_numbers;

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(Dtype, KnowsWhatIsReadAndHowLargeTheOthersAre) {
  EXPECT_EQ(dtype_named("F32"), Dtype::f32);
  EXPECT_EQ(dtype_named("F16"), Dtype::f16);
  EXPECT_EQ(dtype_named("BF16"), Dtype::bf16);
  EXPECT_EQ(dtype_named("F64"), Dtype::f64);
  EXPECT_EQ(dtype_named("BOOL"), Dtype::boolean);
  EXPECT_EQ(dtype_named("I64"), std::nullopt);
  EXPECT_EQ(dtype_named("f32"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);

  EXPECT_EQ(bytes_of_dtype("I64"), 8U);
  EXPECT_EQ(bytes_of_dtype("U16"), 2U);
  EXPECT_EQ(bytes_of_dtype("F8_E5M2"), 1U);
  EXPECT_EQ(bytes_of_dtype("F4"), std::nullopt);

  EXPECT_EQ(bytes_of(Dtype::f32), 4U);
  EXPECT_EQ(bytes_of(Dtype::f16), 2U);
  EXPECT_EQ(bytes_of(Dtype::bf16), 2U);
  EXPECT_EQ(bytes_of(Dtype::f64), 8U);
  EXPECT_EQ(bytes_of(Dtype::boolean), 1U);
}

TEST(Dtype, EveryBinary16IsItsValue) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const float value = float_from_f16(static_cast<std::uint16_t>(bits));
    const int exponent = static_cast<int>((bits >> 10U) & 31U);
    const int fraction = static_cast<int>(bits & 1023U);
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    ASSERT_EQ(std::signbit(value), sign < 0) << bits;
    if (exponent == 31) {
      ASSERT_EQ(fraction == 0, std::isinf(value)) << bits;
      ASSERT_EQ(fraction != 0, std::isnan(value)) << bits;
      continue;
    }
    // IEEE 754: (1 + f/1024) · 2^(e−15), and for e = 0: f/1024 · 2^−14.
    const double expected =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(static_cast<double>(value), sign * expected) << bits;
  }
}

TEST(Dtype, Bfloat16IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(float_from_bf16(0x3F80), 1.0F);
  EXPECT_EQ(float_from_bf16(0xC049), -3.140625F);
  EXPECT_EQ(float_from_bf16(0xFF80), -infinity);
  EXPECT_TRUE(std::isnan(float_from_bf16(0x7FC0)));
  EXPECT_EQ(float_from_bf16(0x0001), std::ldexp(1.0F, -133));
  EXPECT_TRUE(std::signbit(float_from_bf16(0x8000)));
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const float value = float_from_bf16(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(bits_of(value), bits << 16U);
    }
  }
}

TEST(Dtype, DoublesAreRoundedAndTooLargeOnesBecomeInfinite) {
  constexpr float largest = std::numeric_limits<float>::max();
  const auto exact = static_cast<double>(largest);
  EXPECT_EQ(float_from_f64(0.1), 0.1F);
  EXPECT_EQ(float_from_f64(exact), largest);
  EXPECT_EQ(float_from_f64(std::nextafter(exact, 1e300)), largest);
  EXPECT_EQ(float_from_f64(-std::nextafter(exact, 1e300)), -largest);
  EXPECT_EQ(float_from_f64(std::nextafter(0x1.FFFFFFp127, 0.0)), largest);
  EXPECT_EQ(float_from_f64(0x1.FFFFFFp127), infinity);
  EXPECT_EQ(float_from_f64(-std::numeric_limits<double>::max()), -infinity);
  EXPECT_EQ(float_from_f64(std::numeric_limits<double>::infinity()), infinity);
  EXPECT_TRUE(std::isnan(float_from_f64(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(float_from_f64(1e-300), 0.0F);
}

TEST(Dtype, ConvertsEveryFormatAtAnyAlignment) {
  struct Case {
    Dtype dtype;
    std::vector<std::byte> bytes;
  };
  // −1.5, 0.25, 1 in each format.
  const std::vector<Case> cases = {
      {Dtype::f32, bytes_of_numbers<float>({-1.5F, 0.25F, 1.0F})},
      {Dtype::f16, bytes_of_numbers<std::uint16_t>({0xBE00, 0x3400, 0x3C00})},
      {Dtype::bf16, bytes_of_numbers<std::uint16_t>({0xBFC0, 0x3E80, 0x3F80})},
      {Dtype::f64, bytes_of_numbers<double>({-1.5, 0.25, 1.0})},
  };
  for (const Case& c : cases) {
    std::vector<std::byte> shifted(1);
    shifted.insert(shifted.end(), c.bytes.begin(), c.bytes.end());
    std::vector<float> values(3);
    ASSERT_TRUE(convert(c.dtype, std::span(shifted).subspan(1), values));
    EXPECT_EQ(values, (std::vector<float>{-1.5F, 0.25F, 1.0F})) << static_cast<int>(c.dtype);
  }
  std::vector<float> flags(3);
  ASSERT_TRUE(convert(Dtype::boolean, bytes_of_numbers<std::uint8_t>({0, 1, 1}), flags));
  EXPECT_EQ(flags, (std::vector<float>{0.0F, 1.0F, 1.0F}));
  EXPECT_FALSE(convert(Dtype::boolean, bytes_of_numbers<std::uint8_t>({0, 2, 1}), flags));
  EXPECT_TRUE(convert(Dtype::f64, {}, {}));
}

}  // namespace
}  // namespace files
