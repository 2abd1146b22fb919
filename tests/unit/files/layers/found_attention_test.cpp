#include "files/layers/found_attention.hpp"

#include <gtest/gtest.h>

#include "files/layers/attention_weights.hpp"

namespace files {
namespace {

using model::TensorId;
using tensor::Shape;

/// A header at the sizes of a real model; no data are needed.
class Names {
 public:
  Names& add(const std::string& name, const Shape& shape, const std::string& dtype = "F32") {
    const std::uint64_t bytes = std::uint64_t{shape.product()} * (dtype == "F32" ? 4 : 2);
    header_.entries.push_back({name, dtype, shape, end_, end_ + bytes});
    end_ += bytes;
    return *this;
  }
  Names& linear(const std::string& name, std::size_t out, std::size_t in, bool bias = true) {
    add(name + ".weight", {out, in});
    return bias ? add(name + ".bias", {out}) : *this;
  }
  Names& says(const std::string& key, const std::string& value) {
    header_.metadata.emplace_back(key, value);
    return *this;
  }
  FoundAttentions found() const { return find_attentions(header_); }
  FoundAttention only() const {
    const FoundAttentions all = found();
    EXPECT_EQ(all.attentions.size(), 1U);
    return all.attentions.empty() ? FoundAttention{} : all.attentions.front();
  }

 private:
  Header header_;
  std::uint64_t end_ = 0;
};

std::string number(std::size_t i) { return std::to_string(i); }

Names gpt2_small(const std::string& prefix = "") {
  Names names;
  names.add(prefix + "wte.weight", {50257, 768}).add(prefix + "wpe.weight", {1024, 768});
  for (std::size_t layer = 0; layer < 12; ++layer) {
    const std::string h = prefix + "h." + number(layer) + ".";
    names.add(h + "ln_1.weight", {768}).add(h + "ln_1.bias", {768});
    names.add(h + "attn.bias", {1, 1, 1024, 1024});
    names.add(h + "attn.c_attn.weight", {768, 2304}).add(h + "attn.c_attn.bias", {2304});
    names.add(h + "attn.c_proj.weight", {768, 768}).add(h + "attn.c_proj.bias", {768});
    names.add(h + "mlp.c_fc.weight", {768, 3072}).add(h + "mlp.c_proj.weight", {3072, 768});
  }
  return names;
}

/// `inner`: the width of all heads of queries, where it is another.
Names llama_like(std::size_t width, std::size_t kv_width, bool bias = false,
                 std::size_t inner = 0) {
  const std::string at = "model.layers.0.self_attn.";
  if (inner == 0) inner = width;
  Names names;
  names.linear(at + "q_proj", inner, width, bias).linear(at + "k_proj", kv_width, width, bias);
  return names.linear(at + "v_proj", kv_width, width, bias)
      .linear(at + "o_proj", width, inner, false);
}

/// The rows of [out,in] that a weight is.
std::vector<std::size_t> rows_of(const FoundAttention& found, TensorId id) {
  for (const WeightPlace& place : found.weights) {
    if (place.id == id) return {place.first, place.rows};
  }
  return {};
}

TEST(FoundAttention, Gpt2SmallHasTwelveInTheOrderOfItsLayers) {
  for (const std::string prefix : {"", "transformer."}) {
    const FoundAttentions all = gpt2_small(prefix).found();
    ASSERT_EQ(all.attentions.size(), 12U);
    EXPECT_EQ(all.incomplete, 0U);
    for (std::size_t layer = 0; layer < 12; ++layer) {
      const FoundAttention& found = all.attentions[layer];
      EXPECT_EQ(found.name, prefix + "h." + number(layer) + ".attn");
      EXPECT_EQ(found.layer, layer);
      EXPECT_EQ(found.family, Family::gpt2);
      EXPECT_EQ(found.problem, "");
      EXPECT_TRUE(found.causal && found.transposed && !found.is_cross && !found.num_heads);
      EXPECT_EQ(found.embed_dim, 768U);
      EXPECT_EQ(usual_heads(found), 12U);
      EXPECT_EQ(found.tensors.size(), 4U);
      EXPECT_EQ(bytes_of(found), 4U * (768 * 2304 + 2304 + 768 * 768 + 768));
      EXPECT_EQ(rows_of(found, "k_proj_weight"), (std::vector<std::size_t>{768, 768}));
      EXPECT_EQ(rows_of(found, "v_proj_bias"), (std::vector<std::size_t>{1536, 768}));
    }
    EXPECT_EQ(find(all, prefix + "h.11.attn"), &all.attentions.back());
    EXPECT_EQ(find(all, "h"), nullptr);
  }
}

TEST(FoundAttention, WhatIsCalledAsInGpt2MayBeStoredAsLinearLayersAre) {
  const FoundAttention found =
      Names().linear("h.0.attn.c_attn", 2304, 768).linear("h.0.attn.c_proj", 768, 768).only();
  EXPECT_EQ(found.problem, "");
  EXPECT_FALSE(found.transposed);
  EXPECT_EQ(found.embed_dim, 768U);
}

TEST(FoundAttention, BertAndItsRelatives) {
  for (const auto& [q, k, v, out] :
       {std::array<const char*, 4>{"self.query", "self.key", "self.value", "output.dense"},
        {"attention.query", "attention.key", "attention.value", "output.dense"},
        {"q_lin", "k_lin", "v_lin", "out_lin"}}) {
    Names names;
    for (std::size_t layer = 0; layer < 12; ++layer) {
      const std::string at = "bert.encoder.layer." + number(layer) + ".attention.";
      for (const char* part : {q, k, v, out}) names.linear(at + part, 768, 768);
    }
    const FoundAttentions all = names.found();
    ASSERT_EQ(all.attentions.size(), 12U);
    const FoundAttention& last = all.attentions.back();
    EXPECT_EQ(last.name, "bert.encoder.layer.11.attention");
    EXPECT_EQ(last.problem, "");
    EXPECT_EQ(last.family, Family::bert);
    EXPECT_EQ(last.weights.size(), 8U);
    EXPECT_EQ(usual_heads(last), 12U);
    EXPECT_FALSE(last.causal || last.is_cross || last.transposed);
  }
  const FoundAttention relative = Names()
                                      .linear("a.self.query", 8, 8)
                                      .linear("a.self.key", 8, 8)
                                      .linear("a.self.value", 8, 8)
                                      .linear("a.output.dense", 8, 8)
                                      .add("a.self.distance_embedding.weight", {9, 2})
                                      .only();
  EXPECT_EQ(relative.problem,
            "The tensor self.distance_embedding.weight says that this model computes its attention "
            "in another way, which is not known here.");
}

TEST(FoundAttention, BartsDecoderHasTwoAndTheEncoderOne) {
  Names names;
  for (const char* at : {"model.encoder.layers.0.self_attn.", "model.decoder.layers.0.self_attn.",
                         "model.decoder.layers.0.encoder_attn."}) {
    for (const char* part : {"q_proj", "k_proj", "v_proj", "out_proj"})
      names.linear(std::string(at) + part, 1024, 1024);
  }
  const FoundAttentions all = names.found();
  ASSERT_EQ(all.attentions.size(), 3U);
  EXPECT_TRUE(all.attentions[0].is_cross && !all.attentions[0].causal);
  EXPECT_TRUE(!all.attentions[1].is_cross && all.attentions[1].causal);
  EXPECT_TRUE(!all.attentions[2].is_cross && !all.attentions[2].causal);
  for (const FoundAttention& found : all.attentions) {
    EXPECT_EQ(found.family, Family::bart);
    EXPECT_EQ(usual_heads(found), 16U);
  }
}

TEST(FoundAttention, T5HasNoScaleAndItsHeadsAreColumnsOfItsBias) {
  Names names;
  for (const std::string side : {"encoder", "decoder"}) {
    names.add(side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight", {32, 12});
    for (std::size_t block = 0; block < 12; ++block) {
      const std::string at = side + ".block." + number(block) + ".layer.";
      for (const char* part : {"q", "k", "v", "o"}) {
        names.linear(at + "0.SelfAttention." + part, 768, 768, false);
        if (side == "decoder") names.linear(at + "1.EncDecAttention." + part, 768, 768, false);
      }
    }
  }
  const FoundAttentions all = names.found();
  ASSERT_EQ(all.attentions.size(), 36U);
  for (const FoundAttention& found : all.attentions) {
    EXPECT_EQ(found.problem, "");
    EXPECT_EQ(found.num_heads, 12U);
    EXPECT_EQ(found.scale.kind, model::Scale::Kind::none);
    EXPECT_EQ(found.positions == Positions::relative, !found.is_cross);
    using model::PositionBias;
    EXPECT_EQ(found.weights.size(), found.is_cross ? 4U : 5U);
    EXPECT_EQ(found.variants.position_bias, found.is_cross ? PositionBias::none
                                            : found.causal ? PositionBias::t5_look_back
                                                           : PositionBias::t5);
    if (!found.is_cross) {
      EXPECT_EQ(found.tensors.back().name,
                found.name.substr(0, 7) +
                    ".block.0.layer.0.SelfAttention.relative_attention_bias.weight");
    }
    EXPECT_EQ(found.unread_count, 0U);
    EXPECT_EQ(found.causal, found.name.starts_with("decoder") && !found.is_cross);
  }
  EXPECT_EQ(all.attentions[0].name, "decoder.block.0.layer.0.SelfAttention");
  EXPECT_EQ(all.attentions[1].name, "decoder.block.0.layer.1.EncDecAttention");
  EXPECT_TRUE(all.attentions[1].is_cross);
}

TEST(FoundAttention, SwinsTableTellsHeadsAndTheTokensOfAWindow) {
  const auto swin = [](const std::string& table, std::size_t rows) {
    Names names;
    const std::string at = "swin.encoder.layers.0.blocks.1.attention.";
    for (const char* part : {"self.query", "self.key", "self.value", "output.dense"})
      names.linear(at + part, 96, 96);
    names.add(at + table, {rows, 3});
    names.add(at + "self.relative_position_index", {49, 49});
    return names.only();
  };
  const FoundAttention found = swin("self.relative_position_bias_table", 169);
  EXPECT_EQ(found.num_heads, 3U);
  EXPECT_EQ(found.window_tokens, 49U);
  EXPECT_EQ(found.variants.position_bias, model::PositionBias::shifted_windows);
  EXPECT_EQ(found.unread_count, 0U);
  const auto said = said_of(found);
  EXPECT_EQ(said.back().substr(0, 40), "In every second block Swin moves its win");
  for (const std::string& sentence : said) EXPECT_EQ(sentence.find("T5"), std::string::npos);
  // BEiT has three rows more, for its first token: not a window.
  const FoundAttention other = swin("self.relative_position_bias_table", 172);
  EXPECT_EQ(other.variants.position_bias, model::PositionBias::none);
  EXPECT_EQ(other.unread_count, 1U);
  EXPECT_EQ(head_choices(other).size() > 1, true);
}

TEST(FoundAttention, T5SmallsSuccessorsHaveHeadsOfAnotherWidthThanTheModel) {
  Names names;
  for (const char* part : {"q", "k", "v"})
    names.linear(std::string("block.0.layer.0.SelfAttention.") + part, 384, 512, false);
  names.linear("block.0.layer.0.SelfAttention.o", 512, 384, false);
  const FoundAttention found = names.only();
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.embed_dim, 512U);
  EXPECT_EQ(found.inner_dim, 384U);
  EXPECT_EQ(usual_heads(found), 6U);
  EXPECT_EQ(own_head_dim(found, 6), 64U);
}

TEST(FoundAttention, LlamasHeadsShareKeys) {
  const FoundAttention small = llama_like(2048, 512).only();  // Llama 3.2 1B
  EXPECT_EQ(small.problem, "");
  EXPECT_EQ(small.family, Family::llama);
  EXPECT_EQ(small.variants.rope_base, 10'000.0F);
  EXPECT_TRUE(small.causal);
  EXPECT_EQ(usual_heads(small), 32U);
  EXPECT_EQ(kv_heads(small, 32), 8U);
  EXPECT_EQ(head_choices(small).front(), 4U);                  // with one head of keys
  const FoundAttention large = llama_like(4096, 1024).only();  // Llama 3 8B
  EXPECT_EQ(usual_heads(large), 32U);
  EXPECT_EQ(kv_heads(large, 32), 8U);
  EXPECT_EQ(llama_like(896, 128, true).only().weights.size(), 7U);  // Qwen2.5 0.5B has biases
}

TEST(FoundAttention, LlamasHeadsAreKnownWhereTheFileHasFrequenciesOrNorms) {
  const std::string at = "model.layers.0.self_attn.";
  const FoundAttention old = llama_like(4096, 4096).add(at + "rotary_emb.inv_freq", {64}).only();
  EXPECT_EQ(old.num_heads, 32U);
  const FoundAttention qwen3 = llama_like(2048, 1024)
                                   .add(at + "q_norm.weight", {128})
                                   .add(at + "k_norm.weight", {128})
                                   .only();
  EXPECT_EQ(qwen3.num_heads, 16U);
  EXPECT_TRUE(qwen3.variants.qk_norm);
  EXPECT_EQ(rows_of(qwen3, "k_norm_weight"), (std::vector<std::size_t>{0, 128}));
  EXPECT_EQ(head_choices(qwen3), std::vector<std::size_t>{16});           // the norms fit no other
  const FoundAttention small_qwen3 = llama_like(1024, 1024, false, 2048)  // Qwen3 0.6B
                                         .add(at + "q_norm.weight", {128})
                                         .add(at + "k_norm.weight", {128})
                                         .only();
  EXPECT_EQ(small_qwen3.problem, "");
  EXPECT_EQ(small_qwen3.num_heads, 16U);
  EXPECT_EQ(kv_heads(small_qwen3, 16), 8U);
  EXPECT_EQ(own_head_dim(small_qwen3, 16), 128U);
  const FoundAttention nemo = llama_like(5120, 1024, false, 4096).only();  // Mistral Nemo
  EXPECT_EQ(nemo.num_heads, std::nullopt);
  EXPECT_EQ(usual_heads(nemo), 32U);
  const FoundAttention olmo2 = llama_like(2048, 2048)
                                   .add(at + "q_norm.weight", {2048})
                                   .add(at + "k_norm.weight", {2048})
                                   .only();
  EXPECT_EQ(olmo2.problem, "");
  EXPECT_TRUE(olmo2.variants.qk_norm);
  EXPECT_EQ(olmo2.variants.norm_place, model::Variants::NormPlace::all_heads);
  const FoundAttention gemma2 =
      llama_like(2304, 2304).add("model.layers.0.pre_feedforward_layernorm.weight", {2304}).only();
  EXPECT_NE(gemma2.problem, "");
}

TEST(FoundAttention, PyTorchsTransformer) {
  Names names;
  for (std::size_t layer = 0; layer < 6; ++layer) {
    for (const std::string part : {"encoder.layers.", "decoder.layers."}) {
      for (const std::string which : {"self_attn", "multihead_attn"}) {
        if (part == "encoder.layers." && which != "self_attn") continue;
        const std::string at = "model." + part + number(layer) + "." + which + ".";
        names.add(at + "in_proj_weight", {1536, 512}).add(at + "in_proj_bias", {1536});
        names.linear(at + "out_proj", 512, 512);
      }
    }
  }
  const FoundAttentions all = names.found();
  ASSERT_EQ(all.attentions.size(), 18U);
  const FoundAttention* cross = find(all, "model.decoder.layers.5.multihead_attn");
  const FoundAttention* decoder = find(all, "model.decoder.layers.5.self_attn");
  const FoundAttention* encoder = find(all, "model.encoder.layers.5.self_attn");
  ASSERT_TRUE(cross != nullptr && decoder != nullptr && encoder != nullptr);
  EXPECT_TRUE(cross->is_cross && !cross->causal);
  EXPECT_TRUE(decoder->causal && !decoder->is_cross);
  EXPECT_TRUE(!encoder->causal && !encoder->is_cross);
  EXPECT_EQ(usual_heads(*cross), 8U);
}

TEST(FoundAttention, AnAttentionAloneMayHaveNoNameOrAnyName) {
  const auto with = [](const std::string& at) {
    return Names()
        .add(at + "in_proj_weight", {24, 8})
        .linear(at + "out_proj", 8, 8)
        .says("num_heads", "4")
        .only();
  };
  EXPECT_EQ(with("").name, "");
  EXPECT_EQ(with("").num_heads, 4U);
  EXPECT_FALSE(with("multihead_attn.").is_cross);
  EXPECT_EQ(Names()
                .add("in_proj_weight", {24, 8})
                .linear("out_proj", 8, 8)
                .says("num_heads", "3")
                .only()
                .num_heads,
            std::nullopt);  // 3 do not divide 8
}

TEST(FoundAttention, OtherWidthsOfKeysAndValues) {
  const FoundAttention found = Names()
                                   .add("a.q_proj_weight", {8, 8})
                                   .add("a.k_proj_weight", {8, 6})
                                   .add("a.v_proj_weight", {8, 10})
                                   .add("a.in_proj_bias", {24})
                                   .linear("a.out_proj", 8, 8)
                                   .only();
  EXPECT_EQ(found.problem, "");
  EXPECT_TRUE(found.is_cross);
  EXPECT_EQ(found.kdim, 6U);
  EXPECT_EQ(found.vdim, 10U);
  EXPECT_EQ(rows_of(found, "v_proj_bias"), (std::vector<std::size_t>{16, 8}));
  EXPECT_EQ(usual_heads(found), 1U);
  EXPECT_EQ(head_choices(found), (std::vector<std::size_t>{1, 2, 4, 8}));
}

TEST(FoundAttention, WhatIsMissingIsNamed) {
  const FoundAttentions all = Names()
                                  .add("h.0.attn.c_attn.weight", {8, 24})
                                  .linear("h.1.attn.c_attn", 8, 24)
                                  .linear("x.self_attn.q_proj", 8, 8)
                                  .found();
  EXPECT_TRUE(all.attentions.empty());
  EXPECT_EQ(all.incomplete, 3U);
  EXPECT_EQ(all.missing, "\"h.0.attn.c_proj.weight\"");
  // What it could be: the names of q, k and v are those of several families.
  Names three;
  for (const char* part : {"q_proj", "k_proj", "v_proj"})
    three.linear(std::string("a.attn.") + part, 8, 8);
  EXPECT_EQ(three.found().missing,
            "\"a.attn.out_proj.weight\" / \"a.attn.o_proj.weight\" / \"a.attn.dense.weight\"");
  // Where another attention of the file is whole, it is of that family.
  for (const char* part : {"q_proj", "k_proj", "v_proj", "dense"})
    three.linear(std::string("b.attn.") + part, 8, 8);
  EXPECT_EQ(three.found().missing, "\"a.attn.dense.weight\"");
}

TEST(FoundAttention, OtherNamesAreNone) {
  const FoundAttentions all = Names()
                                  .linear("q", 8, 8)  // T5's names without its attention's
                                  .linear("my_in_proj", 8, 8)
                                  .add("xin_proj_weight", {24, 8})
                                  .linear("mixer.query_key_value", 24, 8)
                                  .found();
  EXPECT_TRUE(all.attentions.empty());
  EXPECT_EQ(all.incomplete, 0U);
}

TEST(FoundAttention, ShapesAndFormatsThatAreNotComputedAreSaid) {
  const auto problem = [](const Names& names) { return names.only().problem; };
  const std::string does_not_fit = ", which does not fit the others of its attention.";
  EXPECT_EQ(problem(Names().add("a.in_proj_weight", {25, 8}).linear("a.out_proj", 8, 8)),
            "Tensor \"a.in_proj_weight\" has shape [25,8]" + does_not_fit);
  EXPECT_EQ(problem(Names().add("a.in_proj_weight", {24}).linear("a.out_proj", 8, 8)),
            "Tensor \"a.in_proj_weight\" has shape [24]" + does_not_fit);
  EXPECT_EQ(problem(Names().add("a.in_proj_weight", {0, 0}).linear("a.out_proj", 0, 0)),
            "Tensor \"a.in_proj_weight\" has shape [0,0]" + does_not_fit);
  EXPECT_EQ(problem(Names().add("a.in_proj_weight", {24, 8}).linear("a.out_proj", 8, 9)),
            "Tensor \"a.out_proj.weight\" has shape [8,9]" + does_not_fit);
  EXPECT_EQ(problem(Names()
                        .add("a.in_proj_weight", {24, 8})
                        .add("a.in_proj_bias", {8})
                        .linear("a.out_proj", 8, 8)),
            "Tensor \"a.in_proj_bias\" has shape [8]" + does_not_fit);
  EXPECT_EQ(problem(llama_like(96, 36)),  // no width of a head divides both in whole heads
            "Tensor \"model.layers.0.self_attn.k_proj.weight\" has shape [36,96]" + does_not_fit);
  EXPECT_EQ(problem(Names().add("a.in_proj_weight", {24, 8}, "I8").linear("a.out_proj", 8, 8)),
            "Tensor \"a.in_proj_weight\" has dtype \"I8\"; attentions with F32, F16, BF16 and F64 "
            "are computed.");
  EXPECT_EQ(
      problem(Names().add("a.in_proj_weight", {98304, 32768}).linear("a.out_proj", 32768, 32768)),
      "The width of an input is 32768; at most 16384 is allowed.");
}

TEST(FoundAttention, AHeaderOfAHundredThousandNamesIsQuick) {
  Names names;
  for (std::size_t i = 0; i < 25'000; ++i) {
    const std::string at = "h." + number(i) + ".attn.";
    names.linear(at + "c_attn", 8, 24).linear(at + "c_proj", 8, 8);
    names.says("x" + number(i), "1");
  }
  EXPECT_EQ(names.found().attentions.size(), 25'000U);
}

}  // namespace
}  // namespace files
