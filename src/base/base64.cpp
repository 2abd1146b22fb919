#include "base/base64.hpp"

namespace base {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::optional<std::uint32_t> six_bits(char c) {
  if (c == '+') c = '-';
  if (c == '/') c = '_';
  const std::size_t place = alphabet.find(c);
  if (place == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(place);
}

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  std::uint32_t waiting = 0;  // bits read and not yet written
  unsigned count = 0;         // ... how many
  for (const std::uint8_t byte : bytes) {
    waiting = waiting << 8U | byte;
    count += 8;
    while (count >= 6) {
      count -= 6;
      text += alphabet[waiting >> count & 0x3FU];
    }
  }
  if (count > 0) text += alphabet[waiting << (6 - count) & 0x3FU];
  return text;
}

std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text) {
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  if (padding > 0 && (text.size() + padding) % 4 != 0) return std::nullopt;
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t waiting = 0;
  unsigned count = 0;
  for (const char c : text) {
    const auto bits = six_bits(c);
    if (!bits) return std::nullopt;
    waiting = waiting << 6U | *bits;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(waiting >> count & 0xFFU));
  }
  // Bits that belong to no byte are zero in what a writer wrote.
  if ((waiting & ((1U << count) - 1U)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace base
