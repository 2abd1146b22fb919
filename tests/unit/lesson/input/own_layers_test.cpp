#include "lesson/input/own_layers.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "files/layers/attention_weights.hpp"
#include "lesson/examples/example.hpp"
#include "model/attention/attention_part.hpp"
#include "model/roles.hpp"

namespace lesson {
namespace {

using tensor::Tensor;

/// An attention of GPT-2 (causal, transposed), or of a decoder of BART's to its encoder.
files::FoundAttention found(bool cross, std::size_t width) {
  files::Header header;
  std::uint64_t end = 0;
  const auto add = [&](const std::string& name, const tensor::Shape& shape) {
    header.entries.push_back({name, "F32", shape, end, end + 4 * shape.product()});
    end += 4 * shape.product();
  };
  if (cross) {
    for (const char* part : {"q_proj", "k_proj", "v_proj", "out_proj"})
      add(std::string("l.0.encoder_attn.") + part + ".weight", {width, width});
  } else {
    add("h.0.attn.c_attn.weight", {width, 3 * width});
    add("h.0.attn.c_proj.weight", {width, width});
  }
  return files::find_attentions(header).attentions.at(0);
}

/// As many numbers as the attention has.
std::vector<float> some_numbers(const files::FoundAttention& found) {
  std::vector<float> numbers(static_cast<std::size_t>(files::bytes_of(found) / sizeof(float)));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(static_cast<int>(i * 7 % 11) - 5) / 8.0F;
  return numbers;
}

base::Result<std::size_t> add(const files::FoundAttention& found, const std::vector<float>& numbers,
                              const Tensor& query = {}) {
  return add_own_layer("model.safetensors", found, std::as_bytes(std::span(numbers)), query);
}

Parameters layer_parameters(std::size_t variant, std::size_t source_len = 0,
                            std::size_t target_len = 0) {
  Parameters parameters;
  parameters.variant = variant;
  parameters.source_len = source_len;
  parameters.target_len = target_len;
  return parameters;
}

std::string sentence_of(const base::Result<std::size_t>& added) {
  return added ? "no error" : added.error().message;
}

TEST(OwnLayers, AnAttentionOfAFileIsAVariantThatIsComputedWithItsWeights) {
  const files::FoundAttention gpt2 = found(false, 128);
  const std::size_t before = examples().size();
  const auto variant = add(gpt2, some_numbers(gpt2));
  ASSERT_TRUE(variant) << variant.error().message;
  EXPECT_EQ(*variant + 1, own_layer_count());
  EXPECT_EQ(examples().back().id, ExampleId::own_layer);
  EXPECT_GE(examples().size(), before);
  const Example& example = lesson::example(ExampleId::own_layer);
  EXPECT_TRUE(example.variants[*variant].name.starts_with("h.0.attn"));
  EXPECT_EQ(example.variants[*variant].label(), example.variants[*variant].name);

  Parameters third_seed = layer_parameters(*variant);
  third_seed.seed = 3;
  const auto problem = make_problem(ExampleId::own_layer, third_seed);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->options.num_heads, 2U);
  EXPECT_EQ(problem->masks, std::vector{MaskKind::look_ahead});
  EXPECT_EQ(problem->source.embedding.shape(), (tensor::Shape{1, 8, 128}));
  EXPECT_EQ(problem->weights["k_proj_weight"].at({2, 1}),
            some_numbers(gpt2)[1 * 384 + 128 + 2]);  // [in,out] in the file
  EXPECT_NE(problem->note.find("model.safetensors"), std::string::npos);
  EXPECT_NE(problem->note.find("seed 3"), std::string::npos);
  EXPECT_NE(problem->note.find("does not say how many heads"), std::string::npos);
}

TEST(OwnLayers, TheSameNameTwiceIsTwoVariants) {
  const files::FoundAttention gpt2 = found(false, 4);
  const auto first = add(gpt2, some_numbers(gpt2));
  const auto second = add(gpt2, some_numbers(gpt2));
  ASSERT_TRUE(first && second);
  EXPECT_NE(own_layer(*first).name, own_layer(*second).name);
}

TEST(OwnLayers, TheTokensOfTheFileAreTaken) {
  const files::FoundAttention gpt2 = found(false, 4);
  std::vector<float> rows(70 * 4);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  const auto variant = add(gpt2, some_numbers(gpt2), Tensor({1, 70, 4}, rows));
  ASSERT_TRUE(variant);
  const auto whole = make_problem(ExampleId::own_layer, layer_parameters(*variant));
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->source.embedding.shape(), (tensor::Shape{1, 64, 4}));
  const auto some = make_problem(ExampleId::own_layer, layer_parameters(*variant, 3));
  ASSERT_TRUE(some);
  EXPECT_EQ(some->source.embedding.values(), std::vector<float>(rows.begin(), rows.begin() + 12));
  EXPECT_NE(some->note.find("tensor query"), std::string::npos);
  EXPECT_FALSE(lesson::example(ExampleId::own_layer).variants[*variant].random);
  // One of another width is not one of this attention's.
  const auto other = add(gpt2, some_numbers(gpt2), Tensor({2, 5}));
  ASSERT_TRUE(other);
  EXPECT_FALSE(own_layer(*other).query.defined());
}

TEST(OwnLayers, AnArrayBecomesTheTokensOfAnAttentionThatIsOpen) {
  const files::FoundAttention gpt2 = found(false, 4);
  const auto variant = add(gpt2, some_numbers(gpt2));
  ASSERT_TRUE(variant);
  std::vector<float> rows(2 * 3 * 4);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  const auto again = add_own_tokens(*variant, "x.npy", Tensor({2, 3, 4}, rows));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_NE(*again, *variant);
  EXPECT_NE(own_layer(*again).name, own_layer(*variant).name);
  const auto problem = make_problem(ExampleId::own_layer, layer_parameters(*again));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->source.embedding.values(),
            std::vector<float>(rows.begin(), rows.begin() + 12));
  EXPECT_TRUE(problem->weights["q_proj_weight"].shares_storage_with(
      own_layer(*variant).weights["q_proj_weight"]));
  EXPECT_NE(problem->note.find("The tokens are the rows of x.npy."), std::string::npos);
  const std::size_t count = own_layer_count();
  EXPECT_EQ(sentence_of(add_own_tokens(*variant, "x.npy", Tensor({4}))),
            "x.npy has shape [4]; the tokens of this attention are [L,E] or [B,L,E] with E 4.");
  EXPECT_EQ(sentence_of(add_own_tokens(*variant, "x.npy", Tensor({1, 4}, {1, 2, 20'000, 4}))),
            "x.npy has a number beyond ±10,000, the largest that is shown.");
  EXPECT_EQ(
      sentence_of(add_own_tokens(count, "x.npy", Tensor({1, 4}))),
      "x.npy holds tokens: open an attention of a .safetensors file first, or both together.");
  EXPECT_EQ(own_layer_count(), count);
}

TEST(OwnLayers, CrossAttentionHasKeysOfAnotherSequence) {
  const files::FoundAttention bart = found(true, 64);
  const auto variant = add(bart, some_numbers(bart));
  ASSERT_TRUE(variant) << variant.error().message;
  const auto problem = make_problem(ExampleId::own_layer, layer_parameters(*variant, 5, 3));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->arrangement, Arrangement::cross);
  EXPECT_EQ(problem->target.tokens[0], (std::vector<std::string>{"x0", "x1", "x2"}));
  EXPECT_EQ(problem->source.tokens[0].back(), "y4");
  EXPECT_EQ(problem->masks, std::vector{MaskKind::none});
}

TEST(OwnLayers, OtherNumbersOfHeadsCanBeChosenIfTheyDivide) {
  const files::FoundAttention gpt2 = found(false, 12);
  const auto variant = add(gpt2, some_numbers(gpt2));
  ASSERT_TRUE(variant);
  const auto with_heads = [&](std::size_t heads) {
    Parameters parameters = layer_parameters(*variant);
    parameters.num_heads = heads;
    return make_problem(ExampleId::own_layer, parameters);
  };
  EXPECT_EQ(with_heads(0)->options.num_heads, 1U);
  EXPECT_EQ(with_heads(6)->options.num_heads, 6U);
  EXPECT_EQ(with_heads(5).error().message,
            "num_heads 5 is not possible with embed_dim 12 in own-layer: choose one of 1, 2, 3, 4, "
            "6, 12.");
}

TEST(OwnLayers, WhatCannotBeShownIsSaidBeforeItIsRead) {
  files::FoundAttention gpt2 = found(false, 4);
  EXPECT_EQ(why_not_shown(gpt2), "");
  gpt2.problem = "This is wrong.";
  EXPECT_EQ(sentence_of(add(gpt2, {})), why_not_shown(gpt2));
  EXPECT_NE(why_not_shown(found(false, 3074)), "");
  files::FoundAttention other = found(true, 4);
  other.kdim = 3;
  EXPECT_EQ(why_not_shown(other), "") << "values may be wider than keys";
  other.problem = "This is wrong with it.";
  EXPECT_EQ(why_not_shown(other), other.problem);
}

TEST(OwnLayers, BrokenWeightsAreRefusedAndNothingIsAdded) {
  const files::FoundAttention gpt2 = found(false, 4);
  const std::size_t count = own_layer_count();
  std::vector<float> numbers = some_numbers(gpt2);
  numbers[3] = std::nanf("");
  EXPECT_NE(sentence_of(add(gpt2, numbers)).find("is NaN at [0,3]"), std::string::npos);
  numbers[3] = 1e30F;
  EXPECT_EQ(sentence_of(add(gpt2, numbers)),
            "q_proj_weight has a number beyond ±10,000, the largest that is shown.");
  numbers.pop_back();
  EXPECT_NE(sentence_of(add(gpt2, numbers)).find("bytes"), std::string::npos);
  EXPECT_EQ(own_layer_count(), count);
}

}  // namespace
}  // namespace lesson
