#include <cmath>

#include "lesson/forward.hpp"

namespace lesson {
namespace {

enum Word : std::size_t { the, cat, jumped, over, the_again, lazy, dog };

class LazyDog : public ::testing::Test {
 protected:
  float dot(Word a, Word b) const { return trace["scores"].at({0, 0, a, b}); }
  float length(Word a) const { return std::sqrt(dot(a, a)); }
  float cosine(Word a, Word b) const { return dot(a, b) / (length(a) * length(b)); }

  Problem problem = made(ExampleId::lazy_dog);
  model::Trace trace = forward(problem);
};

TEST_F(LazyDog, IsSevenWordsInAPlane) {
  EXPECT_EQ(problem.source.tokens.front(),
            (std::vector<std::string>{"the", "cat", "jumped", "over", "the", "lazy", "dog"}));
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 7, 2}));
  EXPECT_EQ(problem.options.num_heads, 1U);
  EXPECT_FALSE(problem.weights["q_proj_weight"].defined());
  EXPECT_EQ(problem.source.tokens.front()[example(ExampleId::lazy_dog).query], "cat");
}

// a = torch.tensor([[-.3, -.4], [1.6, .8], [.4, 2], [-.6, 1.2], [-.3, -.4], [1.2, -.9], [2.4, .6]],
//                  dtype=torch.float64)
// w = torch.softmax(a @ a.T / 2 ** .5, -1); w @ a
TEST_F(LazyDog, WeightsAndOutputAreThoseOfPyTorch) {
  expect_near(weights_of(trace, 0, the),
              {0.2060F, 0.0981F, 0.0901F, 0.1396F, 0.2060F, 0.1726F, 0.0876F}, 5.1e-5F);
  expect_near(weights_of(trace, 0, cat),
              {0.0141F, 0.2392F, 0.1213F, 0.0249F, 0.0141F, 0.0582F, 0.5281F}, 5.1e-5F);
  expect_near(weights_of(trace, 0, lazy),
              {0.0660F, 0.1542F, 0.0260F, 0.0185F, 0.0660F, 0.3240F, 0.3453F}, 5.1e-5F);
  expect_near(trace["output"].values(),
              {0.4028F, 0.1585F, 1.7451F, 0.7171F, 0.6913F, 1.4306F, 0.2221F, 1.1784F, 0.4028F,
               0.1585F, 1.4240F, 0.0602F, 2.0587F, 0.6202F},
              5.1e-5F);
}

TEST_F(LazyDog, LikeWordsPointAlike) {
  EXPECT_EQ(weights_of(trace, 0, the), weights_of(trace, 0, the_again));
  EXPECT_NEAR(cosine(the, the_again), 1.0F, 1e-6F);
  EXPECT_GT(cosine(cat, dog), 0.95F);
  for (const Word other : {the, jumped, over, lazy}) EXPECT_LT(cosine(cat, other), 0.7F) << other;
}

TEST_F(LazyDog, DotProductAngleAndWeightTellDifferentStories) {
  EXPECT_NEAR(dot(cat, over), 0.0F, 1e-6F);  // a right angle
  EXPECT_NEAR(dot(the, lazy), 0.0F, 1e-6F);
  EXPECT_LT(cosine(cat, the), -0.8F);  // nearly opposite, and yet the score is hardly below 0
  EXPECT_GT(dot(cat, the), -1.0F);
  // No arrow is closer than one's own, but a long one gets more weight.
  for (const Word query : {cat, lazy}) {
    EXPECT_LT(cosine(query, dog), 0.999F);
    EXPECT_GT(weights_of(trace, 0, query)[dog], weights_of(trace, 0, query)[query]);
  }
}

TEST_F(LazyDog, SizesAreFixed) {
  const Example& description = example(ExampleId::lazy_dog);
  EXPECT_FALSE(description.has_sizes);
  Parameters parameters;
  parameters.embed_dim = 4;
  parameters.num_heads = 2;
  EXPECT_EQ(shortest(ExampleId::lazy_dog, parameters), Parameters{});
  EXPECT_EQ(made(ExampleId::lazy_dog, parameters).source.embedding.values(),
            problem.source.embedding.values());
}

}  // namespace
}  // namespace lesson
