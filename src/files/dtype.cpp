#include "files/dtype.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace files {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors numbers are copied as they lie in the file");

struct Format {
  std::string_view name;
  std::size_t bytes;
  std::optional<Dtype> read_as;
};

constexpr std::array<Format, 17> formats = {{
    {"F32", 4, Dtype::f32},
    {"F16", 2, Dtype::f16},
    {"BF16", 2, Dtype::bf16},
    {"F64", 8, Dtype::f64},
    {"BOOL", 1, Dtype::boolean},
    {"I64", 8, std::nullopt},
    {"I32", 4, std::nullopt},
    {"I16", 2, std::nullopt},
    {"I8", 1, std::nullopt},
    {"U64", 8, std::nullopt},
    {"U32", 4, std::nullopt},
    {"U16", 2, std::nullopt},
    {"U8", 1, std::nullopt},
    {"F8_E4M3", 1, std::nullopt},
    {"F8_E5M2", 1, std::nullopt},
    {"F8_E8M0", 1, std::nullopt},
    {"C64", 8, std::nullopt},
}};

const Format* format_named(std::string_view name) {
  for (const Format& format : formats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

/// std::bit_cast, which the C++ library of Emscripten 3.1.6 lacks.
float float_of_bits(std::uint32_t bits) {
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

template <typename Number>
bool convert_each(std::span<const std::byte> bytes, std::span<float> to,
                  float (*float_from)(Number)) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    Number number{};
    std::memcpy(&number, bytes.data() + i * sizeof(Number), sizeof(Number));
    to[i] = float_from(number);
  }
  return true;
}

}  // namespace

std::optional<Dtype> dtype_named(std::string_view name) {
  const Format* format = format_named(name);
  return format == nullptr ? std::nullopt : format->read_as;
}

std::optional<std::size_t> bytes_of_dtype(std::string_view name) {
  const Format* format = format_named(name);
  if (format == nullptr) return std::nullopt;
  return format->bytes;
}

std::size_t bytes_of(Dtype dtype) {
  for (const Format& format : formats) {
    if (format.read_as == dtype) return format.bytes;
  }
  return 0;
}

float float_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0) {
    // Zero and the subnormal numbers: fraction · 2⁻²⁴, exact in float32.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign == 0 ? magnitude : -magnitude;
  }
  // ±∞ and NaN keep their all-ones exponent; the others move from bias 15 to bias 127.
  const std::uint32_t exponent32 = exponent == 0x1FU ? 0xFFU : exponent + (127U - 15U);
  return float_of_bits(sign | (exponent32 << 23U) | (fraction << 13U));
}

float float_from_bf16(std::uint16_t bits) {
  return float_of_bits(static_cast<std::uint32_t>(bits) << 16U);
}

float float_from_f64(double value) {
  constexpr float largest = std::numeric_limits<float>::max();
  const bool in_range = !(std::abs(value) > static_cast<double>(largest));  // NaN is
  if (in_range) return static_cast<float>(value);
  // A cast from outside float's range is undefined in C++. Rounding to nearest gives infinity
  // from halfway between the largest float and the power of two after it.
  const bool infinite = std::abs(value) >= 0x1.FFFFFFp127;
  const float magnitude = infinite ? std::numeric_limits<float>::infinity() : largest;
  return value < 0.0 ? -magnitude : magnitude;
}

bool convert(Dtype dtype, std::span<const std::byte> bytes, std::span<float> to) {
  assert(bytes.size() == to.size() * bytes_of(dtype));
  if (to.empty()) return true;
  switch (dtype) {
    case Dtype::f32:
      std::memcpy(to.data(), bytes.data(), bytes.size());
      return true;
    case Dtype::f16:
      return convert_each(bytes, to, float_from_f16);
    case Dtype::bf16:
      return convert_each(bytes, to, float_from_bf16);
    case Dtype::f64:
      return convert_each(bytes, to, float_from_f64);
    case Dtype::boolean:
      for (std::size_t i = 0; i < to.size(); ++i) {
        const auto byte = std::to_integer<unsigned>(bytes[i]);
        if (byte > 1) return false;
        to[i] = static_cast<float>(byte);
      }
      return true;
  }
  return false;
}

}  // namespace files
