#include "attention/tensor.hpp"

#include <optional>

#include <gtest/gtest.h>

#include <limits>

#include "attention/helpers.hpp"

namespace attention {
namespace {

using test::counting;
using test::expect_values;

TEST(Tensor, StartsUndefined) {
  const Tensor tensor;
  EXPECT_FALSE(tensor.defined());
  EXPECT_EQ(tensor.size(), 0U);
  EXPECT_EQ(tensor.storage_version(), 0U);
  EXPECT_FALSE(tensor.is_contiguous());
  EXPECT_TRUE(tensor.storage().empty());
  EXPECT_FALSE(tensor.shares_storage_with(Tensor()));
  EXPECT_FALSE(tensor.reshape({0}).defined());
  EXPECT_FALSE(tensor.expand({2}).defined());
  EXPECT_FALSE(tensor.clone().defined());
}

TEST(Tensor, MakesZerosValuesAndRepetitions) {
  expect_values(Tensor({2, 2}), {0, 0, 0, 0});
  expect_values(Tensor({2, 2}, {1, 2, 3, 4}), {1, 2, 3, 4});
  expect_values(Tensor::full({3}, 2.5F), {2.5F, 2.5F, 2.5F});
  EXPECT_EQ(Tensor({2, 3, 4}).strides(), (Strides{12, 4, 1}));
  expect_values(Tensor({}, {7}), {7});
}

TEST(Tensor, ReadsByIndex) {
  const Tensor tensor = counting({2, 3, 4});
  EXPECT_EQ(tensor.at({0, 0, 0}), 1.0F);
  EXPECT_EQ(tensor.at({1, 2, 3}), 24.0F);
  EXPECT_EQ(tensor.position({1, 0, 2}), 14U);
}

TEST(Tensor, CopiesShareNumbersAndClonesDoNot) {
  Tensor tensor = counting({2, 2});
  const Tensor copy = tensor;
  const Tensor clone = tensor.clone();
  tensor.set({0, 1}, 9.0F);
  expect_values(copy, {1, 9, 3, 4});
  expect_values(clone, {1, 2, 3, 4});
  EXPECT_TRUE(copy.shares_storage_with(tensor));
  EXPECT_FALSE(clone.shares_storage_with(tensor));
}

TEST(Tensor, VersionChangesWithTheNumbers) {
  Tensor a = counting({2});
  const Tensor b = counting({2});
  EXPECT_NE(a.storage_version(), 0U);
  EXPECT_NE(a.storage_version(), b.storage_version());
  const std::uint64_t before = a.storage_version();
  const Tensor view = a.narrow(0, 1, 1);
  EXPECT_EQ(view.storage_version(), before);
  a.set({0}, 5.0F);
  EXPECT_NE(a.storage_version(), before);
  EXPECT_EQ(view.storage_version(), a.storage_version());
  const std::uint64_t between = a.storage_version();
  a.mutable_data()[0] = 1.0F;
  EXPECT_NE(a.storage_version(), between);
}

TEST(Tensor, SplitAndTransposeMoveNoNumber) {
  // [L,E] = [3,4] → [L,H,D] = [3,2,2] → [H,L,D]: the step the lesson is about.
  const Tensor projected = counting({3, 4});
  const Tensor split = projected.reshape({3, 2, 2});
  const Tensor heads = split.transpose(0, 1);
  EXPECT_EQ(split.strides(), (Strides{4, 2, 1}));
  EXPECT_EQ(heads.shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(heads.strides(), (Strides{2, 4, 1}));
  EXPECT_TRUE(heads.shares_storage_with(projected));
  expect_values(heads, {1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12});
  EXPECT_FALSE(heads.is_contiguous());
  // And reshaped straight to [H,L,D], head 0 gets numbers of both heads: the well-known bug.
  expect_values(projected.reshape({2, 3, 2}).select(0, 0), {1, 2, 3, 4, 5, 6});
}

TEST(Tensor, ReshapesEvenlySpacedViews) {
  const Tensor tensor = counting({4, 6});
  // Columns 0–3 of each row, split in two: rows are apart, but each new axis stays inside a row.
  const Tensor narrowed = tensor.narrow(1, 0, 4);
  const Tensor split = narrowed.reshape({4, 2, 2});
  ASSERT_TRUE(split.defined());
  EXPECT_EQ(split.strides(), (Strides{6, 2, 1}));
  expect_values(split.select(0, 1), {7, 8, 9, 10});
  // Joining the two axes would have to move numbers.
  EXPECT_FALSE(narrowed.reshape({16}).defined());
  EXPECT_FALSE(tensor.transpose(0, 1).reshape({24}).defined());
  EXPECT_FALSE(tensor.reshape({5, 5}).defined());
  // Axes that continue one another may be joined and cut anew.
  const Tensor columns = tensor.transpose(0, 1).reshape({2, 3, 4});
  ASSERT_TRUE(columns.defined());
  EXPECT_EQ(columns.at({1, 0, 2}), tensor.at({2, 3}));
}

TEST(Tensor, ReshapeGivesContiguousStridesEvenToAxesOfLengthOne) {
  EXPECT_EQ(counting({2, 3}).reshape({1, 2, 1, 3, 1}).strides(), (Strides{6, 3, 3, 1, 1}));
  EXPECT_EQ(counting({1}).reshape({1, 1}).strides(), (Strides{1, 1}));
  EXPECT_EQ(Tensor({2, 0}).reshape({0, 5}).shape(), (Shape{0, 5}));
}

TEST(Tensor, SelectNarrowUnsqueeze) {
  const Tensor tensor = counting({2, 3, 4});
  expect_values(tensor.select(1, 2), {9, 10, 11, 12, 21, 22, 23, 24});
  expect_values(tensor.narrow(2, 1, 2).select(0, 0), {2, 3, 6, 7, 10, 11});
  EXPECT_EQ(tensor.unsqueeze(0).shape(), (Shape{1, 2, 3, 4}));
  EXPECT_EQ(tensor.unsqueeze(1).shape(), (Shape{2, 1, 3, 4}));
  EXPECT_EQ(tensor.unsqueeze(3).shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(tensor.unsqueeze(3).values(), tensor.values());
  EXPECT_TRUE(tensor.unsqueeze(1).is_contiguous());
}

TEST(Tensor, ExpandRepeatsAxesOfLengthOne) {
  const Tensor row({1, 3}, {1, 2, 3});
  const Tensor expanded = row.expand({2, 2, 3});
  EXPECT_EQ(expanded.strides(), (Strides{0, 0, 1}));
  EXPECT_TRUE(expanded.shares_storage_with(row));
  expect_values(expanded, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
  EXPECT_EQ(expanded.size(), 12U);
  EXPECT_FALSE(row.expand({2, 4}).defined());
  EXPECT_FALSE(row.expand({3}).defined());
}

TEST(Tensor, ContiguousCopiesOnlyWhereItMust) {
  const Tensor tensor = counting({2, 3});
  EXPECT_TRUE(tensor.contiguous().shares_storage_with(tensor));
  const Tensor turned = tensor.transpose(0, 1);
  EXPECT_FALSE(turned.contiguous().shares_storage_with(tensor));
  expect_values(turned.contiguous(), {1, 4, 2, 5, 3, 6});
  // Axes of length 1 may have any stride.
  EXPECT_TRUE(counting({2, 1, 3}).transpose(1, 0).is_contiguous());
  EXPECT_FALSE(tensor.expand({2, 2, 3}).is_contiguous());
}

TEST(Tensor, AsRowsKeepsTheLastAxis) {
  EXPECT_EQ(as_rows(counting({2, 3, 4})).shape(), (Shape{6, 4}));
  EXPECT_EQ(as_rows(counting({4})).shape(), (Shape{1, 4}));
  EXPECT_EQ(as_rows(Tensor({2, 0})).shape(), (Shape{0, 0}));
  const Tensor turned = counting({2, 3}).transpose(0, 1);
  expect_values(as_rows(turned), {1, 4, 2, 5, 3, 6});
}

TEST(Tensor, IndexAtIsTheInverseOfPosition) {
  const Tensor base = counting({3, 4, 5});
  for (const Tensor& view :
       {base, base.transpose(0, 2), base.narrow(1, 1, 2).transpose(0, 1), base.select(1, 3),
        base.reshape({3, 2, 2, 5}).transpose(1, 2), base.narrow(2, 2, 1)}) {
    std::vector<bool> covered(base.size(), false);
    Index index = Extents::filled(view.rank(), 0);
    do {
      const std::size_t position = view.position(index);
      covered[position] = true;
      EXPECT_EQ(view.index_at(position), std::optional<Index>(index));
    } while (next_index(index, view.shape()));
    for (std::size_t position = 0; position < base.size() + 3; ++position) {
      const bool expected = position < base.size() && covered[position];
      EXPECT_EQ(view.index_at(position).has_value(), expected) << position;
    }
  }
}

TEST(Tensor, IndexAtOfARepeatedCellIsTheFirst) {
  const Tensor expanded = Tensor({3}, {1, 2, 3}).expand({4, 3});
  EXPECT_EQ(expanded.index_at(2), (std::optional<Index>(Index{0, 2})));
}

TEST(Tensor, CoversWhatLiesInside) {
  const Tensor run = counting({12, 4});
  const Tensor upper = run.narrow(0, 0, 6);
  const Tensor lower = run.narrow(0, 6, 6);
  EXPECT_TRUE(run.covers(upper));
  EXPECT_TRUE(run.covers(lower.transpose(0, 1)));
  EXPECT_FALSE(upper.covers(run));
  EXPECT_FALSE(upper.covers(lower));
  EXPECT_FALSE(run.covers(run.clone()));
  EXPECT_TRUE(upper.covers(upper.unsqueeze(0).expand({3, 6, 4})));
  EXPECT_TRUE(upper.unsqueeze(0).expand({3, 6, 4}).covers(upper));
  // Views with gaps: only cells count.
  const Tensor left = run.narrow(1, 0, 2);
  const Tensor right = run.narrow(1, 2, 2);
  EXPECT_FALSE(left.covers(right.narrow(0, 0, 3)));
  EXPECT_TRUE(left.covers(left.narrow(0, 2, 3).transpose(0, 1)));
}

TEST(Tensor, NextIndexWalksInOrder) {
  Index index{0, 0};
  const Shape shape{2, 3};
  std::vector<std::size_t> seen;
  do {
    seen.push_back(index[0] * 10 + index[1]);
  } while (next_index(index, shape));
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 10, 11, 12}));
  Index none{0, 0};
  EXPECT_FALSE(next_index(none, {2, 0}));
  Index single;
  EXPECT_FALSE(next_index(single, {}));
}

TEST(Tensor, KnowsWhetherItCoversItsStorage) {
  const Tensor tensor = test::counting({2, 3, 4});
  EXPECT_TRUE(tensor.covers_storage());
  EXPECT_TRUE(tensor.transpose(0, 2).covers_storage());
  EXPECT_TRUE(tensor.reshape({6, 4}).covers_storage());
  EXPECT_FALSE(tensor.narrow(1, 0, 2).covers_storage());
  EXPECT_FALSE(tensor.select(0, 1).covers_storage());
  EXPECT_TRUE(test::counting({1, 4}).expand({3, 4}).covers_storage());
  // As many cells as the storage has floats, but two of them again and again.
  EXPECT_FALSE(test::counting({4}).narrow(0, 0, 2).reshape({1, 2}).expand({2, 2}).covers_storage());
  EXPECT_FALSE(Tensor().covers_storage());
  EXPECT_FALSE(Tensor(Shape{0, 3}).covers_storage());
}

TEST(Tensor, LooksForItsLargestNumberAgainAfterItChanged) {
  Tensor tensor({2, 2}, {1.0F, -3.0F, 2.0F, std::numeric_limits<float>::infinity()});
  EXPECT_EQ(tensor.largest_finite_stored(), 3.0F);
  tensor.set({0, 1}, 0.0F);
  EXPECT_EQ(tensor.largest_finite_stored(), 2.0F);
  tensor.mutable_data()[0] = 9.0F;
  EXPECT_EQ(tensor.largest_finite_stored(), 9.0F);
}

// What is known of the others stays when one number is set, and goes along into a copy.
TEST(Tensor, KnowsItsLargestNumberWhateverIsSet) {
  test::Numbers numbers(1);
  const float odd[] = {std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN(), -0.0F, 2.0F, -2.0F};
  Tensor tensor = numbers.tensor({3, 2});
  for (int round = 0; round < 400; ++round) {
    if (numbers.below(4) == 0) tensor = tensor.clone();
    const float value = numbers.below(2) == 0 ? odd[numbers.below(5)] : numbers.next();
    tensor.set(numbers.index(tensor.shape()), value);
    if (numbers.below(3) == 0) continue;
    const Tensor fresh(tensor.shape(), tensor.values());
    ASSERT_EQ(tensor.largest_finite_stored(), fresh.largest_finite_stored()) << round;
  }
}

using Places = std::optional<std::vector<std::size_t>>;

TEST(Tensor, KnowsWhereACopyMayDiffer) {
  const Tensor tensor = test::counting({2, 3});
  Tensor copy = tensor.clone();
  EXPECT_EQ(copy.may_differ_at(tensor), Places(std::in_place));
  copy.set({1, 0}, 0.0F);
  copy.set({0, 2}, 0.0F);
  EXPECT_EQ(copy.may_differ_at(tensor), (Places{{3, 2}}));
  EXPECT_EQ(tensor.may_differ_at(copy), (Places{{3, 2}}));
  Tensor other = tensor.clone();
  other.set({1, 1}, 0.0F);
  EXPECT_EQ(copy.may_differ_at(other), (Places{{3, 2, 4}}));
  Tensor second = copy.clone();
  second.set({0, 0}, 0.0F);
  EXPECT_EQ(second.may_differ_at(copy), (Places{{0}}));
  EXPECT_EQ(copy.may_differ_at(second), (Places{{0}}));
  EXPECT_EQ(tensor.may_differ_at(tensor), Places(std::in_place));
  EXPECT_EQ(tensor.transpose(0, 1).may_differ_at(copy), (Places{{3, 2}}));  // of their storages
}

TEST(Tensor, DoesNotKnowWhereOthersMayDiffer) {
  const Tensor tensor = test::counting({2, 3});
  EXPECT_EQ(tensor.may_differ_at(test::counting({2, 3})), Places());
  EXPECT_EQ(tensor.may_differ_at(Tensor()), Places());
  // Numbers elsewhere than in what was copied.
  EXPECT_EQ(tensor.transpose(0, 1).clone().may_differ_at(tensor), Places());
  EXPECT_EQ(tensor.narrow(0, 1, 1).clone().may_differ_at(tensor), Places());
  // Written over, nobody knows where, and then by one number more.
  Tensor copy = tensor.clone();
  copy.mutable_data()[1] = 7.0F;
  EXPECT_EQ(copy.may_differ_at(tensor), Places());
  copy.set({0, 0}, 3.0F);
  EXPECT_EQ(copy.may_differ_at(tensor), Places());
  // The one that was copied has changed.
  Tensor changing = tensor.clone();
  const Tensor before = changing.clone();
  changing.set({0, 1}, 9.0F);
  EXPECT_EQ(before.may_differ_at(changing), Places());
  // Too often to be kept.
  Tensor often = tensor.clone();
  for (int i = 0; i < 1000; ++i) often.set({0, 1}, static_cast<float>(i));
  EXPECT_EQ(often.may_differ_at(tensor), Places());
  EXPECT_EQ(often.at({0, 1}), 999.0F);
}

}  // namespace
}  // namespace attention
