#include "code/program.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "code/figure_program.hpp"
#include "model/attention/attention_part.hpp"
#include "model/attention/mask.hpp"
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

TEST(Program, EveryOperationOfAMistakeCanBeWritten) {
  for (std::size_t mistake = 0; mistake <= static_cast<std::size_t>(model::Mistake::no_softmax);
       ++mistake) {
    model::Tensors given;
    given["query_input"] = given["key_input"] = given["value_input"] = Tensor({1, 2, 4});
    given["mask"] = model::look_ahead_mask(2, 2);
    model::Options options;
    options.num_heads = 2;
    options.overrides.mistake = static_cast<model::Mistake>(mistake);
    model::Model model{*model::attention_part(given, options)};
    model::add_squared_distance(model, 0, model::roles::output, Tensor({1, 2, 4}));
    model::add_gradients(model, 0, "loss");
    const model::Trace trace = model::compute(model).front();
    for (const Library library : {Library::numpy, Library::pytorch})
      EXPECT_TRUE(figure_program(trace, "a mistake", library, {})) << mistake;
  }
}

// What is on screen: numbers by hand, heads that are off, and gradients that arrive by another
// name.
TEST(FigureProgram, SaysWhatWasDoneByHand) {
  model::Tensors given;
  given["query_input"] = given["key_input"] = given["value_input"] =
      Tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  model::Options options;
  options.num_heads = 2;
  options.overrides.given_weights.push_back({0, 1, 0, {0.25F, 0.75F}});
  options.overrides.ablated_heads = {0};
  model::Model model{*model::attention_part(given, options)};
  model::bind(model[0], "key_input", 0, "query_input");
  model::bind(model[0], "value_input", 0, "query_input");
  model::add_squared_distance(model, 0, model::roles::output, Tensor({1, 2, 4}));
  model::add_gradients(model, 0, "loss");
  const auto made = figure_program(model::compute(model).front(), "by hand", Library::numpy, {});
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->reads_file);
  const std::string& text = made->text;
  for (const char* line :
       {"# by hand\n", "\nkey_input = query_input\n", "\nd_loss = np.float32(1)\n",
        "\nhead_outputs = put(head_outputs, (0, 0), 0)  # switched off\n",
        "\nattention_weights = put(attention_weights, (0, 1, 0), np.array([0.25, 0.75], "
        "dtype=np.float32))  # set by hand\n",
        " + d_key_input + d_value_input "}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
  }
  EXPECT_EQ(text.find("_part2 ="), std::string::npos) << text;
}

TEST(FigureProgram, ReadsManyNumbersFromTheSavedFile) {
  model::Tensors given;
  given["query_input"] = given["key_input"] = given["value_input"] =
      Tensor({1, 64, most_numbers / 64});
  given["mask"] = model::look_ahead_mask(64, 64);
  const auto made = model::multi_head_attention(given, {.num_heads = 1});
  ASSERT_TRUE(made);
  for (const Library library : {Library::numpy, Library::pytorch}) {
    const auto program = figure_program(*made, "large", library, {"own.safetensors", "cross"});
    ASSERT_TRUE(program);
    EXPECT_TRUE(program->reads_file);
    EXPECT_LT(program->text.size(), 4000U);
    for (const char* line :
         {"IN = \"own.safetensors\"\n", "\nfile = read(IN)\n", "\nkey_input = query_input\n",
          "\nquery_input = file[\"cross.query_input\"]\n", "\nmask = file[\"cross.mask\"]\n",
          "\nshown = file[\"cross.output\"]\n", "import numpy as np\n"}) {
      EXPECT_NE(program->text.find(line), std::string::npos) << line << " in\n" << program->text;
    }
  }
}

TEST(Program, FunctionsAreThereAndEachIsOne) {
  std::set<std::string_view> defined;
  for (const Helper& helper : helpers()) {
    EXPECT_TRUE(defined.insert(helper.name).second) << helper.name;
    std::istringstream needs{std::string(helper.needs)};
    for (std::string name; needs >> name;) EXPECT_EQ(defined.count(name), 1U) << helper.name;
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
