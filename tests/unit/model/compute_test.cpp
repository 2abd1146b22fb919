// An edit after which only what follows from it is computed: to the last bit what computing
// everything gives.
#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/gradients.hpp"
#include "model/problems.hpp"
#include "model/same.hpp"

namespace model {
namespace {

/// One attention and what was computed of it.
struct Edited : Problem {
  std::vector<Trace> last = {};
  Tensor target = {};  ///< [B,Lq,E]: gradients are computed too

  const Trace& trace() const { return last.front(); }

  void compute_and_compare() {
    const base::Result<Part> part = attention_part(given, options);
    ASSERT_TRUE(part) << part.error().message;
    Model model{*part};
    if (target.defined()) {
      add_squared_distance(model, 0, "output", target);
      add_gradients(model, 0, "loss");
    }
    last = compute(model, last);
    expect_same_traces(last, compute(model));
    EXPECT_EQ(trace().overrides, options.overrides);
    EXPECT_EQ(trace().config, part->trace.config);
  }
};

Edited edited_of(const Sizes& sizes, Numbers& numbers) { return {made_up(sizes, numbers)}; }

/// Another tensor with one number, or a few, changed.
Tensor with_edits(const Tensor& tensor, Numbers& numbers) {
  Tensor copy = tensor.clone();
  for (std::size_t cells = 1 + numbers.below(3); cells > 0; --cells)
    copy.set(numbers.index(copy.shape()), numbers.next());
  return copy;
}

/// One row more, one less, or another one.
void give_weights(std::vector<GivenWeights>& rows, const Sizes& sizes, Numbers& numbers) {
  if (rows.size() > 2 || (!rows.empty() && numbers.below(3) == 0)) {
    rows.erase(rows.begin());
    return;
  }
  GivenWeights row{numbers.below(sizes.batch), numbers.below(sizes.heads),
                   numbers.below(sizes.query_len), std::vector<float>(sizes.key_len)};
  for (float& weight : row.weights) weight = numbers.next();
  rows.push_back(std::move(row));
}

void edit_inputs(Edited& problem, const Sizes& sizes, Numbers& numbers) {
  Tensors& given = problem.given;
  const std::size_t what = numbers.below(4);
  if (what < 2) {  // the same tokens on all sides stay the same
    const Tensor query = with_edits(given["query_input"], numbers);
    for (const TensorId id : {TensorId("key_input"), TensorId("value_input")}) {
      if (sizes.self && given[id].is_same_view(given["query_input"])) given[id] = query;
    }
    given["query_input"] = query;
  } else if (what == 2) {
    given["key_input"] = with_edits(given["key_input"], numbers);
  } else {
    given["value_input"] = with_edits(given["value_input"], numbers);
  }
}

/// The same numbers elsewhere, or on one side those of the other.
void move_inputs(Tensors& given, const Sizes& sizes, Numbers& numbers) {
  const TensorId id = numbers.below(2) == 0 ? TensorId("key_input") : TensorId("value_input");
  if (sizes.self && numbers.below(2) == 0) {
    given[id] = given["query_input"];
  } else {
    given[id] = given[id].clone();
  }
}

void edit_weight(Tensors& given, Numbers& numbers) {
  std::vector<TensorId> weights;
  for (const TensorId id : given.present()) {
    if (!axes_of(id).has(ops::Axis::B)) weights.push_back(id);
  }
  if (weights.empty()) return;
  Tensor& tensor = given[weights[numbers.below(weights.size())]];
  tensor = with_edits(tensor, numbers);
}

void edit_mask(Tensor& mask, const Sizes& sizes, Numbers& numbers) {
  switch (numbers.below(4)) {
    case 0:
      mask = {};
      break;
    case 1:
      mask = look_ahead_mask(sizes.query_len, sizes.key_len);
      break;
    case 2:
      mask = padding_mask(std::vector<std::size_t>(sizes.batch, sizes.key_len / 2), sizes.key_len);
      break;
    default:
      if (mask.defined()) mask = with_edits(mask, numbers);
  }
}

/// Does one of the things that happen to an attention.
void edit(Edited& problem, const Sizes& sizes, Numbers& numbers) {
  Options& options = problem.options;
  switch (numbers.below(11)) {
    case 0:
    case 1:
      return edit_inputs(problem, sizes, numbers);
    case 2:
    case 3:
      return edit_weight(problem.given, numbers);
    case 4:
      return edit_mask(problem.given["mask"], sizes, numbers);
    case 5:
      return move_inputs(problem.given, sizes, numbers);
    case 6: {
      constexpr std::array kinds{Scale::Kind::none, Scale::Kind::sqrt_head_dim,
                                 Scale::Kind::sqrt_keys, Scale::Kind::number};
      options.scale = {kinds[numbers.below(4)], static_cast<float>(1 + numbers.below(3))};
      return;
    }
    case 7: {
      auto& ablated = options.overrides.ablated_heads;
      ablated.empty() ? ablated.push_back(numbers.below(sizes.heads)) : ablated.clear();
      return;
    }
    case 8:
      return give_weights(options.overrides.given_weights, sizes, numbers);
    case 9: {
      const std::size_t mistake = numbers.below(mistake_names.size());
      options.overrides.mistake = static_cast<Mistake>(mistake);
      if (options.overrides.mistake == Mistake::keys_not_transposed &&
          sizes.key_len != sizes.head_dim) {
        options.overrides.mistake = Mistake::none;
      }
      return;
    }
    default:  // more heads than that would not have the given weights
      if (options.overrides == Overrides()) {
        const std::size_t E = sizes.heads * sizes.head_dim;
        const std::size_t heads = options.num_heads == sizes.heads ? E : sizes.heads;
        options.num_heads = heads <= Limits::heads ? heads : 1;
      }
  }
}

TEST(Compute, RandomEditsGiveWhatComputingEverythingGives) {
  Numbers numbers(1);
  for (const Sizes& sizes : all_sizes) {
    Edited problem = edited_of(sizes, numbers);
    problem.compute_and_compare();
    for (int round = 0; round < 120 && !::testing::Test::HasFatalFailure(); ++round) {
      SCOPED_TRACE(round);
      edit(problem, sizes, numbers);
      if (problem.options.num_heads != sizes.heads) problem.options.overrides = {};
      problem.compute_and_compare();
    }
  }
}

TEST(Compute, GradientsAfterEditsAreThoseOfComputingEverything) {
  Numbers numbers(20);
  for (const Sizes& sizes : all_sizes) {
    Edited problem = edited_of(sizes, numbers);
    problem.target = numbers.tensor(problem.given["query_input"].shape());
    problem.compute_and_compare();
    for (int round = 0; round < 25 && !::testing::Test::HasFatalFailure(); ++round) {
      SCOPED_TRACE(round);
      if (numbers.below(6) == 0)
        problem.target = with_edits(problem.target, numbers);
      else
        edit(problem, sizes, numbers);
      if (problem.options.num_heads != sizes.heads) problem.options.overrides = {};
      problem.compute_and_compare();
    }
  }
}

TEST(Compute, AnotherTargetChangesGradientsAlone) {
  Numbers numbers(21);
  Edited problem = edited_of(all_sizes[0], numbers);
  problem.target = numbers.tensor(problem.given["query_input"].shape());
  problem.compute_and_compare();
  const Trace before = problem.trace();
  problem.target = with_edits(problem.target, numbers);
  problem.compute_and_compare();
  for (const TensorId id : before.present()) {
    if (id == TensorId("target") || id == TensorId("difference") || id == TensorId("loss"))
      continue;
    const bool is_loss = id == TensorId("loss").gradient();  // 1, whatever the loss is
    EXPECT_EQ(problem.trace()[id].is_same_view(before[id]), !id.is_gradient() || is_loss)
        << name_of(id);
  }
  const Trace again = problem.trace();
  problem.target = problem.target.clone();
  problem.compute_and_compare();
  for (const TensorId id : again.present())
    EXPECT_TRUE(problem.trace()[id].is_same_view(again[id])) << name_of(id);
}

TEST(Compute, GradientsComeAndGoWithTheTarget) {
  Numbers numbers(22);
  Edited problem = edited_of(all_sizes[1], numbers);
  problem.target = numbers.tensor(problem.given["query_input"].shape());
  problem.compute_and_compare();
  problem.target = {};
  problem.compute_and_compare();
  EXPECT_FALSE(problem.trace().has(TensorId("output").gradient()));
  problem.target = numbers.tensor(problem.given["query_input"].shape());
  problem.compute_and_compare();
  EXPECT_TRUE(problem.trace().has(TensorId("output").gradient()));
}

TEST(Compute, OddNumbersToo) {
  Numbers numbers(2);
  const Sizes& sizes = all_sizes[1];
  Edited problem = edited_of(sizes, numbers);
  problem.given["mask"] = look_ahead_mask(sizes.query_len, sizes.key_len);
  problem.compute_and_compare();
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), hidden, -0.0F, 0.0F, 1.0F}) {
    for (const TensorId id : {TensorId("v_proj_weight"), TensorId("q_proj_weight")}) {
      Tensor weight = problem.given[id].clone();
      weight.set({4, 2}, odd);
      problem.given[id] = weight;
      problem.compute_and_compare();
    }
  }
}

TEST(Compute, OtherHeadsOfTheSameNumbers) {
  Numbers numbers(14);
  const Tensor x = numbers.tensor({2, 4, 12});
  Edited problem{{self_inputs(x, {}, random_weights(numbers, 12, 12, 12, true)), {3, {}, {}}}};
  for (const Scale::Kind scale : {Scale::Kind::none, Scale::Kind::sqrt_head_dim}) {
    problem.options.scale.kind = scale;
    for (const std::size_t heads : {3U, 4U, 1U, 12U, 3U}) {
      problem.options.num_heads = heads;
      problem.compute_and_compare();
      EXPECT_EQ(problem.trace()["q_heads"].shape(), (Shape{2, heads, 4, 12 / heads}));
    }
  }
}

TEST(Compute, AnotherScaleIsOfScoresAlone) {
  Numbers numbers(18);
  Edited problem = edited_of(all_sizes[0], numbers);
  problem.compute_and_compare();
  const std::uint64_t scores = problem.trace()["scores"].storage_id();
  const std::uint64_t scaled = problem.trace()["scaled_scores"].storage_id();
  problem.options.scale = {Scale::Kind::number, 3.0F};
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace()["scores"].storage_id(), scores);
  EXPECT_NE(problem.trace()["scaled_scores"].storage_id(), scaled);
  problem.options.scale.kind = Scale::Kind::none;
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace()["scaled_scores"].storage_id(), scores);
}

TEST(Compute, OtherMistakesOneAfterAnother) {
  Numbers numbers(15);
  const Tensor x = numbers.tensor({2, 3, 6});  // as many keys as a head has numbers
  Edited problem{{self_inputs(x, look_ahead_mask(3, 3)), {2, {}, {}}}};
  for (int round = 0; round < 60; ++round) {
    problem.options.overrides.mistake = static_cast<Mistake>(numbers.below(7));
    problem.compute_and_compare();
  }
}

TEST(Compute, OtherSizesToo) {
  Numbers numbers(7);
  std::vector<Trace> last;
  for (const Sizes& sizes : all_sizes) {
    Edited problem = edited_of(sizes, numbers);
    problem.last = last;
    problem.compute_and_compare();
    last = problem.last;
  }
}

TEST(Compute, TokensThatAreSharedOrNoLonger) {
  Numbers numbers(16);
  Edited problem = edited_of(all_sizes[0], numbers);
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace().view_of("key_input"), TensorId("query_input"));
  const Tensor query = problem.given["query_input"];
  problem.given["key_input"] = query.clone();  // the same numbers, but a copy
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace().view_of("key_input"), std::nullopt);
  EXPECT_EQ(problem.trace().view_of("value_input"), TensorId("query_input"));
  problem.given["key_input"] = query;
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace().view_of("key_input"), TensorId("query_input"));
  // All of them elsewhere: shared as before, and no change.
  const std::uint64_t scores = problem.trace()["scores"].storage_id();
  problem.given["query_input"] = problem.given["key_input"] = problem.given["value_input"] =
      query.clone();
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace()["scores"].storage_id(), scores);
  EXPECT_EQ(problem.trace()["query_input"].storage_id(), query.storage_id());
}

TEST(Compute, EmbeddingsKeepTheirPositions) {
  Numbers numbers(17);
  Edited problem = edited_of(all_sizes[0], numbers);
  problem.given["token_embedding"] = problem.given["query_input"];
  problem.given["query_input"] = {};
  problem.compute_and_compare();
  const std::uint64_t positions = problem.trace()["position_encoding"].storage_id();
  const std::uint64_t sums = problem.trace()["query_input"].storage_id();
  problem.given["token_embedding"] = with_edits(problem.given["token_embedding"], numbers);
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace()["position_encoding"].storage_id(), positions);
  EXPECT_NE(problem.trace()["query_input"].storage_id(), sums);
}

TEST(Compute, NothingChangedIsNothingComputed) {
  Numbers numbers(4);
  for (const Sizes& sizes : all_sizes) {
    Edited problem = edited_of(sizes, numbers);
    problem.given["mask"] = look_ahead_mask(sizes.query_len, sizes.key_len);
    problem.options.overrides.given_weights = {{0, 0, 1, std::vector<float>(sizes.key_len, 0.5F)}};
    problem.options.overrides.ablated_heads = {0};
    problem.compute_and_compare();
    const Trace before = problem.trace();
    // The same numbers elsewhere are no change.
    for (const TensorId id : problem.given.present()) {
      if (!axes_of(id).has(ops::Axis::B)) problem.given[id] = problem.given[id].clone();
    }
    problem.compute_and_compare();
    for (const TensorId id : before.present())
      EXPECT_TRUE(problem.trace()[id].is_same_view(before[id])) << name_of(id);
  }
}

// What is shown reads all of it, and would be sent to the screen anew.
TEST(Compute, WhatDoesNotFollowFromTheEditKeepsItsStorage) {
  Numbers numbers(11);
  Edited problem = edited_of(all_sizes[1], numbers);
  problem.compute_and_compare();
  const auto kept = [&](TensorId edited) {
    const Trace before = problem.trace();
    problem.given[edited] = with_edits(problem.given[edited], numbers);
    problem.compute_and_compare();
    std::vector<TensorId> same;
    for (const TensorId id : before.present()) {
      const bool is_same = problem.trace()[id].storage_id() == before[id].storage_id();
      if (is_given(id)) {
        EXPECT_EQ(is_same, id != edited) << name_of(id);
      } else if (is_same) {
        same.push_back(id);
      }
    }
    return same;
  };
  EXPECT_EQ(kept("q_proj_weight"), (std::vector<TensorId>{"query_input", "k", "v", "k_split",
                                                          "v_split", "k_heads", "v_heads"}));
  EXPECT_EQ(
      kept("v_proj_weight"),
      (std::vector<TensorId>{"query_input", "q", "k", "q_split", "k_split", "q_heads", "k_heads",
                             "scores", "scaled_scores", "masked_scores", "attention_weights"}));
  EXPECT_EQ(kept("out_proj_weight"),
            (std::vector<TensorId>{"query_input", "q", "k", "v", "q_split", "k_split", "v_split",
                                   "q_heads", "k_heads", "v_heads", "scores", "scaled_scores",
                                   "masked_scores", "attention_weights", "head_outputs",
                                   "merged_split", "merged"}));
}

TEST(Compute, AGivenRowChangesItsQueryAlone) {
  Numbers numbers(10);
  Edited problem = edited_of(all_sizes[1], numbers);
  problem.given["mask"] = look_ahead_mask(9, 9);
  problem.compute_and_compare();
  const std::uint64_t scores = problem.trace()["masked_scores"].storage_id();
  const auto row = [&](std::size_t query) {
    return problem.trace()["merged"].select(0, 1).select(0, query).values();
  };
  const std::vector<float> third = row(2);
  const std::vector<float> fourth = row(3);
  // On a hidden key, too: weights are as they are given.
  problem.options.overrides.given_weights = {{1, 2, 3, std::vector<float>(9, 0.5F)}};
  problem.compute_and_compare();
  EXPECT_EQ(problem.trace()["masked_scores"].storage_id(), scores);
  EXPECT_EQ(row(2), third);
  EXPECT_NE(row(3), fourth);
  problem.options.overrides = {};
  problem.compute_and_compare();
  EXPECT_EQ(row(3), fourth);
}

TEST(Compute, ASwitchedHeadLeavesItsWeights) {
  Numbers numbers(12);
  Edited problem = edited_of(all_sizes[1], numbers);
  problem.given["mask"] = look_ahead_mask(9, 9);
  problem.options.overrides.given_weights = {{0, 1, 2, std::vector<float>(9, 0.25F)}};
  problem.compute_and_compare();
  const std::uint64_t weights = problem.trace()["attention_weights"].storage_id();
  for (const bool on : {false, true}) {
    const std::uint64_t outputs = problem.trace()["head_outputs"].storage_id();
    problem.options.overrides.ablated_heads =
        on ? std::vector<std::size_t>{} : std::vector<std::size_t>{1};
    problem.compute_and_compare();
    EXPECT_EQ(problem.trace()["attention_weights"].storage_id(), weights);
    EXPECT_NE(problem.trace()["head_outputs"].storage_id(), outputs);
  }
}

TEST(Compute, GivenWeightsAreComparedByTheirBits) {
  Numbers numbers(13);
  Edited problem = edited_of(all_sizes[0], numbers);
  std::vector<float> row(3, 0.5F);
  for (const float zero : {0.0F, -0.0F, 0.0F}) {
    row[1] = zero;
    problem.options.overrides.given_weights = {{0, 0, 1, row}};
    problem.compute_and_compare();
  }
}

TEST(Compute, TheLastWeightsGivenForARowCount) {
  Numbers numbers(19);
  Edited problem = edited_of(all_sizes[0], numbers);
  problem.options.overrides.given_weights = {{0, 1, 2, {1, 2, 3}}, {0, 1, 2, {4, 5, 6}}};
  problem.compute_and_compare();
  expect_values(problem.trace()["attention_weights"].select(0, 0).select(0, 1).select(0, 2),
                {4, 5, 6});
}

TEST(Compute, WhatWasComputedBeforeStaysAsItWas) {
  Numbers numbers(8);
  Edited problem = edited_of(all_sizes[1], numbers);
  problem.compute_and_compare();
  const Trace copy = problem.trace();
  std::vector<std::vector<float>> values;
  for (const TensorId id : copy.present()) values.push_back(copy[id].values());
  for (int round = 0; round < 20; ++round) {
    edit(problem, all_sizes[1], numbers);
    if (problem.options.num_heads != all_sizes[1].heads) problem.options.overrides = {};
    problem.compute_and_compare();
  }
  std::size_t i = 0;
  for (const TensorId id : copy.present()) EXPECT_EQ(copy[id].values(), values[i++]) << name_of(id);
}

}  // namespace
}  // namespace model
