// Comparison to the last bit: for two ways through the same computation.
#pragma once

#include <cmath>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "attention/trace.hpp"

namespace attention::test {

/// The same bits, but any NaN for any NaN.
inline void expect_same(const Tensor& ours, const Tensor& theirs, const std::string& what) {
  ASSERT_EQ(ours.shape(), theirs.shape()) << what;
  const std::vector<float> a = ours.values();
  const std::vector<float> b = theirs.values();
  if (std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) return;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    // −0 and 0 are equal, and not the same bits.
    const bool same = a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i]);
    ASSERT_TRUE(same) << what << ' ' << i << ": " << a[i] << " and " << b[i];
  }
}

/// The same tensors, views of the same tensors, with the same numbers.
inline void expect_same_trace(const Trace& ours, const Trace& theirs) {
  ASSERT_EQ(ours.present(), theirs.present());
  for (const TensorId id : ours.present()) {
    expect_same(ours[id], theirs[id], std::string(name_of(id)));
    EXPECT_EQ(ours.view_of(id), theirs.view_of(id)) << name_of(id);
  }
}

}  // namespace attention::test
