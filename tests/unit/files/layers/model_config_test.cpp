#include "files/layers/model_config.hpp"

#include <gtest/gtest.h>

namespace files {
namespace {

/// One attention with these widths of q and k, alone in its file.
FoundAttentions llama_of(std::size_t inner, std::size_t kv_width, std::size_t width,
                         const std::string& name = "model.layers.0.self_attn") {
  Header header;
  std::uint64_t end = 0;
  const auto add = [&](const std::string& part, std::size_t out, std::size_t in) {
    header.entries.push_back(
        {name + '.' + part + ".weight", "F32", {out, in}, end, end + 4 * out * in});
    end += 4 * out * in;
  };
  add("q_proj", inner, width);
  add("k_proj", kv_width, width);
  add("v_proj", kv_width, width);
  add("o_proj", width, inner);
  return find_attentions(header);
}

FoundAttention with(FoundAttentions found, std::string_view json) {
  const auto config = read_model_config(json);
  EXPECT_TRUE(config) << config.error().message;
  take_config(*config, found);
  return found.attentions.at(0);
}

std::string sentence_of(std::string_view json) {
  const auto config = read_model_config(json);
  return config ? "no error" : config.error().message;
}

TEST(ModelConfig, SaysHeadsTheirWidthAndTheBaseOfRotaryPositions) {
  // Qwen3 0.6B, but for its norms.
  const FoundAttention found =
      with(llama_of(2048, 1024, 1024),
           R"({"model_type": "qwen3", "num_attention_heads": 16, "num_key_value_heads": 8,
               "head_dim": 128, "rope_theta": 1000000, "rope_scaling": null, "vocab_size": 151936})");
  EXPECT_EQ(found.num_heads, 16U);
  EXPECT_EQ(kv_heads(found, 16), 8U);
  EXPECT_EQ(found.variants.rope_base, 1e6F);
  EXPECT_TRUE(found.rope_is_said);
  EXPECT_FALSE(found.rope_is_scaled);
}

TEST(ModelConfig, TheNamesOfOtherFamiliesAreKnown) {
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"n_head": 6})").num_heads, 6U);
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"n_heads": 6})").num_heads, 6U);
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"num_heads": 6, "d_kv": 128})").num_heads, 6U);
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"head_dim": 128})").num_heads, 6U);
  EXPECT_EQ(
      with(llama_of(768, 768, 768), R"({"text_config": {"num_attention_heads": 6}})").num_heads,
      6U);
  constexpr const char* bart = R"({"encoder_attention_heads": 4, "decoder_attention_heads": 6})";
  EXPECT_EQ(with(llama_of(768, 768, 768, "encoder.0"), bart).num_heads, 4U);
  EXPECT_EQ(with(llama_of(768, 768, 768, "decoder.0"), bart).num_heads, 6U);
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"rope_parameters": {"rope_theta": 500000.0}})")
                .variants.rope_base,
            5e5F);
}

TEST(ModelConfig, WhatDoesNotFitTheWidthsIsPassedOver) {
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"num_attention_heads": 7})").num_heads, std::nullopt);
  EXPECT_EQ(
      with(llama_of(768, 768, 768), R"({"num_attention_heads": 12, "num_key_value_heads": 4})")
          .num_heads,
      std::nullopt);
  EXPECT_EQ(
      with(llama_of(768, 768, 768), R"({"num_attention_heads": 12, "head_dim": 32})").num_heads,
      std::nullopt);
}

TEST(ModelConfig, AnglesThatAreNotComputedAreSaid) {
  constexpr const char* llama31 =
      R"({"num_attention_heads": 12, "rope_scaling": {"factor": 8.0, "rope_type": "llama3"}})";
  EXPECT_TRUE(with(llama_of(768, 768, 768), llama31).rope_is_scaled);
  constexpr const char* usual =
      R"({"num_attention_heads": 12, "rope_parameters": {"rope_type": "default"}})";
  EXPECT_FALSE(with(llama_of(768, 768, 768), usual).rope_is_scaled);
  constexpr const char* part = R"({"num_attention_heads": 12, "partial_rotary_factor": 0.25})";
  EXPECT_EQ(
      with(llama_of(768, 768, 768), part).problem,
      "Its config.json has partial_rotary_factor: only a part of each head is turned, which is "
      "not computed here.");
}

TEST(ModelConfig, WhatIsBrokenGetsASentence) {
  for (const char* text : {"", "[]", "{", "7", "{\"num_attention_heads\": 12,}"})
    EXPECT_EQ(sentence_of(text), "config.json is not a JSON object.") << text;
  for (const char* number : {"0", "-1", "1.5", "1e300", "\"12\"", "true", "[12]", "16385"}) {
    EXPECT_EQ(sentence_of(std::string(R"({"num_attention_heads": )") + number + "}"),
              "num_attention_heads of config.json must be a whole number from 1 to 16384.");
  }
  for (const char* number : {"0", "0.5", "-1", "1e300", "\"1\""}) {
    EXPECT_EQ(sentence_of(std::string(R"({"rope_theta": )") + number + "}"),
              "rope_theta of config.json must be a number from 1 to 1000000000.");
  }
  EXPECT_EQ(sentence_of(std::string(max_config_bytes + 1, ' ')),
            "config.json is longer than 1 MiB.");
}

}  // namespace
}  // namespace files
