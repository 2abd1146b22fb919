#include "files/layers/naming.hpp"

#include <algorithm>
#include <cstdint>

#include "base/decimal.hpp"

namespace files {

std::string bias_of(std::string_view weight) {
  if (weight.starts_with("W_")) return "b_" + std::string(weight.substr(2));
  constexpr std::string_view last = "weight";
  return std::string(weight.substr(0, weight.size() - last.size())) + "bias";
}

bool fits(const Naming& naming, std::string_view prefix) {
  if (!prefix.empty() && !prefix.ends_with('.')) return false;
  std::string_view ends = naming.ends;
  if (ends.empty()) return true;
  while (!ends.empty()) {
    ends.remove_prefix(1);  // the space
    const std::string_view one = ends.substr(0, ends.find(' '));
    // ".attn." is any word "attn", also as the first.
    if (prefix.ends_with(one) || (one.starts_with('.') && prefix == one.substr(1))) return true;
    ends.remove_prefix(one.size());
  }
  return false;
}

std::optional<std::size_t> last_number(std::string_view name) {
  while (!name.empty()) {
    const std::size_t dot = name.rfind('.');
    const std::string_view word = dot == std::string_view::npos ? name : name.substr(dot + 1);
    if (const auto number = base::read_whole<std::uint32_t>(word)) return *number;
    name = dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
  }
  return std::nullopt;
}

bool is_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number_at = [&](std::string_view& text) {
    while (!text.empty() && text.front() == '0') text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    return std::pair(digits.size(), digits);
  };
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto number_a = number_at(a);
      const auto number_b = number_at(b);
      if (number_a != number_b) return number_a < number_b;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // "h.01" and "h.1"
}

}  // namespace files
