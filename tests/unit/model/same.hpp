// Comparison to the last bit: for two ways to the same numbers.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "model/trace.hpp"

namespace model {

/// The same tensors with the same bits, views of the same tensors, with the same strides.
inline void expect_same_trace(const Trace& ours, const Trace& theirs) {
  ASSERT_EQ(ours.present(), theirs.present());
  for (const TensorId id : ours.present()) {
    EXPECT_TRUE(ours[id].has_same_bits(theirs[id])) << ours.name << ' ' << name_of(id);
    EXPECT_EQ(ours[id].strides(), theirs[id].strides()) << ours.name << ' ' << name_of(id);
    EXPECT_EQ(ours.view_of(id), theirs.view_of(id)) << ours.name << ' ' << name_of(id);
  }
}

inline void expect_same_traces(const std::vector<Trace>& ours, const std::vector<Trace>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) expect_same_trace(ours[i], theirs[i]);
}

}  // namespace model
