#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "lesson/examples/example.hpp"
#include "model/attention/attention_part.hpp"
#include "self_inputs.hpp"

namespace lesson {
namespace {

Problem make_anthony(std::size_t variant) {
  Parameters parameters;
  parameters.variant = variant;
  auto problem = make_problem(ExampleId::anthony_hopkins, parameters);
  EXPECT_TRUE(problem);
  return *std::move(problem);
}

const std::vector<std::string> english = {"Anthony", "Hopkins", "admired", "Michael",  "Bay",
                                          "as",      "a",       "great",   "director."};

TEST(AnthonyHopkins, HasNineTokensOf512NumbersAndEightHeads) {
  for (std::size_t variant = 0; variant < 3; ++variant) {
    const Problem problem = make_anthony(variant);
    EXPECT_EQ(problem.source.tokens.front(), english);
    EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 9, 512}));
    EXPECT_EQ(problem.weights["q_proj_weight"].shape(), (tensor::Shape{512, 512}));
    EXPECT_EQ(problem.options.num_heads, 8U);
  }
}

TEST(AnthonyHopkins, StartsAtMichaelInEveryVariant) {
  const std::size_t query = example(ExampleId::anthony_hopkins).query;
  EXPECT_EQ(make_anthony(0).source.tokens.front()[query], "Michael");
  EXPECT_EQ(make_anthony(2).target.tokens.front()[query], "Michael");
}

TEST(AnthonyHopkins, TheCrossVariantAsksFromTwelveGermanTokens) {
  const Problem problem = make_anthony(2);
  EXPECT_EQ(problem.arrangement, Arrangement::cross);
  EXPECT_EQ(problem.target.tokens.front(),
            (std::vector<std::string>{"Anthony", "Hopkins", "hat", "Michael", "Bay", "als", "einen",
                                      "ganz", "großen", "Regisseur", "bewundert", "."}));
  EXPECT_EQ(problem.target.embedding.shape(), (tensor::Shape{1, 12, 512}));
}

TEST(AnthonyHopkins, TheArticlesWeightsStandInOneRowAndTheNoteSaysWhatTheySumTo) {
  const Problem problem = make_anthony(1);
  ASSERT_EQ(problem.given_weights.size(), 1U);
  const model::GivenWeights& row = problem.given_weights.front();
  EXPECT_EQ(problem.source.tokens[row.sample][row.query], "Michael");
  EXPECT_EQ(row.head, 0U);
  EXPECT_EQ(row.weights,
            (std::vector<float>{.06F, .09F, .05F, .25F, .18F, .06F, .09F, .06F, .15F}));
  EXPECT_EQ(
      problem.note,
      "The weights of “Michael” in head 0 are not computed: they are the rounded ones that an "
      "article prints, so they add up to 0.99. In the step softmax, “make the sum 1” divides each "
      "by that. The "
      "numbers are random (seed 1), not trained.");
  EXPECT_TRUE(make_anthony(0).given_weights.empty());
  EXPECT_TRUE(make_anthony(2).given_weights.empty());
}

/// The numbers of a tensor in thousandths: whole, so that their sum is exact.
std::vector<std::int64_t> thousandths(const tensor::Tensor& tensor) {
  std::vector<std::int64_t> result;
  for (const float value : tensor.values()) {
    const double scaled = static_cast<double>(value) * 1000.0;
    result.push_back(std::llround(scaled));
    EXPECT_NEAR(scaled, static_cast<double>(result.back()), 1e-3);
  }
  return result;
}

std::int64_t sum_of(const std::vector<std::int64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

/// Σ (i mod 7) · number i: other numbers, or these in another order, give another sum.
std::int64_t checksum(const std::vector<std::int64_t>& numbers) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    sum += static_cast<std::int64_t>(i % 7) * numbers[i];
  return sum;
}

// Links and articles name these numbers. Computed by a second program, in Python, from what
// random.hpp says: FNV-1a over seed and name, SplitMix64, four draws from ±86 for a number of the
// embedding, one from ±⌊1000 · √(6 / 1024)⌋ for a weight.
TEST(AnthonyHopkins, NumbersAreThoseOfItsSeed) {
  using Numbers = std::vector<std::int64_t>;
  const Problem problem = make_anthony(2);
  const Numbers embedding = thousandths(problem.source.embedding);
  constexpr std::ptrdiff_t width = 512;
  const auto michael = embedding.begin() + 3 * width;
  EXPECT_EQ(Numbers(michael, michael + 6), (Numbers{-1110, -1330, -610, -1490, -2430, 440}));
  EXPECT_EQ(sum_of(embedding), -46580);
  EXPECT_EQ(sum_of(thousandths(problem.target.embedding)), -50160);
  const Numbers q = thousandths(problem.weights["q_proj_weight"]);
  EXPECT_EQ(Numbers(q.begin(), q.begin() + 4), (Numbers{-75, 5, -50, -46}));
  EXPECT_EQ(sum_of(q), -11674);
  EXPECT_EQ(checksum(q), -43952);
  EXPECT_EQ(checksum(thousandths(problem.weights["k_proj_weight"])), 56814);
  EXPECT_EQ(checksum(thousandths(problem.weights["v_proj_weight"])), -47231);
  EXPECT_EQ(checksum(thousandths(problem.weights["out_proj_weight"])), -45271);
}

// As above, with ±⌊1000 · √(6 / 128)⌋.
TEST(AnthonyHopkins, CanBeNarrower) {
  Parameters parameters;
  parameters.embed_dim = 64;
  const auto narrow = make_problem(ExampleId::anthony_hopkins, parameters);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->source.embedding.shape(), (tensor::Shape{1, 9, 64}));
  EXPECT_EQ(narrow->options.num_heads, 8U);
  const std::vector<std::int64_t> q = thousandths(narrow->weights["q_proj_weight"]);
  ASSERT_EQ(q.size(), 64U * 64U);
  EXPECT_EQ(q.front(), -214);
  EXPECT_EQ(sum_of(q), 12432);
  // A narrower word is the first numbers of the wide one.
  EXPECT_EQ(narrow->source.embedding.at({0, 3, 63}),
            make_anthony(0).source.embedding.at({0, 3, 63}));
}

// Weights that were all 0.11 would teach nothing.
TEST(AnthonyHopkins, AttentionWeightsDifferVisibly) {
  const Problem problem = make_anthony(0);
  const tensor::Tensor& x = problem.source.embedding;
  const auto trace = model::multi_head_attention(self_inputs(x, problem.weights),
                                                 {problem.options.num_heads, {}, {}});
  ASSERT_TRUE(trace);
  const tensor::Tensor& weights = (*trace)["attention_weights"];
  for (std::size_t head = 0; head < 8; ++head) {
    for (std::size_t query = 0; query < 9; ++query) {
      const std::vector<float> row = weights.select(0, 0).select(0, head).select(0, query).values();
      const auto [least, most] = std::minmax_element(row.begin(), row.end());
      EXPECT_GT(*most, 0.15F) << head << " " << query;
      EXPECT_LT(*least, 0.08F) << head << " " << query;
      EXPECT_LT(*most, 0.95F) << head << " " << query;
    }
  }
}

TEST(AnthonyHopkins, ProjectionsKeepTheSpreadOfTheirInput) {
  const Problem problem = make_anthony(0);
  const tensor::Tensor& x = problem.source.embedding;
  const auto trace = model::multi_head_attention(self_inputs(x, problem.weights), {8, {}, {}});
  ASSERT_TRUE(trace);
  for (const model::TensorId id :
       std::initializer_list<model::TensorId>{"query_input", "q", "k", "v"}) {
    double squares = 0.0;
    for (const float value : (*trace)[id].values()) {
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    EXPECT_NEAR(squares / (9.0 * 512.0), 1.0, 0.1) << model::name_of(id);
  }
}

}  // namespace
}  // namespace lesson
