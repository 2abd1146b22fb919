// Looking through many numbers, a few at a time: a hundred thousand of them one by one would show
// in the frame of an edit.
#pragma once

#include <cstddef>

namespace attention {

/// Whether two numbers are the same to the last bit: −0 is not 0, and one NaN may be another.
bool same_bits(float a, float b);

/// The first place of `count` where `a` and `b` differ in any bit; `count` where there is none.
std::size_t first_difference(const float* a, const float* b, std::size_t count);

/// The first place of `count` where `a` and `b` are the same bits; `count` where there is none.
std::size_t first_agreement(const float* a, const float* b, std::size_t count);

/// The largest magnitude among the finite ones of `count` numbers; 0 where there is none.
float largest_finite(const float* x, std::size_t count);

}  // namespace attention
