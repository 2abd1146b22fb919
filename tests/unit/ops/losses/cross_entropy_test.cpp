#include <cmath>

#include "fixture_file.hpp"
#include "ops/uses.hpp"

namespace ops {
namespace {

Use cross_entropy_use(const Tensor& logits, const Tensor& right, float smoothing = 0.0F) {
  Constants constants;
  constants.label_smoothing = smoothing;
  return use_of({}, {{logits, {B, L, V}}, {right, {B, L}}}, constants);
}

TEST(CrossEntropy, OfEqualLogitsIsTheLogarithmOfTheirNumber) {
  const Use use = cross_entropy_use(Tensor::full({1, 2, 4}, 3.0F), Tensor({1, 2}, {0, 3}));
  const Tensor loss = made_by(cross_entropy, use);
  EXPECT_EQ(loss.rank(), 0U);
  EXPECT_NEAR(loss.at({}), std::log(4.0F), 1e-6F);
  const Explanation made = explained(cross_entropy, use, {});
  EXPECT_EQ(made.rule, Rule::cross_entropy);
  ASSERT_EQ(made.terms.size(), 2U);
  EXPECT_EQ(made.terms[1].a.index, (Index{0, 1, 3}));
  EXPECT_NEAR(made.terms[1].value, std::log(4.0) / 2.0, 1e-12);
}

TEST(CrossEntropy, AsPyTorch) {
  for (const char* name : {"cross_entropy", "cross_entropy_smoothed"}) {
    const test::FixtureFile fixture = test::fixture_file(name);
    const Use use =
        cross_entropy_use(fixture["logits"], fixture["right"], fixture.number("label_smoothing"));
    const Tensor loss = made_by(cross_entropy, use);
    expect_close(loss, Array(fixture["expected.result"]), 2e-6, name);
    const Tensor gradient = gradient_by(cross_entropy, 0, use, fixture["d_result"]);
    expect_close(gradient, Array(fixture["expected.d_logits"]), 1e-6, name);
    EXPECT_EQ(cross_entropy.backward[1].operation, nullptr);
  }
}

TEST(CrossEntropy, PlacesThatDoNotCountChangeNothing) {
  Numbers numbers(1);
  const Tensor logits = numbers.tensor({1, 3, 5});
  const Use all = cross_entropy_use(logits, Tensor({1, 3}, {4, -1, -1}), 0.1F);
  const Use alone = cross_entropy_use(logits.narrow(1, 0, 1), Tensor({1, 1}, {4}), 0.1F);
  EXPECT_EQ(made_by(cross_entropy, all).at({}), made_by(cross_entropy, alone).at({}));
  const Tensor gradient = gradient_by(cross_entropy, 0, all, Tensor::full({}, 1.0F));
  expect_values(gradient.narrow(1, 1, 2), std::vector<float>(10, 0.0F));
}

TEST(CrossEntropy, OfNothingThatCountsIsZero) {
  const Use use = cross_entropy_use(counting({1, 2, 3}), Tensor::full({1, 2}, -1.0F));
  EXPECT_EQ(made_by(cross_entropy, use).at({}), 0.0F);
  expect_values(gradient_by(cross_entropy, 0, use, Tensor::full({}, 1.0F)),
                std::vector<float>(6, 0.0F));
}

TEST(CrossEntropy, OfLargeLogitsIsFinite) {
  const Use use =
      cross_entropy_use(Tensor({1, 2, 2}, {1000, -1000, 1000, -1000}), Tensor({1, 2}, {0, 1}));
  EXPECT_EQ(made_by(cross_entropy, use).at({}), 1000.0F);  // of 0 and 2000
  expect_values(gradient_by(cross_entropy, 0, use, Tensor::full({}, 1.0F)), {0, 0, 0.5F, -0.5F});
}

TEST(CrossEntropy, OfAView) {
  const Tensor logits = counting({4, 2}).transpose(0, 1).reshape({1, 2, 4});  // 1 3 5 7, 2 4 6 8
  const Tensor turned = counting({1, 4, 2}).transpose(1, 2);
  const Tensor right({1, 2}, {1, 2});
  EXPECT_EQ(made_by(cross_entropy, cross_entropy_use(turned, right)).at({}),
            made_by(cross_entropy, cross_entropy_use(logits, right)).at({}));
}

}  // namespace
}  // namespace ops
