#include "model/names.hpp"

#include <set>

#include <gtest/gtest.h>

namespace model {
namespace {

// Names are looked up when the program is compiled: one that is in no table does not compile.
static_assert(name_of("q_heads") == "q_heads");
static_assert(tensor_named("output") == TensorId("output"));
static_assert(!tensor_named("Q").has_value());
static_assert(tensor_named("d_scores") == TensorId("scores").gradient());
static_assert(name_of(TensorId("scores").gradient()) == "d_scores");
static_assert(name_of(TensorId("scores").part_of_gradient(1)) == "d_scores");
static_assert(TensorId("scores").gradient().value() == TensorId("scores"));
static_assert(!tensor_named("d_Q").has_value() && !tensor_named("d_d_scores").has_value());
static_assert(TensorId("token_embedding").place() == 0);
static_assert(sizeof(TensorId) == 2);

TEST(Names, EveryTensorHasOneOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t place = 0; place < tensor_count; ++place) {
    const TensorId id = TensorId::at(place);
    names.insert(name_of(id));
    EXPECT_EQ(tensor_named(name_of(id)), id);
    EXPECT_EQ(id.place(), place);
  }
  EXPECT_EQ(names.size(), tensor_count);
  EXPECT_LT(tensor_count, names::most);
  EXPECT_EQ(tensor_named(""), std::nullopt);
}

TEST(Names, AreInTheOrderOfTheTables) {
  EXPECT_LT(TensorId("query_input"), TensorId("q"));
  EXPECT_LT(TensorId("attention_weights"), TensorId("weighted_values"));
  EXPECT_LT(TensorId("weighted_values"), TensorId("head_outputs"));
  EXPECT_LT(TensorId("v_split"), TensorId("k_groups"));
  EXPECT_LT(TensorId("v_groups"), TensorId("k_shared"));
  EXPECT_LT(TensorId("v_shared"), TensorId("q_heads"));
  EXPECT_LT(TensorId("output"), TensorId("residual1"));
  EXPECT_LT(TensorId("residual2"), TensorId("residual3"));
}

}  // namespace
}  // namespace model
