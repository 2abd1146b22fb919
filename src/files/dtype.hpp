// The number formats of safetensors files, and conversion to float32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace files {

/// The formats that can be converted. A file may have tensors of other formats (integers, 8-bit
/// floats) if they are not used.
enum class Dtype : unsigned char {
  f32,      ///< IEEE 754 binary32
  f16,      ///< IEEE 754 binary16
  bf16,     ///< the upper half of a binary32
  f64,      ///< IEEE 754 binary64, rounded to float32 when read
  boolean,  ///< one byte, 0 or 1
};

/// The format that a file calls `name` ("F32", "BOOL", …), or nothing if it cannot be converted.
std::optional<Dtype> dtype_named(std::string_view name);
/// Bytes of one number in the format of that name, even if it cannot be converted; nothing for a
/// name that safetensors does not define.
std::optional<std::size_t> bytes_of_dtype(std::string_view name);
std::size_t bytes_of(Dtype dtype);

/// Conversion to float32, which represents every binary16 and bfloat16 number exactly.
float float_from_f16(std::uint16_t bits);
float float_from_bf16(std::uint16_t bits);
/// The nearest float32, or ±∞ beyond its range, as in PyTorch.
float float_from_f64(double value);

/// Converts little-endian numbers to float32 (BOOL to 0 and 1).
/// `bytes` holds to.size() numbers of `dtype`, at any alignment. False where a BOOL is neither 0
/// nor 1.
bool convert(Dtype dtype, std::span<const std::byte> bytes, std::span<float> to);

}  // namespace files
