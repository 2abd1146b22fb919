#include "ops/uses.hpp"

namespace ops {
namespace {

TEST(Views, ReshapeMovesNoNumberWhereItNeedNot) {
  const Tensor q = counting({1, 3, 4});
  const Use use = use_of({B, Lq, H, D}, {{q, {B, Lq, A}}});
  Use split = use;
  split.shape = {1, 3, 2, 2};
  const Tensor view = made_by(reshape, split);
  EXPECT_TRUE(view.shares_storage_with(q));
  EXPECT_EQ(view.strides(), (tensor::Strides{12, 4, 2, 1}));
}

TEST(Views, ReshapeCopiesWhereItMust) {
  const Tensor heads = counting({2, 3, 2}).transpose(0, 1);
  Use use = use_of({Lq, A}, {{heads, {Lq, H, D}}});
  use.shape = {3, 4};
  const Tensor merged = made_by(reshape, use);
  EXPECT_FALSE(merged.shares_storage_with(heads));
  EXPECT_TRUE(merged.is_contiguous());
  expect_values(merged, {1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12});
  EXPECT_EQ(explained(reshape, use, {1, 2}).rule, Rule::copied);
  EXPECT_EQ(explained(reshape, use, {1, 2}).terms[0].a.index, (Index{1, 1, 0}));
}

TEST(Views, ReshapeSplitsAnyStrides) {
  const Tensor q = counting({3, 2, 4}).transpose(0, 1);
  Use use = use_of({B, Lq, H, D}, {{q, {B, Lq, A}}});
  use.shape = {2, 3, 2, 2};
  const Tensor split = made_by(reshape, use);
  EXPECT_TRUE(split.shares_storage_with(q));
  EXPECT_EQ(split.strides(), (tensor::Strides{4, 8, 2, 1}));
}

TEST(Views, ReshapePutsWhatItJoinsSideBySide) {
  const Tensor heads = counting({2, 3, 1}).transpose(0, 1);  // evenly spaced: it could be a view
  Use use = use_of({Lq, A}, {{heads, {Lq, H, D}}});
  use.shape = {3, 2};
  const Tensor merged = made_by(reshape, use);
  EXPECT_FALSE(merged.shares_storage_with(heads));
  EXPECT_EQ(merged.strides(), (tensor::Strides{2, 1}));
  expect_values(merged, {1, 4, 2, 5, 3, 6});
}

TEST(Views, PermuteCarriesEachLetterToItsPlace) {
  const Tensor split = counting({1, 3, 2, 2});
  const Tensor heads = made_by(permute, use_of({B, H, Lq, D}, {{split, {B, Lq, H, D}}}));
  EXPECT_TRUE(heads.is_same_view(split.transpose(1, 2)));
  expect_values(heads, {1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12});
}

TEST(Views, SamePassesOnWhatItReads) {
  const Tensor turned = counting({2, 3}).transpose(0, 1);
  EXPECT_TRUE(made_by(same, use_of({L, E}, {{turned, {L, E}}})).is_same_view(turned));
}

}  // namespace
}  // namespace ops
