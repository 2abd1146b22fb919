// Heads of keys and values that several heads of queries share.
#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"
#include "model/same.hpp"

namespace model {
namespace {

/// Eight heads of two numbers, with keys and values of other widths.
Problem grouped(Numbers& numbers, std::size_t kv_heads) {
  return {
      inputs_of(numbers.tensor({2, 4, 16}), numbers.tensor({2, 5, 7}), numbers.tensor({2, 5, 3}),
                look_ahead_mask(4, 5), random_weights(numbers, 16, 7, 3, true, 2 * kv_heads)),
      {8, {}, {}, kv_heads}};
}

/// The rows of each of `heads` heads, each `times` times.
Tensor with_rows_repeated(const Tensor& tensor, std::size_t heads, std::size_t times) {
  const std::size_t dim = tensor.dim(0) / heads;
  Shape shape = tensor.shape();
  shape[0] *= times;
  Tensor repeated(shape);
  Index index = Extents::filled(shape.rank(), 0);
  do {
    Index source = index;
    source[0] = index[0] / dim / times * dim + index[0] % dim;
    repeated.set(index, tensor.at(source));
  } while (next_index(index, shape));
  return repeated;
}

TEST(GroupedQuery, IsMultiHeadAttentionWithTheSameKeysForSeveralHeads) {
  Numbers numbers(1);
  for (const std::size_t kv_heads : {1U, 2U, 4U}) {
    const Problem problem = grouped(numbers, kv_heads);
    Problem written_out = problem;
    written_out.options.num_kv_heads = 0;
    for (const TensorId id : {TensorId("k_proj_weight"), TensorId("v_proj_weight"),
                              TensorId("k_proj_bias"), TensorId("v_proj_bias")}) {
      written_out.given[id] = with_rows_repeated(problem.given[id], kv_heads, 8 / kv_heads);
    }
    const Trace ours = computed(problem.given, problem.options);
    const Trace theirs = computed(written_out.given, written_out.options);
    for (const char* name : {"q_heads", "k_heads", "v_heads", "scores", "masked_scores",
                             "attention_weights", "head_outputs", "merged", "output"}) {
      const TensorId id = *tensor_named(name);
      expect_close(ours[id], Array(theirs[id]), 1e-6, name);
    }
  }
}

TEST(GroupedQuery, SaysWhichHeadSharesWhat) {
  Numbers numbers(2);
  const Problem problem = grouped(numbers, 2);
  const Trace trace = computed(problem.given, problem.options);
  EXPECT_EQ(trace["k"].shape(), (Shape{2, 5, 4}));
  EXPECT_EQ(trace["k_split"].shape(), (Shape{2, 5, 2, 2}));
  EXPECT_EQ(trace["k_groups"].shape(), (Shape{2, 2, 5, 2}));
  EXPECT_EQ(trace["k_shared"].shape(), (Shape{2, 2, 4, 5, 2}));
  EXPECT_EQ(trace["k_heads"].shape(), (Shape{2, 8, 5, 2}));
  EXPECT_EQ(trace.view_of("k_groups"), TensorId("k"));
  EXPECT_EQ(trace.view_of("k_shared"), TensorId("k"));
  EXPECT_EQ(trace.view_of("k_heads"), std::nullopt) << "a copy";
  EXPECT_EQ(trace.view_of("q_heads"), TensorId("q"));
  for (const TensorId id : {TensorId("k"), TensorId("v_split"), TensorId("k_groups")}) {
    EXPECT_EQ(trace.sharing(id), 4U);
  }
  for (const TensorId id : {TensorId("q"), TensorId("k_heads"), TensorId("scores")}) {
    EXPECT_EQ(trace.sharing(id), 1U);
  }
  for (std::size_t head = 0; head < 8; ++head) {
    const Tensor shared = trace["k_groups"].select(1, head / trace.sharing("k_groups"));
    expect_values(trace["k_heads"].select(1, head), shared.values());
  }
}

TEST(GroupedQuery, AsManyHeadsOfKeysAsOfQueriesIsTheOrdinaryTable) {
  Numbers numbers(3);
  const Tensors given = self_inputs(numbers.tensor({1, 3, 6}), look_ahead_mask(3, 3),
                                    random_weights(numbers, 6, 6, 6, true));
  for (const std::string_view name : mistake_names) {
    Options options = with_mistake(2, *mistake_named(name));
    const Trace ordinary = computed(given, options);
    options.num_kv_heads = 2;
    const Trace said = computed(given, options);
    EXPECT_EQ(said.config, ordinary.config);
    EXPECT_EQ(said.nodes.size(), ordinary.nodes.size());
    for (std::size_t i = 0; i < said.nodes.size(); ++i) {
      EXPECT_EQ(said.nodes[i].id, ordinary.nodes[i].id);
      EXPECT_EQ(said.nodes[i].operation, ordinary.nodes[i].operation);
      EXPECT_EQ(said.nodes[i].axes, ordinary.nodes[i].axes);
    }
    expect_same_trace(said, ordinary);
    EXPECT_FALSE(said.has("k_groups"));
  }
}

TEST(GroupedQuery, RandomEditsGiveWhatComputingEverythingGives) {
  Numbers numbers(4);
  Problem problem = grouped(numbers, 2);
  std::vector<Trace> last;
  for (int round = 0; round < 80; ++round) {
    SCOPED_TRACE(round);
    const auto present = problem.given.present();
    Tensor& tensor = problem.given[present[numbers.below(present.size())]];
    tensor = tensor.clone();
    tensor.set(numbers.index(tensor.shape()), numbers.next());
    Overrides& overrides = problem.options.overrides;
    if (round % 5 == 0) overrides.mistake = static_cast<Mistake>(numbers.below(6));
    if (round % 7 == 0) overrides.ablated_heads = {numbers.below(8)};
    if (round % 20 == 19) {  // other heads of keys and values, as wide as before
      problem.options.num_heads = 24 - problem.options.num_heads;
      problem.options.num_kv_heads = 6 - problem.options.num_kv_heads;
      overrides.ablated_heads.clear();
    }
    const base::Result<Part> part = attention_part(problem.given, problem.options);
    ASSERT_TRUE(part) << part.error().message;
    last = compute({*part}, last);
    expect_same_traces(last, compute({*part}));
  }
}

TEST(GroupedQuery, AnEditOfAKeyReachesTheHeadsThatShareIt) {
  Numbers numbers(5);
  Problem problem = grouped(numbers, 2);
  const Trace before = computed(problem.given, problem.options);
  Tensor weight = problem.given["k_proj_weight"].clone();
  weight.set({3, 1}, 5.0F);  // of the second group
  problem.given["k_proj_weight"] = weight;
  const Trace after = computed(problem.given, problem.options);
  for (std::size_t head = 0; head < 8; ++head) {
    const bool same =
        before["scores"].select(1, head).has_same_bits(after["scores"].select(1, head));
    EXPECT_EQ(same, head < 4) << head;
  }
}

}  // namespace
}  // namespace model
