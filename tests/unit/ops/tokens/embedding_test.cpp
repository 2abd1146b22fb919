#include "fixture_file.hpp"
#include "ops/uses.hpp"

namespace ops {
namespace {

Use embedding_use(const Tensor& tokens, const Tensor& weight, float factor) {
  Constants constants;
  constants.embedding_factor = factor;
  return use_of({B, L, E}, {{tokens, {B, L}}, {weight, {V, E}}}, constants);
}

TEST(Embedding, IsTheRowOfTheToken) {
  const Tensor tokens({1, 3}, {2, 0, 2});
  const Use use = embedding_use(tokens, counting({3, 2}), 1.0F);
  expect_values(made_by(embedding, use), {5, 6, 1, 2, 5, 6});
  const Explanation made = explained(embedding, use, {0, 2, 1});
  EXPECT_EQ(made.rule, Rule::scaled);
  EXPECT_EQ(made.factor, 1.0);
  ASSERT_EQ(made.terms.size(), 1U);
  EXPECT_EQ(made.terms[0].a.tensor.place(), 1U);
  EXPECT_EQ(made.terms[0].a.index, (Index{2, 1}));
}

TEST(Embedding, OfViews) {
  const Tensor tokens = Tensor({2, 2}, {0, 1, 2, 0}).transpose(0, 1);  // 0 2 1 0
  const Tensor weight = counting({2, 3}).transpose(0, 1);              // 1 4, 2 5, 3 6
  expect_values(made_by(embedding, embedding_use(tokens, weight, 2.0F)),
                {2, 8, 6, 12, 4, 10, 2, 8});
}

TEST(Embedding, AsPyTorch) {
  const test::FixtureFile fixture = test::fixture_file("embedding");
  const Use use = embedding_use(fixture["tokens"], fixture["weight"], fixture.number("factor"));
  expect_close(made_by(embedding, use), Array(fixture["expected.result"]), 1e-6, "embedding");
  const Tensor gradient = gradient_by(embedding, 1, use, fixture["d_result"]);
  expect_close(gradient, Array(fixture["expected.d_weight"]), 1e-6, "gradient of the weight");
}

TEST(Embedding, AGradientIsTheSumOverTheTokensPlaces) {
  const Use use = embedding_use(Tensor({1, 3}, {1, 0, 1}), counting({3, 2}), 1.0F);
  expect_values(gradient_by(embedding, 1, use, counting({1, 3, 2})), {3, 4, 6, 8, 0, 0});
  EXPECT_EQ(embedding.backward[0].operation, nullptr) << "tokens are no numbers that could change";
}

TEST(Embedding, AGradientSaysWhichPlacesItIsFrom) {
  const Use use = embedding_use(Tensor({1, 3}, {1, 0, 1}), counting({3, 2}), 3.0F);
  const Use back = gradient_use(embedding, 1, use, embedding.forward(use), counting({1, 3, 2}));
  const Explanation twice = explained(*embedding.backward[1].operation, back, {1, 1});
  EXPECT_EQ(twice.rule, Rule::scaled_sum);
  EXPECT_EQ(twice.result, 3.0 * (2.0 + 6.0));
  ASSERT_EQ(twice.terms.size(), 2U);
  EXPECT_EQ(twice.terms[1].a.index, (Index{0, 2, 1}));
  const Explanation never = explained(*embedding.backward[1].operation, back, {2, 0});
  EXPECT_TRUE(never.terms.empty());
  EXPECT_EQ(never.result, 0.0);
}

}  // namespace
}  // namespace ops
