#include "files/layers/config/model_config.hpp"

#include <cmath>

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
  EXPECT_TRUE(found.is_known);
  EXPECT_EQ(said_of(found), std::vector<std::string>{});
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

TEST(ModelConfig, WhatDoesNotFitTheWidthsIsPassedOverAndSaid) {
  for (const char* config :
       {R"({"num_attention_heads": 7})", R"({"num_attention_heads": 12, "num_key_value_heads": 4})",
        R"({"num_attention_heads": 12, "head_dim": 32})"}) {
    const FoundAttention found = with(llama_of(768, 768, 768), config);
    EXPECT_EQ(found.num_heads, std::nullopt) << config;
    ASSERT_EQ(said_of(found).size(), 2U) << config;
    EXPECT_NE(said_of(found)[1].find("heads, which does not fit the widths"), std::string::npos);
  }
}

TEST(ModelConfig, AnglesAreScaledAsItSays) {
  using Kind = model::RopeScaling::Kind;
  const auto variants = [](std::string_view json) {
    return with(llama_of(768, 768, 768), json).variants;
  };
  const model::Variants llama31 = variants(
      R"({"num_attention_heads": 12, "rope_scaling": {"factor": 8.0, "rope_type": "llama3",
          "low_freq_factor": 2.0, "high_freq_factor": 5.0,
          "original_max_position_embeddings": 4096}, "max_position_embeddings": 131072})");
  EXPECT_EQ(llama31.rope_scaling, (model::RopeScaling{.kind = Kind::llama3,
                                                      .factor = 8.0F,
                                                      .original_length = 4096,
                                                      .low_freq_factor = 2.0F,
                                                      .high_freq_factor = 5.0F}));
  EXPECT_EQ(variants(R"({"rope_scaling": {"type": "linear", "factor": 2}})").rope_scaling.kind,
            Kind::linear);
  EXPECT_EQ(variants(R"({"rope_scaling": {"type": "dynamic", "factor": 2}})").rope_scaling.kind,
            Kind::none);
  const model::Variants yarn = variants(
      R"({"rope_parameters": {"rope_type": "yarn", "factor": 32.0, "beta_fast": 16,
          "attention_factor": 1.5, "rope_theta": 150000}, "max_position_embeddings": 4096})");
  EXPECT_EQ(yarn.rope_scaling.kind, Kind::yarn);
  EXPECT_EQ(yarn.rope_scaling.beta_fast, 16.0F);
  EXPECT_EQ(yarn.rope_scaling.original_length, 4096U);
  EXPECT_EQ(yarn.rope_attention_factor, 1.5F);
  EXPECT_EQ(yarn.rope_base, 15e4F);
  const FoundAttention other = with(
      llama_of(768, 768, 768), R"({"rope_scaling": {"type": "longrope", "short_factor": [1.0]}})");
  EXPECT_EQ(said_of(other).at(1),
            "config.json has rope_scaling of type \"longrope\", which is not computed: the angles "
            "are those without it.");
}

TEST(ModelConfig, LongRopeHasADivisorForEachPair) {
  const auto ask = [](const std::string& scaling) {
    return with(llama_of(8, 8, 8),
                R"({"model_type": "phi3", "num_attention_heads": 2, "rope_theta": 100,
                    "max_position_embeddings": 64, "original_max_position_embeddings": 16,
                    "rope_scaling": )" +
                    scaling + "}");
  };
  const FoundAttention found =
      ask(R"({"type": "longrope", "short_factor": [1, 2], "long_factor": [4, 5]})");
  EXPECT_EQ(rope_frequencies_of(found, 2, 16).values()[0], 1.0F);
  EXPECT_FLOAT_EQ(rope_frequencies_of(found, 2, 16).values()[1], 0.05F);
  EXPECT_EQ(rope_frequencies_of(found, 2, 17).values()[0], 0.25F);
  EXPECT_FLOAT_EQ(rope_frequencies_of(found, 2, 17).values()[1], 0.02F);
  EXPECT_FLOAT_EQ(variants_of(found, 2, 16).rope_attention_factor, std::sqrt(1.5F));
  EXPECT_EQ(found.sayings.size(), 0U);
  const FoundAttention moe = ask(R"({"type": "longrope", "short_factor": [1, 2],
      "long_factor": [4, 5], "short_mscale": 1.25, "long_mscale": 1.5})");
  EXPECT_EQ(variants_of(moe, 2, 16).rope_attention_factor, 1.25F);
  EXPECT_EQ(variants_of(moe, 2, 17).rope_attention_factor, 1.5F);
  for (const char* broken :
       {R"({"type": "longrope", "short_factor": [1], "long_factor": [4]})",
        R"({"type": "longrope", "short_factor": [1, 0], "long_factor": [4, 5]})",
        R"({"type": "su", "short_factor": [1, 2]})", R"({"type": "su", "short_factor": 7})"}) {
    EXPECT_EQ(ask(broken).sayings.size(), 1U) << broken;
    EXPECT_FALSE(rope_frequencies_of(ask(broken), 2, 16).defined());
  }
}

TEST(ModelConfig, YarnsBoundsAreNotRoundedWhereItSaysSo) {
  const auto found = with(
      llama_of(768, 768, 768),
      R"({"num_attention_heads": 12, "model_type": "gpt_oss", "rope_scaling": {"rope_type": "yarn",
          "factor": 32, "truncate": false, "original_max_position_embeddings": 4096}})");
  EXPECT_FALSE(found.variants.rope_scaling.from_whole_pairs);
  EXPECT_EQ(found.sayings.size(), 0U);
}

TEST(ModelConfig, WhatSeesOrHearsIsNotComputedAsTheLanguageModelBesideIt) {
  const auto type_of = [](const std::string& name, std::string_view json) {
    return with(llama_of(8, 8, 8, name), json);
  };
  // Configs of these parts are called like the whole model.
  const FoundAttention qwen =
      type_of("visual.blocks.0.attn", R"({"model_type": "qwen2_vl", "vision_config": {"model_type":
          "qwen2_vl"}})");
  EXPECT_NE(qwen.problem, "");
  const FoundAttention heard = type_of("audio_tower.layers.0.self_attn",
                                       R"({"model_type": "qwen2_audio", "audio_config":
          {"model_type": "qwen2_audio_encoder"}, "text_config": {"model_type": "qwen2"}})");
  EXPECT_FALSE(heard.causal || heard.is_known);
  EXPECT_EQ(heard.positions, Positions::none);
  const FoundAttention seen = type_of("vision_model.transformer.layers.0.self_attn",
                                      R"({"model_type": "mllama", "vision_config": {"model_type":
          "mllama_vision_model"}, "text_config": {"model_type": "mllama_text_model"}})");
  EXPECT_FALSE(seen.causal || seen.is_known);
  EXPECT_TRUE(type_of("language_model.model.layers.0.self_attn",
                      R"({"model_type": "mllama", "text_config":
          {"model_type": "mllama_text_model"}})")
                  .causal);
  // DETR's decoder looks for things in a picture, all at the same time.
  EXPECT_FALSE(type_of("model.decoder.layers.0.self_attn", R"({"model_type": "detr"})").causal);
}

TEST(ModelConfig, PositionsAreOfTheKindThatItSays) {
  const auto positions = [](std::string_view json) {
    return with(llama_of(8, 8, 8), json).positions;
  };
  EXPECT_EQ(positions(R"({"model_type": "bert", "position_embedding_type": "alibi"})"),
            Positions::alibi);
  EXPECT_EQ(positions(R"({"model_type": "xlm-roberta", "position_embedding_type": "rotary"})"),
            Positions::halves);
  EXPECT_EQ(positions(R"({"model_type": "granitemoehybrid", "position_embedding_type": "nope"})"),
            Positions::none);
  EXPECT_EQ(positions(R"({"model_type": "jamba"})"), Positions::none);
  EXPECT_EQ(positions(R"({"model_type": "nomic_bert", "rotary_emb_interleaved": true})"),
            Positions::pairs);
  EXPECT_EQ(positions(R"({"model_type": "nomic_bert", "rotary_emb_fraction": 0.0})"),
            Positions::none);
}

TEST(ModelConfig, GptNeosLayersAreListedByTheirKinds) {
  const auto window = [](int layer) {
    return with(llama_of(8, 8, 8, "h." + std::to_string(layer) + ".attn.attention"),
                R"({"model_type": "gpt_neo", "window_size": 4,
                    "attention_types": [[["global", "local"], 2], [["local"], 1]]})")
        .variants.window;
  };
  EXPECT_EQ(window(0), 0U);
  EXPECT_EQ(window(1), 4U);
  EXPECT_EQ(window(2), 0U);
  EXPECT_EQ(window(4), 4U);
}

TEST(ModelConfig, WindowsOnBothSidesAreHalfAsWide) {
  const auto window = [](int layer, std::string_view json) {
    const auto found =
        with(llama_of(8, 8, 8, "layers." + std::to_string(layer) + ".self_attn"), json);
    EXPECT_FALSE(found.causal);
    EXPECT_EQ(found.variants.window_both_ways, found.variants.window != 0);
    return found.variants.window;
  };
  constexpr const char* modern = R"({"model_type": "modernbert", "local_attention": 128,
                                     "global_attn_every_n_layers": 3})";
  EXPECT_EQ(window(0, modern), 0U);
  EXPECT_EQ(window(1, modern), 65U);
  constexpr const char* gemma = R"({"model_type": "gemma3_text", "sliding_window": 512,
                                    "use_bidirectional_attention": true})";
  EXPECT_EQ(window(0, gemma), 257U);
  EXPECT_EQ(window(5, gemma), 0U);
  EXPECT_EQ(window(0, R"({"model_type": "eurobert", "sliding_window": 4})"), 0U);
}

TEST(ModelConfig, APartOfEachHeadIsTurned) {
  for (const char* json :
       {R"({"num_attention_heads": 12, "partial_rotary_factor": 0.25})",
        R"({"num_attention_heads": 12, "rotary_pct": 0.25})",
        R"({"num_attention_heads": 12, "rotary_dim": 16})",
        R"({"num_attention_heads": 12, "model_type": "gpt_neox"})",
        R"({"num_attention_heads": 12, "rope_parameters": {"partial_rotary_factor": 0.25}})"}) {
    const FoundAttention found = with(llama_of(768, 768, 768), json);
    EXPECT_EQ(variants_of(found, 12).rope_dims, 16U) << json;
    EXPECT_EQ(found.problem, "");
  }
  EXPECT_EQ(variants_of(with(llama_of(768, 768, 768), "{}"), 12).rope_dims, 0U);
}

/// A tensor [rows,columns] by these names, each of them alone in a layer of its own.
FoundAttentions named(const std::vector<std::string>& names, std::size_t width,
                      const std::string& out = "out_proj") {
  Header header;
  std::uint64_t end = 0;
  for (const std::string& name : names) {
    for (const std::string& part :
         {std::string("q_proj"), std::string("k_proj"), std::string("v_proj"), out}) {
      header.entries.push_back(
          {name + '.' + part + ".weight", "F32", {width, width}, end, end + 4 * width * width});
      end += 4 * width * width;
    }
  }
  return find_attentions(header);
}

FoundAttention first_of(FoundAttentions found, std::string_view json) {
  return with(std::move(found), json);
}

TEST(ModelConfig, TheModelTypeDecidesWhatATokenSees) {
  const std::string text = "text_model.encoder.layers.0.self_attn";
  const std::string flat = "model.layers.0.self_attn";
  const std::string decoder = "model.decoder.layers.0.self_attn";
  struct Case {
    std::string name;
    const char* type;
    bool causal;
  };
  for (const auto& [name, type, causal] : std::vector<Case>{
           {text, "siglip", false},
           {text, "siglip_text_model", false},
           {text, "clip", true},
           {text, "clip_text_model", true},
           {"vision_model.encoder.layers.0.self_attn", "clip", false},
           {flat, "xglm", true},
           {flat, "biogpt", true},
           {flat, "bart", false},
           {decoder, "opt", true},
           {decoder, "bart", true},
           {decoder, "whisper", true},
           {"encoder.layers.0.self_attn", "whisper", false},
       }) {
    const FoundAttention found =
        first_of(named({name}, 64), std::string(R"({"model_type": ")") + type + "\"}");
    EXPECT_EQ(found.causal, causal) << name << ' ' << type;
    EXPECT_TRUE(found.is_known);
    EXPECT_EQ(said_of(found), std::vector<std::string>{}) << name << ' ' << type;
  }
  const FoundAttention bert = first_of(named({flat}, 64), R"({"model_type": "bart",
                                        "is_decoder": true})");
  EXPECT_TRUE(bert.causal);
  const FoundAttention embeddings =
      first_of(named({flat}, 64, "o_proj"), R"({"model_type": "gemma3_text",
                                       "use_bidirectional_attention": true})");
  EXPECT_FALSE(embeddings.causal);
}

TEST(ModelConfig, WithoutAKnownTypeEachGuessIsCalledOne) {
  const FoundAttentions llama = named({"model.layers.0.self_attn"}, 64, "o_proj");
  const std::string guess =
      "Guessed from the names of its tensors, as no known model_type says it: no token sees a "
      "later one, rotary positions by halves.";
  EXPECT_EQ(said_of(llama.attentions[0]), std::vector<std::string>{guess});
  EXPECT_EQ(said_of(first_of(llama, R"({"model_type": "newest"})")),
            (std::vector<std::string>{guess,
                                      "model_type \"newest\" of config.json is not known "
                                      "here."}));
  EXPECT_EQ(first_of(llama, R"({"model_type": "deepseek_v3"})").problem,
            "model_type deepseek_v3 of config.json stands for an attention that is computed in "
            "another way, which is not known here.");
}

TEST(ModelConfig, EachTowerHasItsOwnPart) {
  constexpr const char* clip =
      R"({"model_type": "clip", "text_config": {"num_attention_heads": 8},
          "vision_config": {"num_attention_heads": 12}})";
  FoundAttentions both = named(
      {"text_model.encoder.layers.0.self_attn", "vision_model.encoder.layers.0.self_attn"}, 768);
  take_config(*read_model_config(clip), both);
  EXPECT_EQ(both.attentions[0].num_heads, 8U);
  EXPECT_EQ(both.attentions[1].num_heads, 12U);
  EXPECT_TRUE(both.attentions[0].causal);
  EXPECT_FALSE(both.attentions[1].causal);

  constexpr const char* pair =
      R"({"model_type": "encoder-decoder",
          "encoder": {"model_type": "bert", "num_attention_heads": 4},
          "decoder": {"model_type": "opt", "num_attention_heads": 6}})";
  FoundAttentions two =
      named({"decoder.model.layers.0.self_attn", "encoder.layers.0.self_attn"}, 768);
  take_config(*read_model_config(pair), two);
  EXPECT_EQ(two.attentions[0].num_heads, 6U);
  EXPECT_TRUE(two.attentions[0].causal);
  EXPECT_EQ(two.attentions[1].num_heads, 4U);

  // A flat config of a model of text is not about its pictures.
  FoundAttentions llava = named({"model.layers.0.self_attn"}, 768, "o_proj");
  const FoundAttentions tower =
      named({"model.vision_tower.vision_model.encoder.layers.0.self_attn"}, 768);
  llava.attentions.push_back(tower.attentions[0]);
  take_config(*read_model_config(R"({"model_type": "llama", "num_attention_heads": 6})"), llava);
  EXPECT_EQ(llava.attentions[0].num_heads, 6U);
  EXPECT_EQ(llava.attentions[1].num_heads, std::nullopt);
}

TEST(ModelConfig, WindowsAreThoseOfTheLayer) {
  const auto window = [](std::size_t layer, const std::string& json) {
    const std::string name = "model.layers." + std::to_string(layer) + ".self_attn";
    return first_of(named({name}, 64, "o_proj"), json).variants.window;
  };
  EXPECT_EQ(window(0, R"({"sliding_window": 7})"), 7U);
  EXPECT_EQ(window(0, R"({"model_type": "mistral", "sliding_window": null})"), 0U);
  EXPECT_EQ(window(0, R"({"model_type": "mistral", "sliding_window": 7})"), 7U);
  EXPECT_EQ(window(0, R"({"model_type": "qwen2", "sliding_window": 7})"), 0U);
  const std::string qwen = R"({"model_type": "qwen2", "sliding_window": 7,
                               "use_sliding_window": true, "max_window_layers": 2})";
  EXPECT_EQ(window(1, qwen), 0U);
  EXPECT_EQ(window(2, qwen), 7U);
  const std::string types = R"({"sliding_window": 7,
                                "layer_types": ["full_attention", "sliding_attention"]})";
  EXPECT_EQ(window(0, types), 0U);
  EXPECT_EQ(window(1, types), 7U);
  for (const auto& [type, full] : std::vector<std::pair<std::string, std::size_t>>{
           {"gemma2", 1}, {"gemma3_text", 5}, {"cohere2", 3}, {"gpt_oss", 1}}) {
    const std::string config = R"({"model_type": ")" + type + R"(", "sliding_window": 7})";
    EXPECT_EQ(window(full, config), 0U) << type;
    EXPECT_EQ(window(full - 1, config), 7U) << type;
    EXPECT_EQ(window(full + 1, config), 7U) << type;
  }
  EXPECT_EQ(window(2, R"({"sliding_window": 7, "sliding_window_pattern": 3})"), 0U);
  EXPECT_EQ(window(3, R"({"sliding_window": 7, "sliding_window_pattern": "LLLG"})"), 0U);
  EXPECT_EQ(window(2, R"({"sliding_window": 7, "sliding_window_pattern": "LLLG"})"), 7U);
}

TEST(ModelConfig, LayersWithoutRotaryPositions) {
  const auto base = [](std::size_t layer, const std::string& json) {
    const std::string name = "model.layers." + std::to_string(layer) + ".self_attn";
    return first_of(named({name}, 64, "o_proj"), json).variants.rope_base;
  };
  const std::string smollm = R"({"model_type": "smollm3", "no_rope_layers": [1, 0]})";
  EXPECT_EQ(base(0, smollm), 1e4F);
  EXPECT_EQ(base(1, smollm), 0.0F);
  EXPECT_EQ(base(3, R"({"model_type": "smollm3", "no_rope_layer_interval": 4})"), 0.0F);
  const std::string cohere = R"({"model_type": "cohere2", "sliding_window": 9})";
  EXPECT_EQ(base(2, cohere), 1e4F);
  EXPECT_EQ(base(3, cohere), 0.0F);
  const std::string gemma =
      R"({"model_type": "gemma3_text", "rope_theta": 1000000, "rope_local_base_freq": 20000,
          "sliding_window": 512, "rope_scaling": {"rope_type": "linear", "factor": 8}})";
  EXPECT_EQ(base(5, gemma), 1e6F);
  EXPECT_EQ(base(4, gemma), 2e4F);
}

TEST(ModelConfig, ScalesAndCaps) {
  const auto found = [](const std::string& json) {
    return first_of(named({"h.2.self_attn"}, 64, "o_proj"), json);
  };
  EXPECT_EQ(found(R"({"attention_multiplier": 0.0625})").scale.divisor(32, 1), 16.0F);
  EXPECT_EQ(found(R"({"query_pre_attn_scalar": 144})").scale.divisor(32, 1), 12.0F);
  EXPECT_EQ(found(R"({"scale_attn_weights": false})").scale.divisor(32, 1), 1.0F);
  EXPECT_EQ(found(R"({"num_attention_heads": 4, "scale_attn_by_inverse_layer_idx": true})")
                .scale.divisor(16, 1),
            12.0F);
  EXPECT_EQ(found(R"({"model_type": "gpt_neo"})").scale.divisor(32, 1), 1.0F);
  EXPECT_EQ(found(R"({"attn_logit_softcapping": 50.0})").variants.softcap, 50.0F);
}

TEST(ModelConfig, WhatChangesScoresAndIsNotComputedIsSaid) {
  const FoundAttention found =
      first_of(named({"h.0.self_attn"}, 64, "o_proj"),
               R"({"model_type": "llama", "clip_qkv": 8.0, "attention_chunk_size": null,
          "key_multiplier": 1.0, "attn_config": {"qk_ln": true}})");
  EXPECT_EQ(said_of(found), (std::vector<std::string>{
                                "clip_qkv of config.json is 8.0: it changes the attention, and is "
                                "not computed.",
                                "qk_ln of config.json is true: it changes the attention, and is "
                                "not computed."}));
}

TEST(ModelConfig, OneBadFieldIsSaidAndTheOthersAreUsed) {
  constexpr const char* python =
      R"({"num_attention_heads": 4, "x": Infinity, "y": [NaN, -Infinity], "z": "NaN \" Infinity"})";
  EXPECT_EQ(with(llama_of(768, 768, 768), python).num_heads, 4U);
  EXPECT_EQ(with(llama_of(768, 768, 768), R"({"rope_theta": 10000000000.0})").variants.rope_base,
            1e10F);
  for (const char* number : {"0", "-1", "1.5", "1e300", "\"12\"", "true", "[12]", "16385"}) {
    const FoundAttention found =
        with(llama_of(768, 768, 768),
             std::string(R"({"rope_theta": 5e5, "num_attention_heads": )") + number + "}");
    EXPECT_EQ(found.variants.rope_base, 5e5F) << number;
    EXPECT_EQ(found.num_heads, std::nullopt) << number;
    EXPECT_EQ(said_of(found).at(1),
              "num_attention_heads of config.json is passed over: it must be a whole number from 1 "
              "to 16384.");
  }
  for (const char* number : {"0", "0.5", "-1", "1e300", "\"1\""}) {
    const FoundAttention found =
        with(llama_of(768, 768, 768),
             std::string(R"({"num_attention_heads": 6, "rope_theta": )") + number + "}");
    EXPECT_EQ(found.num_heads, 6U) << number;
    EXPECT_EQ(found.variants.rope_base, 1e4F) << number;
    EXPECT_NE(said_of(found).at(1).find("rope_theta of config.json is passed over: "),
              std::string::npos)
        << number;
  }
}

TEST(ModelConfig, WhatIsBrokenGetsASentence) {
  for (const char* text : {"", "[]", "{", "7", "{\"num_attention_heads\": 12,}", "{\"a\": Inf}"})
    EXPECT_EQ(sentence_of(text), "config.json is not a JSON object.") << text;
  EXPECT_EQ(sentence_of(std::string(max_config_bytes + 1, ' ')),
            "config.json is longer than 1 MiB.");
}

}  // namespace
}  // namespace files
