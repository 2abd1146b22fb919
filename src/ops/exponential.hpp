// The exponential function as an xtensor expression that compilers turn into SIMD.
#pragma once

#include <cstdint>
#include <utility>

#include "tensor/xtensor.hpp"

namespace ops {

/// e^x for x ≤ 0: within 1.1 ulp, below 2^−126 within one step of the subnormal numbers
/// (tests/unit/ops/exponential_test.cpp goes through the whole range). e^−∞ = 0, e^NaN is NaN. The
/// same bits in every build.
///
/// e^x = 2^n · e^r with n = round(x / ln 2), |r| ≤ ln 2 / 2, and e^r from a polynomial: the
/// reduction of W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980),
/// ch. 6. Without a branch or a call, so that the loop around it becomes SIMD (std::exp does not).
inline float exponential_of(float x) {
  // std::bit_cast is missing in the standard library of Emscripten 3.1.6.
  const auto bits_of = [](float value) { return __builtin_bit_cast(std::uint32_t, value); };
  // 1.5 · 2^23: added and taken away again, it rounds to a whole number; in between, the last bits
  // are that number.
  constexpr float rounder = 12582912.0F;
  const float shifted = x * 1.44269502F + rounder;  // · 1 / ln 2
  const float n = shifted - rounder;
  // ln 2 in two parts: the first ends in 12 zero bits, so that n times it is exact.
  const float r = (x - n * 0x1.62e000p-1F) - n * 0x1.0bfbe8p-15F;

  // (e^r − 1 − r) / r², interpolated at Chebyshev's points of |r| ≤ ln 2 / 2; off by 0.1 ulp of
  // e^r.
  float q = 0.00139336882F;
  q = q * r + 0.00836320501F;
  q = q * r + 0.041666463F;
  q = q * r + 0.166665763F;
  q = q * r + 0.5F;
  const float e_r = (q * r * r + r) + 1.0F;

  // In two steps, 2^(n + 64) and 2^−64: 2^n alone may be too small for a float. The exponent's bits
  // begin at the 23rd and count from 127.
  const std::uint32_t exponent = (bits_of(shifted) - bits_of(rounder) + (127 + 64)) << 23U;
  const float power = e_r * __builtin_bit_cast(float, exponent) * 0x1p-64F;

  // Below −104 the result is 0, and the bits computed above are meaningless. NaN compares false, so
  // it stays NaN.
  const std::uint32_t kept = x < -104.0F ? 0U : ~0U;
  return __builtin_bit_cast(float, bits_of(power) & kept);
}

/// exponential_of for each number of an xtensor expression. (xtensor has an `exp` of its own.)
template <typename Expression>
auto exponential(Expression&& x) {
  return xt::make_lambda_xfunction([](float value) { return exponential_of(value); },
                                   std::forward<Expression>(x));
}

}  // namespace ops
