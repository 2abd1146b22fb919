#include "model/attention/mask.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "model/problems.hpp"

namespace model {
namespace {

constexpr float X = hidden;

TEST(Mask, PaddingHidesTheKeysPastEachLength) {
  const std::vector<std::size_t> lengths{3, 1, 0};
  const Tensor mask = padding_mask(lengths, 3);
  EXPECT_EQ(mask.shape(), (Shape{3, 1, 1, 3}));
  expect_values(mask, {0, 0, 0, 0, X, X, X, X, X});
}

TEST(Mask, LookAheadHidesLaterKeys) {
  expect_values(look_ahead_mask(3, 3), {0, X, X, 0, 0, X, 0, 0, 0});
  expect_values(look_ahead_mask(2, 4), {0, X, X, X, 0, 0, X, X});
  expect_values(look_ahead_mask(3, 2), {0, X, 0, 0, 0, 0});
}

TEST(Mask, CombinedMasksStaySmall) {
  const std::vector<std::size_t> lengths{2, 1};
  const Tensor padding = padding_mask(lengths, 2);  // [2,1,1,2]
  EXPECT_EQ(combine_masks(look_ahead_mask(2, 2), look_ahead_mask(2, 2)).shape(), (Shape{2, 2}));
  EXPECT_EQ(combine_masks(padding, padding).shape(), (Shape{2, 1, 1, 2}));
  const Tensor both = combine_masks(look_ahead_mask(2, 2), padding);
  EXPECT_EQ(both.shape(), (Shape{2, 1, 2, 2}));
  expect_values(both, {0, X, 0, 0, 0, X, 0, X});
  const Tensor samples = combine_masks(Tensor({2, 1, 2}, {0, 1, 2, 3}), Tensor({2, 1}, {10, 20}));
  EXPECT_EQ(samples.shape(), (Shape{2, 2, 2}));
  expect_values(samples, {10, 11, 20, 21, 12, 13, 22, 23});
}

TEST(Mask, CombiningWithNothingChangesNothing) {
  const Tensor mask = look_ahead_mask(2, 2);
  EXPECT_TRUE(combine_masks(mask, Tensor()).shares_storage_with(mask));
  EXPECT_TRUE(combine_masks(Tensor(), mask).shares_storage_with(mask));
  EXPECT_FALSE(combine_masks(Tensor(), Tensor()).defined());
  EXPECT_FALSE(combine_masks(Tensor({2, 3}), Tensor({2, 4})).defined());
  EXPECT_FALSE(combine_masks(Tensor({3}), mask).defined());
  // Two small masks can ask for a huge one.
  const Tensor dot({1, 1});
  EXPECT_FALSE(combine_masks(dot.expand({65536, 1}), dot.expand({1, 65536})).defined());
}

TEST(Mask, ExpandsFromEveryShape) {
  const Shape full{2, 3, 4, 5};
  for (const Shape& shape :
       {Shape{4, 5}, Shape{1, 5}, Shape{4, 1}, Shape{2, 4, 5}, Shape{1, 4, 5}, Shape{2, 1, 5},
        Shape{2, 3, 4, 5}, Shape{2, 1, 1, 5}, Shape{1, 3, 4, 1}}) {
    const Tensor mask = counting(shape);
    const Tensor expanded = expand_mask(mask, {2, 3, 4, 5});
    ASSERT_TRUE(expanded.defined()) << describe(shape);
    EXPECT_EQ(expanded.shape(), full);
    EXPECT_TRUE(expanded.shares_storage_with(mask));
  }
  // A mask with three axes is [B,Lq,Lk], not [H,Lq,Lk].
  const Tensor per_sample = counting({2, 4, 5});
  EXPECT_EQ(expand_mask(per_sample, {2, 3, 4, 5}).at({1, 2, 3, 4}), per_sample.at({1, 3, 4}));
  for (const Shape& shape : {Shape{5}, Shape{5, 4}, Shape{3, 4, 5}, Shape{2, 2, 4, 5}}) {
    EXPECT_FALSE(expand_mask(Tensor(shape), {2, 3, 4, 5}).defined()) << describe(shape);
  }
}

}  // namespace
}  // namespace model
