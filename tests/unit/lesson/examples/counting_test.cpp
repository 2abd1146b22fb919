#include "lesson/forward.hpp"

namespace lesson {
namespace {

using model::TensorId;

Parameters sized(std::size_t tokens, std::size_t embed_dim, std::size_t num_heads) {
  Parameters parameters;
  parameters.source_len = tokens;
  parameters.embed_dim = embed_dim;
  parameters.num_heads = num_heads;
  return parameters;
}

/// Nine tokens, 512 numbers, eight heads.
Parameters large() {
  Parameters parameters;
  parameters.variant = 1;
  return parameters;
}

TEST(Counting, OpensWithNumbersThatCanBeReadAtAGlance) {
  const Problem problem = made(ExampleId::counting);
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 3, 6}));
  EXPECT_EQ(problem.source.embedding.values().back(), 18.0F);
  EXPECT_EQ(problem.options.num_heads, 2U);
}

// Links name the variant: it has always been this one.
TEST(Counting, TheVariantCountingIsTheLargeOne) {
  EXPECT_EQ(example(ExampleId::counting).variants[1].name, "counting");
  EXPECT_EQ(shortest(ExampleId::counting, large()), large());
  Parameters parameters = large();
  parameters.embed_dim = 512;
  parameters.num_heads = 8;
  parameters.source_len = 9;
  EXPECT_EQ(shortest(ExampleId::counting, parameters), large());
}

TEST(Counting, GoesFrom1To4608) {
  const Problem problem = made(ExampleId::counting, large());
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 9, 512}));
  const std::vector<float> numbers = problem.source.embedding.values();
  for (std::size_t i = 0; i < 4608; ++i) ASSERT_EQ(numbers[i], static_cast<float>(i + 1));
  EXPECT_EQ(problem.options.num_heads, 8U);
  EXPECT_FALSE(problem.weights["q_proj_weight"].defined());
  EXPECT_FALSE(problem.position_encoding);
}

TEST(Counting, NamesTokensByTheirPlace) {
  const std::vector<std::string> names =
      made(ExampleId::counting, sized(64, 2, 1)).source.tokens.front();
  EXPECT_EQ((std::vector<std::string>(names.begin(), names.begin() + 4)),
            (std::vector<std::string>{"t0", "t1", "t2", "t3"}));
  EXPECT_EQ(names[10], "t10");
  EXPECT_EQ(names.back(), "t63");
}

// torch.arange(1., 4609).view(1, 9, 8, 64).transpose(1, 2)
TEST(Counting, HeadsHoldTheNumbersThatPyTorchPutsThere) {
  const model::Trace trace = forward(made(ExampleId::counting, large()));
  const tensor::Tensor& heads = trace["q_heads"];
  EXPECT_EQ(heads.shape(), (tensor::Shape{1, 8, 9, 64}));
  for (std::size_t i = 0; i < 64; ++i)  // head 0 of the first token is 1 … 64
    EXPECT_EQ(heads.at({0, 0, 0, i}), static_cast<float>(i + 1));
  EXPECT_EQ(heads.at({0, 1, 0, 0}), 65.0F);
  EXPECT_EQ(heads.at({0, 0, 1, 0}), 513.0F);
  EXPECT_EQ(heads.at({0, 3, 4, 5}), 2246.0F);
  EXPECT_EQ(heads.at({0, 7, 8, 0}), 4545.0F);
  EXPECT_EQ(heads.at({0, 7, 8, 63}), 4608.0F);
}

// torch.arange(1., 57).view(1, 14, 2, 2).transpose(1, 2)
TEST(Counting, StartsOverWithEverySize) {
  const model::Trace trace = forward(made(ExampleId::counting, sized(14, 4, 2)));
  const tensor::Tensor& heads = trace["v_heads"];
  EXPECT_EQ(heads.shape(), (tensor::Shape{1, 2, 14, 2}));
  EXPECT_EQ(heads.at({0, 1, 3, 0}), 15.0F);
  EXPECT_EQ(heads.at({0, 1, 3, 1}), 16.0F);
  // Even the largest counts without a gap.
  const std::vector<float> most =
      made(ExampleId::counting, sized(64, 512, 16)).source.embedding.values();
  EXPECT_EQ(most[most.size() - 2], 32767.0F);
  EXPECT_EQ(most.back(), 32768.0F);
}

// What the note says, at every size.
TEST(Counting, TheLastTokenGetsMostOfTheWeight) {
  EXPECT_NE(made(ExampleId::counting).note.find("last token gets most of the weight"),
            std::string::npos);
  for (const Parameters& parameters : {Parameters{}, large(), sized(9, 2, 2), sized(64, 2, 1),
                                       sized(64, 512, 1), sized(2, 4, 4)}) {
    const Problem problem = made(ExampleId::counting, parameters);
    const model::Trace trace = forward(problem);
    for (std::size_t head = 0; head < problem.options.num_heads; ++head) {
      for (std::size_t query = 0; query < problem.source.tokens.front().size(); ++query)
        EXPECT_GT(weights_of(trace, head, query).back(), 0.8F);
    }
  }
}

}  // namespace
}  // namespace lesson
