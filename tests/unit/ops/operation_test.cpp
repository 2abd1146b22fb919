#include <vector>

#include "ops/uses.hpp"

namespace ops {
namespace {

TEST(Operation, OperandsAreSpreadByTheirLetters) {
  const Use use = use_of({B, H, Lq, Lk},
                         {{counting({2, 3, 4, 5}), {B, H, Lq, Lk}}, {counting({5, 2}), {Lk, B}}});
  const Tensor spread_out = spread(use[1], use);
  EXPECT_EQ(spread_out.shape(), use.shape);
  EXPECT_TRUE(spread_out.shares_storage_with(use[1].tensor));
  EXPECT_EQ(spread_out.at({1, 2, 3, 4}), use[1].tensor.at({4, 1}));
  EXPECT_EQ(index_of(use[1].axes, use.axes, {1, 2, 3, 4}), (Index{4, 1}));
  EXPECT_EQ(index_of({D, Lq}, use.axes, {1, 2, 3, 4}), (Index{0, 3})) << "no D: its first";
}

TEST(Operation, WalksAlongOneAxis) {
  const Use use = use_of({B, Lq}, {{counting({4, 3}).transpose(0, 1), {B, Lq}}});
  std::vector<float> seen;
  std::vector<Index> places;
  walk(use[0], {1, 0}, 1, [&](const Cell& cell) {
    seen.push_back(cell.value);
    places.push_back(cell.index);
    EXPECT_EQ(cell.tensor, use[0].id);
  });
  EXPECT_EQ(seen, (std::vector<float>{2, 5, 8, 11}));
  EXPECT_EQ(places.back(), (Index{1, 3}));
}

TEST(Operation, AMaskHidesAllOrNot) {
  const float lowest = std::numeric_limits<float>::lowest();
  const Tensor mask({1, 1, 3, 2}, {hidden, hidden, hidden, 0.0F, hidden, lowest});
  EXPECT_TRUE(hides_all(mask, {0, 0, 0}));
  EXPECT_FALSE(hides_all(mask, {0, 0, 1}));
  EXPECT_FALSE(hides_all(mask, {0, 0, 2})) << "very small is not hidden";
}

TEST(Operation, TermsAreWhatTheyContribute) {
  const Cell a{TensorId::at(1), {0}, 3.0F};
  const Cell b{TensorId::at(2), {0}, -0.5F};
  EXPECT_EQ(term_of(a).value, 3.0);
  EXPECT_FALSE(term_of(a).has_b);
  EXPECT_EQ(term_of(a, b).value, -1.5);
  Explanation made;
  made.terms = {term_of(a), term_of(a, b)};
  made.bias = a;
  made.add_up();
  EXPECT_EQ(made.result, 4.5);
  made.overwrite(Rule::ablated);
  EXPECT_EQ(made.rule, Rule::ablated);
  EXPECT_EQ(made.result, 0.0);
  EXPECT_EQ(made.terms[0].value, 0.0);
  EXPECT_EQ(made.terms[0].a.value, 3.0F) << "still named";
  Explanation copy;
  copy.copy_of(b, Rule::copied);
  EXPECT_EQ(copy.rule, Rule::copied);
  EXPECT_EQ(copy.result, -0.5);
}

}  // namespace
}  // namespace ops
