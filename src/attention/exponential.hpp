// The exponential function, a vector at a time. In a header: called for every weight there is.
#pragma once

#include "attention/lanes.hpp"

namespace attention {

/// e to the power of each x, for x ≤ 0: within 1.1 ulp, below 2^−126 within one step of the
/// subnormal numbers (tests/unit/attention/exponential_test.cpp goes through the whole range).
/// e^−∞ = 0, e^NaN is NaN. The same bits in every build
/// and for every width.
///
/// e^x = 2^n · e^r with n = round(x / ln 2), |r| ≤ ln 2 / 2, and e^r from a polynomial: the
/// reduction of W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980),
/// ch. 6.
template <typename Vector>
[[gnu::always_inline]] inline Vector exponential(Vector x) {
  // 1.5 · 2^23: added and taken away again, it rounds to a whole number; in between, the last bits
  // are that number.
  const Vector rounder = Vector{} + 12582912.0F;
  const Vector shifted = x * 1.44269502F + rounder;  // · 1 / ln 2
  const Vector n = shifted - rounder;
  // ln 2 in two parts: the first ends in 12 zero bits, so that n times it is exact.
  const Vector r = (x - n * 0x1.62e000p-1F) - n * 0x1.0bfbe8p-15F;

  // (e^r − 1 − r) / r², interpolated at Chebyshev's points of |r| ≤ ln 2 / 2; off by 0.1 ulp of
  // e^r.
  Vector q = Vector{} + 0.00139336882F;
  q = q * r + 0.00836320501F;
  q = q * r + 0.041666463F;
  q = q * r + 0.166665763F;
  q = q * r + 0.5F;
  const Vector e_r = (q * r * r + r) + 1.0F;

  // In two steps, 2^(n + 64) and 2^−64: 2^n alone may be too small for a float. The exponent's bits
  // begin at the 23rd and count from 127.
  const BitsOf<Vector> exponent = (bits_of(shifted) - bits_of(rounder) + (127 + 64)) << 23;
  const Vector power = e_r * from_bits<Vector>(exponent) * 0x1p-64F;

  // Below this it is 0, and the bits above make no sense. A comparison with NaN is false, and NaN
  // stays.
  const BitsOf<Vector> too_small = x < -104.0F;
  return from_bits<Vector>(bits_of(power) & ~too_small);
}

}  // namespace attention
