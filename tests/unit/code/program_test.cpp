#include "code/program.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "model/attention/attention_part.hpp"
#include "model/gradients.hpp"
#include "model/roles.hpp"

namespace code {
namespace {

using tensor::Tensor;

/// All rows that a file can lead to, those of gradients included.
model::Model everything(std::size_t kv_heads) {
  model::Tensors given;
  given["query_input"] = given["key_input"] = given["value_input"] = Tensor({1, 3, 8});
  given["q_proj_weight"] = Tensor({8, 8});
  given["k_proj_weight"] = given["v_proj_weight"] = Tensor({kv_heads * 2, 8});
  given["q_proj_bias"] = given["out_proj_bias"] = Tensor({8});
  given["out_proj_weight"] = Tensor({8, 8});
  given["q_norm_weight"] = given["k_norm_weight"] = Tensor({2});
  model::Options options;
  options.num_heads = 4;
  options.num_kv_heads = kv_heads;
  options.variants = {10000.0F, true, 2, 5.0F, true};
  model::Model model{*model::attention_part(given, options)};
  model::add_squared_distance(model, 0, model::roles::output, Tensor({1, 3, 8}));
  model::add_gradients(model, 0, "loss");
  return model;
}

TEST(Program, EveryOperationOfAnAttentionCanBeWritten) {
  for (const std::size_t kv_heads : {1U, 2U, 4U}) {
    const model::Model model = everything(kv_heads);
    for (const model::Node& row : model.front().trace.nodes) {
      if (row.operation == &ops::given) continue;
      const auto all = writings();
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Writing& writing) {
        return writing.operation == row.operation->name;
      })) << row.operation->name;
    }
    const files::Safetensors file{
        {{"query", "F32", {1, 3, 8}, {}}, {"target", "F32", {1, 3, 8}, {}}}, {}};
    const files::AttentionFileOptions options;
    for (const Library library : {Library::numpy, Library::pytorch})
      EXPECT_TRUE(program(model.front(), {"in", file, options}, library));
  }
}

TEST(Program, FunctionsAreThereAndEachIsOne) {
  std::set<std::string_view> defined;
  for (const Helper& helper : helpers()) {
    EXPECT_TRUE(defined.insert(helper.name).second) << helper.name;
    EXPECT_TRUE(helper.needs.empty() || defined.count(helper.needs) == 1) << helper.name;
    const std::string start = "def " + std::string(helper.name) + "(";
    EXPECT_TRUE(helper.numpy.starts_with(start)) << helper.name;
    EXPECT_TRUE(helper.pytorch.starts_with(start)) << helper.name;
    EXPECT_EQ(helper.pytorch.find("np."), std::string_view::npos) << helper.name;
  }
  std::set<std::string_view> written;
  for (const Writing& writing : writings()) {
    EXPECT_TRUE(written.insert(writing.operation).second) << writing.operation;
    EXPECT_TRUE(writing.helper.empty() || defined.count(writing.helper) == 1) << writing.operation;
  }
}

TEST(Program, WhatCannotBeWrittenIsNamed) {
  model::Model model = everything(4);
  for (model::Node& row : model.front().trace.nodes) {
    if (row.id == model::TensorId("output")) row.operation = &ops::gelu;
  }
  const files::Safetensors file{{{"query", "F32", {1, 3, 8}, {}}, {"target", "F32", {1, 3, 8}, {}}},
                                {}};
  const files::AttentionFileOptions options;
  const auto made = program(model.front(), {"in", file, options}, Library::numpy);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "The operation gelu cannot be written as code.");
}

}  // namespace
}  // namespace code
