#include "tensor/tensor.hpp"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "numbers.hpp"
#include "special_floats.hpp"

namespace tensor {
namespace {

using test::counting;
using test::expect_values;

TEST(Tensor, StartsUndefined) {
  const Tensor tensor;
  EXPECT_FALSE(tensor.defined());
  EXPECT_EQ(tensor.size(), 0U);
  EXPECT_EQ(tensor.storage_id(), 0U);
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
  const Tensor tensor = counting({2, 2});
  const Tensor copy = tensor;  // NOLINT(performance-unnecessary-copy-initialization)
  Tensor clone = tensor.clone();
  clone.set({0, 1}, 9.0F);
  expect_values(copy, {1, 2, 3, 4});
  expect_values(clone, {1, 9, 3, 4});
  EXPECT_TRUE(copy.shares_storage_with(tensor));
  EXPECT_FALSE(clone.shares_storage_with(tensor));
}

TEST(Tensor, IsWrittenWhereItsViewBegins) {
  Tensor part = counting({3, 4}).narrow(0, 1, 2);  // the only one that is left
  part.set({1, 2}, -1.0F);
  part.mutable_data()[0] = -2.0F;
  expect_values(part, {-2, 6, 7, 8, 9, 10, -1, 12});
  EXPECT_EQ(part.storage()[4], -2.0F);
}

TEST(Tensor, NoTwoStoragesHaveTheSameId) {
  const Tensor a = counting({2});
  const std::uint64_t gone = counting({2}).storage_id();
  const Tensor b = counting({2});
  EXPECT_NE(a.storage_id(), 0U);
  EXPECT_NE(a.storage_id(), b.storage_id());
  EXPECT_NE(gone, b.storage_id());
  EXPECT_EQ(a.narrow(0, 1, 1).storage_id(), a.storage_id());
  EXPECT_NE(a.clone().storage_id(), a.storage_id());
}

TEST(Tensor, TheSameViewIsMoreThanTheSameStorage) {
  const Tensor tensor = counting({2, 2});
  EXPECT_TRUE(tensor.is_same_view(Tensor(tensor)));
  EXPECT_TRUE(tensor.transpose(0, 1).is_same_view(tensor.transpose(0, 1)));
  EXPECT_FALSE(tensor.is_same_view(tensor.transpose(0, 1)));
  EXPECT_FALSE(tensor.is_same_view(tensor.reshape({4})));
  EXPECT_FALSE(tensor.select(0, 0).is_same_view(tensor.select(0, 1)));
  EXPECT_FALSE(tensor.is_same_view(tensor.clone()));
  EXPECT_FALSE(tensor.is_same_view(Tensor()));
  EXPECT_TRUE(Tensor().is_same_view(Tensor()));
}

TEST(Tensor, TheSameBitsAreMoreThanEqualNumbers) {
  const Tensor tensor({2, 2}, {0, 1, not_a_number, 3});
  EXPECT_TRUE(tensor.has_same_bits(tensor.clone())) << "a NaN is itself";
  EXPECT_FALSE(tensor.has_same_bits(Tensor({2, 2}, {-0.0F, 1, not_a_number, 3})));
  EXPECT_FALSE(tensor.has_same_bits(tensor.reshape({4})));
  EXPECT_FALSE(tensor.has_same_bits(Tensor()));
  EXPECT_TRUE(Tensor().has_same_bits(Tensor()));
  EXPECT_TRUE(Tensor({2, 0}).has_same_bits(Tensor({2, 0})));
  const Tensor turned = counting({2, 3}).transpose(0, 1);
  EXPECT_TRUE(turned.has_same_bits(turned.clone())) << "whatever the strides";
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

TEST(Tensor, SelectAndNarrow) {
  const Tensor tensor = counting({2, 3, 4});
  expect_values(tensor.select(1, 2), {9, 10, 11, 12, 21, 22, 23, 24});
  expect_values(tensor.narrow(2, 1, 2).select(0, 0), {2, 3, 6, 7, 10, 11});
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
  EXPECT_TRUE(upper.covers(upper.expand({3, 6, 4})));
  EXPECT_TRUE(upper.expand({3, 6, 4}).covers(upper));
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

TEST(Tensor, ArrangesItsAxesAndRepeatsWhatItLacks) {
  const Tensor tensor = counting({2, 3});
  const Tensor arranged = tensor.arrange({1, 9, 0}, {3, 2, 2});
  EXPECT_EQ(arranged.strides(), (Strides{1, 0, 3}));
  EXPECT_TRUE(arranged.shares_storage_with(tensor));
  expect_values(arranged, {1, 4, 1, 4, 2, 5, 2, 5, 3, 6, 3, 6});
}

TEST(Tensor, KnowsWhetherItsRowsLieSideBySide) {
  const Tensor tensor = counting({2, 3});
  EXPECT_TRUE(tensor.has_contiguous_rows());
  EXPECT_TRUE(tensor.narrow(1, 1, 2).has_contiguous_rows()) << "the rows may be apart";
  EXPECT_FALSE(tensor.transpose(0, 1).has_contiguous_rows());
  EXPECT_TRUE(tensor.narrow(0, 1, 1).transpose(0, 1).has_contiguous_rows()) << "one number each";
  EXPECT_FALSE(counting({2, 1}).expand({2, 3}).has_contiguous_rows());
}

TEST(Tensor, FindsTheLargestFiniteMagnitudeAtEveryPlace) {
  for (std::size_t count = 1; count <= 21; ++count) {
    for (std::size_t place = 0; place < count; ++place) {
      std::vector<float> x(count, 1.0F);
      x[place] = -4.0F;
      EXPECT_EQ(Tensor({count}, x).largest_finite_stored(), 4.0F) << count;
      for (const float passed_over : {infinity, -infinity, not_a_number, -not_a_number}) {
        x[place] = passed_over;
        EXPECT_EQ(Tensor({count}, x).largest_finite_stored(), count > 1 ? 1.0F : 0.0F) << count;
      }
    }
  }
  EXPECT_EQ(Tensor(Shape{0}).largest_finite_stored(), 0.0F);
}

TEST(Tensor, TheLargestMagnitudeIsThatOfTheStorage) {
  const Tensor tensor({2, 2}, {1, -3, 2, infinity});
  EXPECT_EQ(tensor.select(1, 0).largest_finite_stored(), 3.0F);
  EXPECT_EQ(tensor.largest_finite_stored(), 3.0F);
}

}  // namespace
}  // namespace tensor
