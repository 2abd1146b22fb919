// The exponential function, four at a time. In a header: called for every weight there is.
#pragma once

#include "attention/lanes.hpp"

namespace attention {

/// 2^n for −126 ≤ n ≤ 127.
inline Four power_of_two(FourBits n) { return from_bits((n + 127) << 23); }

/// e to the power of each x, within 1.1 ulp, below 2^−126 within one step of the subnormal numbers
/// (tests/unit/attention/exponential_test.cpp goes through the whole range). e^−∞ = 0, e^∞ = ∞,
/// e^NaN is NaN. The same bits in every build.
///
/// e^x = 2^n · e^r with n = round(x / ln 2), |r| ≤ ln 2 / 2, and e^r from a polynomial: the
/// reduction of W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980),
/// ch. 6.
inline Four exponential(Four x) {
  // Beyond these e^x is 0 and ∞ in float32. A comparison with NaN is false, and NaN stays.
  constexpr float lowest = -104.0F;
  constexpr float highest = 89.0F;
  x = x < lowest ? all_four(lowest) : x;
  x = x > highest ? all_four(highest) : x;

  // 1.5 · 2^23: added and taken away again, it rounds to a whole number; in between, the last bits
  // are that number.
  const Four rounder = all_four(12582912.0F);
  const Four shifted = x * 1.44269502F + rounder;  // · 1 / ln 2
  const Four n = shifted - rounder;
  // ln 2 in two parts: the first ends in 12 zero bits, so that n times it is exact.
  const Four r = (x - n * 0x1.62e000p-1F) - n * 0x1.0bfbe8p-15F;

  // (e^r − 1 − r) / r², interpolated at Chebyshev's points of |r| ≤ ln 2 / 2; off by 0.1 ulp of
  // e^r.
  Four q = all_four(0.00139336882F);
  q = q * r + 0.00836320501F;
  q = q * r + 0.041666463F;
  q = q * r + 0.166665763F;
  q = q * r + 0.5F;
  const Four e_r = (q * r * r + r) + 1.0F;

  // In two steps: 2^n alone may be too large or too small for a float where e^r · 2^n is not.
  const FourBits whole = bits_of(shifted) - bits_of(rounder);
  const FourBits half = whole >> 1;
  return e_r * power_of_two(half) * power_of_two(whole - half);
}

}  // namespace attention
