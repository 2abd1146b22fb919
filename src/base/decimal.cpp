#include "base/decimal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace base {

namespace {

constexpr int most_digits =
    40;  // that are looked at; behind them it only matters whether all are 0
constexpr int least_exponent = -362 - most_digits;  // below it is nothing but 0

/// A whole number, least significant word first: of 40 digits, times 10^308 or with the room that a
/// division by 10^402 needs.
class Whole {
 public:
  /// Multiplies and adds.
  void multiply(std::uint32_t by, std::uint32_t plus = 0) {
    std::uint64_t carry = plus;
    for (std::size_t i = 0; i < size_ || carry != 0; ++i) {
      carry += std::uint64_t{words_[i]} * by;
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
      size_ = std::max(size_, i + 1);
    }
  }

  /// Leaves the remainder out; true if there was one.
  bool divide(std::uint32_t by) {
    std::uint64_t rest = 0;
    for (std::size_t i = size_; i-- > 0;) {
      rest = rest << 32U | words_[i];
      words_[i] = static_cast<std::uint32_t>(rest / by);
      rest %= by;
    }
    return rest != 0;
  }

  /// Multiplies by 2^(32·words).
  void shift_up(std::size_t words) {
    std::copy_backward(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(size_),
                       words_.begin() + static_cast<std::ptrdiff_t>(size_ + words));
    std::fill_n(words_.begin(), words, 0U);
    size_ += words;
  }

  /// How many it has; 0 of zero.
  int bits() const {
    for (std::size_t i = size_; i-- > 0;) {
      if (words_[i] != 0) return static_cast<int>(32 * (i + 1)) - std::countl_zero(words_[i]);
    }
    return 0;
  }

  bool bit(int place) const {
    return (words_[static_cast<std::size_t>(place) / 32] >> (static_cast<unsigned>(place) % 32U) &
            1U) != 0;
  }

 private:
  std::array<std::uint32_t, 52> words_ = {};
  std::size_t size_ = 0;
};

/// What numbers there are.
struct Format {
  int bits = 0;               ///< of a number, at most
  int smallest_exponent = 0;  ///< the last bit of all numbers is at least 2 to this
};
constexpr Format of_double = {53, -1074};
constexpr Format of_float = {24, -149};

/// `number` · 2^exponent as the nearest there is; `more`: and a little more than that.
double nearest(const Whole& number, int exponent, bool more, const Format& format) {
  const int bits = number.bits();
  const int last = std::max(bits - format.bits,
                            format.smallest_exponent - exponent);  // the place of the last bit
  std::uint64_t mantissa = 0;
  for (int place = bits - 1; place >= std::max(last, 0); --place)
    mantissa = mantissa << 1U | (number.bit(place) ? 1U : 0U);
  if (last <= 0) return std::ldexp(static_cast<double>(mantissa), exponent);
  for (int place = 0; place < std::min(last - 1, bits); ++place) more |= number.bit(place);
  const bool half = last <= bits && number.bit(last - 1);
  if (half && (more || (mantissa & 1U) != 0)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), exponent + last);
}

/// number · 10^exponent; `more` as above.
double scaled(Whole number, int exponent, bool more, const Format& format) {
  if (number.bits() == 0 || exponent < least_exponent) return 0.0;
  if (exponent > 308) return std::numeric_limits<double>::infinity();
  if (exponent >= 0) {
    for (; exponent > 0; --exponent) number.multiply(10);
    return nearest(number, 0, more, format);
  }
  // Each digit takes 3.32 bits away; 64 must be left.
  const int words = 3 + -exponent * 10 / 96;
  number.shift_up(static_cast<std::size_t>(words));
  for (; exponent < 0; ++exponent) more |= number.divide(10);
  return nearest(number, -32 * words, more, format);
}

std::optional<double> read(std::string_view text, const Format& format) {
  const auto take = [&text](std::string_view signs) {
    const bool is_there = !text.empty() && signs.find(text.front()) != std::string_view::npos;
    if (is_there) text.remove_prefix(1);
    return is_there;
  };
  const bool is_negative = text.starts_with('-');
  take("+-");
  Whole number;
  int digits = 0;  // from the first that is not 0 on
  int exponent = 0;
  bool more = false;
  bool after_point = false;
  bool has_digits = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '.' && !after_point) {
      after_point = true;
    } else if (c >= '0' && c <= '9') {
      has_digits = true;
      if (digits > 0 || c != '0') ++digits;
      const bool fits = digits <= most_digits;
      if (fits) number.multiply(10, static_cast<std::uint32_t>(c - '0'));
      if (!fits) more |= c != '0';
      exponent += (fits ? 0 : 1) - (after_point ? 1 : 0);
    } else {
      break;
    }
  }
  if (!has_digits) return std::nullopt;
  if (take("eE")) {
    constexpr int largest = 100'000'000;
    const bool down = text.starts_with('-');
    take("+-");
    if (text.empty()) return std::nullopt;
    int power = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1))
      power = std::min(power * 10 + (text.front() - '0'), largest);
    exponent += down ? -power : power;
  }
  if (!text.empty()) return std::nullopt;
  const double value = scaled(number, exponent, more, format);
  return is_negative ? -value : value;
}

}  // namespace

std::optional<double> read_decimal(std::string_view text) { return read(text, of_double); }

std::optional<float> read_float(std::string_view text) {
  const auto number = read(text, of_float);
  if (!number) return std::nullopt;
  constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
  if (std::fabs(*number) <= largest) return static_cast<float>(*number);
  return std::copysign(std::numeric_limits<float>::infinity(),
                       static_cast<float>(*number < 0 ? -1 : 1));
}

std::string shortest_decimal(float number) {
  char text[32];
  for (int digits = 1; digits <= std::numeric_limits<float>::max_digits10; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    // By way of a double it can end on the other side of the middle between two floats.
    if (read_float(text) == number && static_cast<float>(*read_decimal(text)) == number) break;
  }
  return text;
}

}  // namespace base
