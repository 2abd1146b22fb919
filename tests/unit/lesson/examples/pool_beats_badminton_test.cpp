#include "lesson/forward.hpp"

namespace lesson {
namespace {

Problem make_pool(std::size_t variant, std::uint32_t seed = 1) {
  Parameters parameters;
  parameters.variant = variant;
  parameters.seed = seed;
  auto problem = make_problem(ExampleId::pool_beats_badminton, parameters);
  EXPECT_TRUE(problem);
  return *std::move(problem);
}

TEST(PoolBeatsBadminton, HasTheNumbersOfItsArticleInEveryVariant) {
  for (std::size_t variant = 0; variant < 3; ++variant) {
    const Problem problem = make_pool(variant);
    EXPECT_EQ(problem.source.tokens.front(),
              (std::vector<std::string>{"pool", "beats", "badminton"}));
    EXPECT_EQ(problem.source.embedding.values(),
              (std::vector<float>{0.5F, 0.1F, 0.1F, 0.2F, 0.1F, 0.5F, 0.2F, 0.1F, 0.5F, 0.1F, 0.2F,
                                  0.1F}));
    EXPECT_FALSE(problem.position_encoding);
  }
}

TEST(PoolBeatsBadminton, StartsBareThenScalesThenProjects) {
  using Kind = model::Scale::Kind;
  EXPECT_EQ(make_pool(0).options.scale.kind, Kind::none);
  EXPECT_EQ(make_pool(1).options.scale.kind, Kind::sqrt_head_dim);
  EXPECT_EQ(make_pool(1).options.scale.divisor(4, 3), 2.0F);
  EXPECT_FALSE(make_pool(0).weights["q_proj_weight"].defined());
  EXPECT_FALSE(make_pool(1).weights["out_proj_weight"].defined());

  const model::Tensors weights = make_pool(2).weights;
  for (const tensor::Tensor& weight : {weights["q_proj_weight"], weights["k_proj_weight"],
                                       weights["v_proj_weight"], weights["out_proj_weight"]}) {
    EXPECT_EQ(weight.shape(), (tensor::Shape{4, 4}));
  }
  EXPECT_FALSE(weights["q_proj_bias"].defined());
}

// As the article prints them, to four decimals.
TEST(PoolBeatsBadminton, ScoresAndOutputAreThoseOfItsArticle) {
  const model::Trace trace = forward(make_pool(0));
  expect_near(trace["scores"].values(),
              {0.31F, 0.14F, 0.30F, 0.14F, 0.31F, 0.15F, 0.30F, 0.15F, 0.31F}, 1e-6F);
  expect_near(trace["output"].values(),
              {0.3809F, 0.2191F, 0.1647F, 0.1353F, 0.3516F, 0.2484F, 0.1687F, 0.1313F, 0.3801F,
               0.2199F, 0.1652F, 0.1348F},
              5.1e-5F);
}

TEST(PoolBeatsBadminton, SaysOfItsWeightsThatTheyAreRandom) {
  EXPECT_EQ(make_pool(0).note, "");
  EXPECT_EQ(make_pool(1).note, "");
  EXPECT_EQ(make_pool(2, 5).note, "The weights are random (seed 5), not trained.");
  EXPECT_NE(make_pool(2, 5).weights["q_proj_weight"].values(),
            make_pool(2, 6).weights["q_proj_weight"].values());
}

}  // namespace
}  // namespace lesson
