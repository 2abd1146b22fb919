#include "attention/scan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "special_floats.hpp"

namespace attention {
namespace {

using Scan = std::size_t (*)(const float* a, const float* b, std::size_t count);

/// `scan` passes over places where b has the one number and stops at the first with the other.
void expect_found_at_every_place(Scan scan, float passed_over, float looked_for) {
  for (std::size_t count = 0; count <= 37; ++count) {
    const std::vector<float> a(count, 1.0F);
    const std::vector<float> without(count, passed_over);
    EXPECT_EQ(scan(a.data(), without.data(), count), count);
    for (std::size_t place = 0; place < count; ++place) {
      std::vector<float> b = without;
      b[place] = b.back() = looked_for;
      EXPECT_EQ(scan(a.data(), b.data(), count), place) << count;
    }
  }
}

TEST(Scan, FindsTheFirstDifferenceAtEveryPlace) {
  expect_found_at_every_place(first_difference, 1.0F, 2.0F);
}

TEST(Scan, FindsTheFirstAgreementAtEveryPlace) {
  expect_found_at_every_place(first_agreement, 2.0F, 1.0F);
}

TEST(Scan, ComparesBitsAndNotNumbers) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{16}}) {
    const std::vector<float> zero(count, 0.0F);
    const std::vector<float> minus(count, -0.0F);
    const std::vector<float> undefined(count, not_a_number);
    EXPECT_EQ(first_difference(zero.data(), minus.data(), count), 0U);
    EXPECT_EQ(first_agreement(zero.data(), minus.data(), count), count);
    EXPECT_EQ(first_difference(undefined.data(), undefined.data(), count), count);
    EXPECT_EQ(first_agreement(undefined.data(), undefined.data(), count), 0U);
  }
}

TEST(Scan, FindsTheLargestFiniteMagnitudeAtEveryPlace) {
  EXPECT_EQ(largest_finite(nullptr, 0), 0.0F);
  for (std::size_t count = 1; count <= 21; ++count) {
    for (std::size_t place = 0; place < count; ++place) {
      std::vector<float> x(count, 1.0F);
      x[place] = -4.0F;
      EXPECT_EQ(largest_finite(x.data(), count), 4.0F) << count;
      for (const float passed_over : {infinity, -infinity, not_a_number, -not_a_number}) {
        x[place] = passed_over;
        EXPECT_EQ(largest_finite(x.data(), count), count > 1 ? 1.0F : 0.0F) << count;
      }
    }
  }
}

TEST(Scan, KnowsTheEndsOfFloats) {
  const std::vector<float> ends{std::numeric_limits<float>::denorm_min(), -0.0F};
  EXPECT_EQ(largest_finite(ends.data(), 2), std::numeric_limits<float>::denorm_min());
  const float most = std::numeric_limits<float>::lowest();
  EXPECT_EQ(largest_finite(&most, 1), std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace attention
