#include "lesson/forward.hpp"

namespace lesson {
namespace {

// Told by the words, not by the numbers.
const std::string genders = "mfmfnnfn";  // king queen boys girls house books she it
const std::string numbers = "ssppspss";

/// How much of its weight a query gives to the tokens with its own letter.
float weight_of_same(const model::Trace& trace, std::size_t head, std::size_t query,
                     const std::string& kinds) {
  const std::vector<float> weights = weights_of(trace, head, query);
  float sum = 0.0F;
  for (std::size_t key = 0; key < weights.size(); ++key) {
    if (kinds[key] == kinds[query]) sum += weights[key];
  }
  return sum;
}

TEST(GenderAndNumber, OneHeadFindsGenderAndTheOtherNumber) {
  const Problem problem = made(ExampleId::gender_and_number);
  EXPECT_EQ(
      problem.source.tokens.front(),
      (std::vector<std::string>{"king", "queen", "boys", "girls", "house", "books", "she", "it"}));
  const model::Trace trace = forward(problem);
  for (std::size_t query = 0; query < 8; ++query) {
    EXPECT_GT(weight_of_same(trace, 0, query, genders), 0.96F) << query;
    EXPECT_GT(weight_of_same(trace, 1, query, numbers), 0.98F) << query;
    // ... and neither does the other's work.
    EXPECT_LT(weight_of_same(trace, 0, query, numbers), 0.78F) << query;
    EXPECT_LT(weight_of_same(trace, 1, query, genders), 0.66F) << query;
  }
}

// x: the embedding; W = torch.diag(torch.tensor([3, 3, 3, 3, 3, 0.])), float64
// q = (x @ W.T).view(8, 2, 3).transpose(0, 1); v = x.view(8, 2, 3).transpose(0, 1)
// w = torch.softmax(q @ q.transpose(1, 2) / 3 ** .5, -1); (w @ v).transpose(0, 1).reshape(8, 6)
TEST(GenderAndNumber, WeightsAndOutputAreThoseOfPyTorch) {
  const model::Trace trace = forward(made(ExampleId::gender_and_number));
  expect_near(weights_of(trace, 0, 6),
              {0.0021F, 0.3813F, 0.0021F, 0.2268F, 0.0021F, 0.0021F, 0.3813F, 0.0021F}, 5.1e-5F);
  expect_near(weights_of(trace, 1, 6),
              {0.2169F, 0.2169F, 0.0012F, 0.0012F, 0.1290F, 0.0012F, 0.2169F, 0.2169F}, 5.1e-5F);
  expect_near(weights_of(trace, 0, 2),
              {0.5944F, 0.0055F, 0.3724F, 0.0055F, 0.0055F, 0.0055F, 0.0055F, 0.0055F}, 5.1e-5F);
  expect_near(weights_of(trace, 1, 2),
              {0.0021F, 0.0021F, 0.3813F, 0.3813F, 0.0021F, 0.2268F, 0.0021F, 0.0021F}, 5.1e-5F);
  const std::vector<float> output = trace["output"].values();
  expect_near({output.begin(), output.begin() + 6},
              {0.9431F, 0.0099F, 0.0099F, 0.9835F, 0.0035F, 0.4337F}, 5.1e-5F);
  expect_near({output.end() - 6, output.end()},
              {0.0066F, 0.0101F, 0.9591F, 0.9835F, 0.0035F, 0.4337F}, 5.1e-5F);
}

TEST(GenderAndNumber, ValuesPassThroughAndNoQueryOrKeyReadsTheLastDimension) {
  const Problem problem = made(ExampleId::gender_and_number);
  const model::Trace trace = forward(problem);
  EXPECT_EQ(trace["v"].values(), problem.source.embedding.values());
  for (std::size_t token = 0; token < 8; ++token) {
    EXPECT_EQ(trace["q"].at({0, token, 5}), 0.0F);
    EXPECT_EQ(trace["k"].at({0, token, 5}), 0.0F);
  }
}

// torch.softmax((x @ W) @ (x @ W).T / 6 ** .5, -1)[6]
TEST(GenderAndNumber, WithOneHeadBothCountAtOnce) {
  Parameters parameters;
  parameters.num_heads = 1;
  expect_near(weights_of(forward(made(ExampleId::gender_and_number, parameters)), 0, 6),
              {0.0122F, 0.4791F, 0.0003F, 0.0084F, 0.0084F, 0.0003F, 0.4791F, 0.0122F}, 5.1e-5F);
}

}  // namespace
}  // namespace lesson
