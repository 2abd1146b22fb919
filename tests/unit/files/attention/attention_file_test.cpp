#include "files/attention/attention_file.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "files/file_bytes.hpp"
#include "model/attention/mask.hpp"
#include "special_floats.hpp"

namespace files {
namespace {

using tensor::Shape;
using test::bytes_of_numbers;
using test::FileBuilder;

/// first, first + 1, …
std::vector<float> counting(std::size_t count, float first = 0.0F) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

std::vector<float> zeros(std::size_t count) { return std::vector<float>(count); }

std::vector<std::byte> flags(const std::vector<std::uint8_t>& values) {
  return bytes_of_numbers(values);
}

/// The tensors do not refer to the file's bytes, so both may go.
base::Result<AttentionFile> read(const FileBuilder& builder,
                                 const AttentionFileOptions& options = {}) {
  const std::vector<std::byte> bytes = builder.file();
  const auto file = read_safetensors(bytes);
  EXPECT_TRUE(file) << file.error().message;
  return attention_from_file(*file, options);
}

std::string sentence(const FileBuilder& builder, const AttentionFileOptions& options = {}) {
  const auto file = read(builder, options);
  return file ? "no error" : file.error().message;
}

/// The mask at every [b,h,i,j], as it is added to the scores.
std::vector<float> mask_cells(const AttentionFile& file) {
  const model::Tensors& given = file.given;
  return model::expand_mask(given["mask"], {given["query_input"].dim(0), file.options.num_heads,
                                            given["query_input"].dim(1), given["key_input"].dim(1)})
      .values();
}

TEST(AttentionFile, QueryAloneIsSelfAttentionWithoutProjection) {
  const auto file = read(FileBuilder().add("query", {2, 3, 4}, counting(24)));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->given["query_input"].shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(file->given["query_input"].values(), counting(24));
  EXPECT_TRUE(file->given["key_input"].shares_storage_with(file->given["query_input"]));
  EXPECT_TRUE(file->given["value_input"].shares_storage_with(file->given["query_input"]));
  EXPECT_FALSE(file->given["mask"].defined());
  EXPECT_FALSE(file->given["q_proj_weight"].defined());
  EXPECT_FALSE(file->given["out_proj_weight"].defined());
  EXPECT_EQ(file->options.num_heads, 1U);
  EXPECT_EQ(file->options.scale, model::Scale{});
}

TEST(AttentionFile, WithoutBatchAxisThereIsOneSample) {
  const auto file = read(FileBuilder()
                             .add("query", {2, 4}, counting(8))
                             .add("key", {3, 4}, counting(12))
                             .add("key_padding_mask", "BOOL", {3}, flags({0, 0, 1})));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->given["query_input"].shape(), (Shape{1, 2, 4}));
  EXPECT_EQ(file->given["key_input"].shape(), (Shape{1, 3, 4}));
  EXPECT_TRUE(file->given["value_input"].shares_storage_with(file->given["key_input"]));
  EXPECT_EQ(mask_cells(*file), (std::vector<float>{0, 0, -infinity, 0, 0, -infinity}));
}

TEST(AttentionFile, OptionsAreHandedOn) {
  AttentionFileOptions options;
  options.num_heads = 2;
  options.scale = {model::Scale::Kind::number, 3.0F};
  const auto file = read(FileBuilder().add("query", {1, 2, 4}, zeros(8)), options);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->options.num_heads, 2U);
  EXPECT_EQ(file->options.scale, options.scale);
}

TEST(AttentionFile, InProjWeightIsThreeProjectionsOneBelowTheOther) {
  const auto file = read(FileBuilder()
                             .add("query", {1, 1, 2}, {1, 2})
                             .add("in_proj_weight", {6, 2}, counting(12))
                             .add("in_proj_bias", {6}, counting(6, 100))
                             .add("out_proj.weight", {2, 2}, {1, 2, 3, 4})
                             .add("out_proj.bias", {2}, {5, 6}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->given["q_proj_weight"].shape(), (Shape{2, 2}));
  EXPECT_EQ(file->given["q_proj_weight"].values(), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(file->given["k_proj_weight"].values(), (std::vector<float>{4, 5, 6, 7}));
  EXPECT_EQ(file->given["v_proj_weight"].values(), (std::vector<float>{8, 9, 10, 11}));
  EXPECT_EQ(file->given["q_proj_bias"].values(), (std::vector<float>{100, 101}));
  EXPECT_EQ(file->given["k_proj_bias"].values(), (std::vector<float>{102, 103}));
  EXPECT_EQ(file->given["v_proj_bias"].values(), (std::vector<float>{104, 105}));
  EXPECT_EQ(file->given["out_proj_weight"].values(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(file->given["out_proj_bias"].values(), (std::vector<float>{5, 6}));

  const auto trace = model::multi_head_attention(file->given, file->options);
  ASSERT_TRUE(trace) << trace.error().message;
  // v = [1,2]·[[8,9],[10,11]]ᵀ + [104,105]; one key has weight 1; output = v·[[1,2],[3,4]]ᵀ +
  // [5,6].
  EXPECT_EQ((*trace)["v"].values(), (std::vector<float>{130, 137}));
  EXPECT_EQ((*trace)["output"].values(), (std::vector<float>{409, 944}));
}

TEST(AttentionFile, PackedKeysAndValuesAreNarrowerWhereHeadsShareThem) {
  AttentionFileOptions options;
  options.num_heads = 4;
  options.num_kv_heads = 2;
  const FileBuilder packed =
      FileBuilder().add("query", {1, 1, 4}, zeros(4)).add("in_proj_weight", {8, 4}, counting(32));
  const auto file = read(FileBuilder(packed).add("in_proj_bias", {8}, counting(8)), options);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->options.num_kv_heads, 2U);
  EXPECT_EQ(file->given["q_proj_weight"].shape(), (Shape{4, 4}));
  EXPECT_EQ(file->given["k_proj_weight"].shape(), (Shape{2, 4}));
  EXPECT_EQ(file->given["v_proj_weight"].values(), counting(8, 24));
  EXPECT_EQ(file->given["k_proj_bias"].values(), (std::vector<float>{4, 5}));
  EXPECT_EQ(file->given["v_proj_bias"].values(), (std::vector<float>{6, 7}));
  EXPECT_TRUE(model::multi_head_attention(file->given, file->options));

  EXPECT_EQ(sentence(FileBuilder(packed).add("in_proj_bias", {12}, zeros(12)), options),
            "in_proj_bias has shape [12]; it must be [E+2·G·D], here [8].");
  options.num_kv_heads = 3;
  EXPECT_EQ(
      sentence(
          FileBuilder().add("query", {1, 1, 4}, zeros(4)).add("in_proj_weight", {12, 4}, zeros(48)),
          options),
      "4 heads cannot share 3 heads of keys and values; allowed: 1, 2, 4.");
  options.num_kv_heads = 1;
  EXPECT_EQ(sentence(packed, options),
            "in_proj_weight has shape [8,4]; it must be [E+2·G·D,E], here [6,4].");
}

TEST(AttentionFile, SeparateProjectionsMayDifferInWidth) {
  const auto file = read(FileBuilder()
                             .add("query", {1, 2, 2}, zeros(4))
                             .add("key", {1, 3, 5}, zeros(15))
                             .add("value", {1, 3, 4}, zeros(12))
                             .add("q_proj_weight", {2, 2}, zeros(4))
                             .add("k_proj_weight", {2, 5}, counting(10))
                             .add("v_proj_weight", {2, 4}, zeros(8))
                             .add("in_proj_bias", {6}, counting(6)));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->given["k_proj_weight"].shape(), (Shape{2, 5}));
  EXPECT_EQ(file->given["k_proj_weight"].values(), counting(10));
  EXPECT_EQ(file->given["v_proj_bias"].values(), (std::vector<float>{4, 5}));
  EXPECT_TRUE(model::multi_head_attention(file->given, file->options));
}

TEST(AttentionFile, HalfAndDoublePrecisionAreReadAndIntegersWhereNobodyNeedsThem) {
  AttentionFileOptions options;
  options.ignore_unknown = true;
  const auto file = read(
      FileBuilder()
          .add("position_ids", "I64", {2}, std::vector<std::byte>(16))
          .add("query", "F16", {1, 2, 2}, bytes_of_numbers<std::uint16_t>({0x3C00, 0, 0xC000, 0}))
          .add("key", "F64", {1, 1, 2}, bytes_of_numbers<double>({0.5, 0.25}))
          .add("value", "BF16", {1, 1, 2}, bytes_of_numbers<std::uint16_t>({0x3F80, 0x4000})),
      options);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->given["query_input"].values(), (std::vector<float>{1, 0, -2, 0}));
  EXPECT_EQ(file->given["key_input"].values(), (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(file->given["value_input"].values(), (std::vector<float>{1, 2}));
}

TEST(AttentionFile, TrueInAMaskMeansNotAllowed) {
  const auto file = read(FileBuilder()
                             .add("query", {1, 2, 2}, zeros(4))
                             .add("attn_mask", "BOOL", {2, 2}, flags({0, 1, 0, 0})));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(mask_cells(*file), (std::vector<float>{0, -infinity, 0, 0}));
}

TEST(AttentionFile, AFloatMaskIsAddedAndSoArePaddingAndLookAhead) {
  AttentionFileOptions options;
  options.causal = true;
  const auto file = read(FileBuilder()
                             .add("query", {2, 2, 2}, zeros(8))
                             .add("key", {2, 3, 2}, zeros(12))
                             .add("attn_mask", {2, 3}, {0.5F, 0, -infinity, 1, 2, 3})
                             .add("key_padding_mask", "BOOL", {2, 3}, flags({0, 0, 0, 1, 0, 0})),
                         options);
  ASSERT_TRUE(file) << file.error().message;
  const float x = -infinity;
  EXPECT_EQ(mask_cells(*file), (std::vector<float>{0.5F, x, x, 1, 2, x,  //
                                                   x, x, x, x, 2, x}));
}

TEST(AttentionFile, AFloatPaddingMaskIsAddedToo) {
  const auto file = read(FileBuilder()
                             .add("query", {1, 1, 2}, zeros(2))
                             .add("key", {1, 3, 2}, zeros(6))
                             .add("key_padding_mask", {1, 3}, {0, -1.5F, -infinity}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(mask_cells(*file), (std::vector<float>{0, -1.5F, -infinity}));
}

TEST(AttentionFile, EveryShapeOfMaskLandsWhereItBelongs) {
  // B = 2, H = 2, Lq = 1, Lk = 3.
  struct Case {
    std::vector<std::uint64_t> shape;
    std::vector<float> numbers;
    std::vector<float> expected;  // [b][h][j]
  };
  const std::vector<Case> cases = {
      {{1, 3}, counting(3), {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}},
      {{4, 1, 3}, counting(12), counting(12)},  // b·H + h, as PyTorch lays heads out
      {{2, 1, 3}, counting(6), {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
      {{2, 2, 1, 3}, counting(12), counting(12)},
      {{1, 2, 1, 3}, counting(6), {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}},
      {{2, 1, 1, 3}, counting(6), {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
      {{1, 1, 1, 3}, counting(3), {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}},
  };
  AttentionFileOptions options;
  options.num_heads = 2;
  for (const Case& c : cases) {
    const auto file = read(FileBuilder()
                               .add("query", {2, 1, 2}, zeros(4))
                               .add("key", {2, 3, 2}, zeros(12))
                               .add("attn_mask", c.shape, c.numbers),
                           options);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(mask_cells(*file), c.expected) << c.shape.size() << " axes, the first " << c.shape[0];
  }
}

TEST(AttentionFile, UnknownTensorsAreTakenForTypingMistakes) {
  const FileBuilder builder =
      FileBuilder().add("query", {1, 2, 2}, zeros(4)).add("in_proj_wieght", {1}, {0});
  EXPECT_EQ(
      sentence(builder),
      "Tensor \"in_proj_wieght\" is not known; allowed are query, key, value, in_proj_weight, "
      "q_proj_weight, "
      "k_proj_weight, v_proj_weight, in_proj_bias, out_proj.weight, out_proj.bias, attn_mask, "
      "key_padding_mask, q_norm_weight, k_norm_weight, sinks, rope_frequencies, position_bias, "
      "position_bias_table and target.");
  AttentionFileOptions options;
  options.ignore_unknown = true;
  EXPECT_EQ(sentence(builder, options), "no error");
}

TEST(AttentionFile, WeightsOfNormsBelongToTheirOption) {
  FileBuilder builder = FileBuilder().add("query", {1, 2, 4}, zeros(8));
  builder.add("q_norm_weight", {2}, {1, 2});
  AttentionFileOptions options;
  options.num_heads = 2;
  EXPECT_EQ(sentence(builder, options),
            "q_norm_weight is read for --qk-norm only; give that option too.");
  options.ignore_unknown = true;
  EXPECT_EQ(sentence(builder, options), "no error");
  options.ignore_unknown = false;
  options.variants.qk_norm = true;
  EXPECT_EQ(sentence(builder, options), "no error");
  builder.add("k_norm_weight", {4}, {1, 2, 3, 4});
  EXPECT_EQ(sentence(builder, options), "k_norm_weight has shape [4]; it must be [D], here [2].");
}

TEST(AttentionFile, NamesWhatIsWrong) {
  const FileBuilder query = FileBuilder().add("query", {2, 3, 4}, counting(24));
  const auto with = [&](std::string_view name, const std::vector<std::uint64_t>& shape,
                        const std::vector<float>& data) {
    return FileBuilder(query).add(name, shape, data);
  };
  AttentionFileOptions heads2;
  heads2.num_heads = 2;
  struct Case {
    FileBuilder file;
    std::string sentence;
    AttentionFileOptions options = {};
  };
  const std::vector<Case> cases = {
      // Inputs.
      {FileBuilder(), "The file has no tensor \"query\"."},
      {FileBuilder().add("key", {1, 1, 1}, {0}), "The file has no tensor \"query\"."},
      {FileBuilder().add("query", {4}, zeros(4)),
       "query has shape [4]; it needs two or three axes, [Lq,E] or [B,Lq,E]."},
      {FileBuilder().add("query", {}, {0}),
       "query has shape []; it needs two or three axes, [Lq,E] or [B,Lq,E]."},
      {FileBuilder().add("query", {1, 1, 1, 4}, zeros(4)),
       "query has shape [1,1,1,4]; it needs two or three axes, [Lq,E] or [B,Lq,E]."},
      {FileBuilder().add("query", {2, 0, 4}, {}),
       "query has shape [2,0,4]; no axis may have length 0."},
      {FileBuilder().add("query", "I32", {1, 1}, std::vector<std::byte>(4)),
       "Tensor \"query\" has dtype \"I32\"; F32, F16, BF16, F64 and BOOL are read."},
      {FileBuilder().add("query", "BOOL", {1, 1}, std::vector<std::byte>(1)),
       "query has dtype BOOL; F32, F16, BF16 and F64 are read."},
      {FileBuilder().add("query", {65, 1, 1}, zeros(65)),
       "The batch size is 65; at most 64 is allowed."},
      {FileBuilder().add("query", {4097, 1}, zeros(4097)),
       "The number of query tokens is 4097; at most 4096 is allowed."},
      {FileBuilder().add("query", {1, 16385}, zeros(16385)),
       "The width of an input is 16385; at most 16384 is allowed."},
      {with("key", {3, 4}, zeros(12)),
       "key has shape [3,4] and query [2,3,4]; both or neither must have a batch axis."},
      {with("key", {4}, zeros(4)),
       "key has shape [4]; it needs two or three axes, [Lk,kdim] or [B,Lk,kdim]."},
      {with("value", {3, 4}, zeros(12)),
       "value has shape [3,4] and query [2,3,4]; both or neither must have a batch axis."},
      {with("key", {1, 3, 4}, zeros(12)),
       "query [2,3,4], key [1,3,4] and value [1,3,4] differ in their batch size, the first axis; "
       "it must be the same."},
      {with("value", {2, 2, 4}, zeros(16)),
       "key [2,3,4] and value [2,2,4] differ in their number of tokens, the second axis; each key "
       "needs one value."},
      {with("key", {2, 3, 5}, zeros(30)),
       "Without k_proj_weight its input is used as it is, so its width 5 must be embed_dim, 4."},
      // Numbers.
      {FileBuilder().add("query", {1, 2, 2}, {0, 1, not_a_number, 3}),
       "query is NaN at [0,1,0]; every number must be finite in float32."},
      {FileBuilder().add("query", "F64", {1, 1}, bytes_of_numbers<double>({1e300})),
       "query is ∞ at [0,0]; every number must be finite in float32."},
      {with("in_proj_bias", {12}, zeros(12))
           .add("in_proj_weight", {12, 4},
                [] {
                  std::vector<float> numbers(48);
                  numbers[47] = -infinity;
                  return numbers;
                }()),
       "in_proj_weight is −∞ at [11,3]; every number must be finite in float32."},
      // Weights.
      {with("in_proj_weight", {4, 12}, zeros(48)),
       "in_proj_weight has shape [4,12]; it must be [3·E,E], here [12,4]."},
      {with("in_proj_weight", {12, 4}, zeros(48)).add("q_proj_weight", {4, 4}, zeros(16)),
       "in_proj_weight says the same as q_proj_weight, k_proj_weight and v_proj_weight; give one "
       "or the others."},
      {with("q_proj_weight", {4, 4}, zeros(16)).add("v_proj_weight", {4, 4}, zeros(16)),
       "q_proj_weight, k_proj_weight and v_proj_weight must be given together."},
      {with("q_proj_weight", {4, 4}, zeros(16))
           .add("k_proj_weight", {4, 3}, zeros(12))
           .add("v_proj_weight", {4, 4}, zeros(16)),
       "k_proj_weight has shape [4,3]; [4,4] fits the inputs."},
      {with("in_proj_bias", {12}, zeros(12)),
       "in_proj_bias is given without the weights that it belongs to."},
      {with("in_proj_weight", {12, 4}, zeros(48)).add("in_proj_bias", {4}, zeros(4)),
       "in_proj_bias has shape [4]; it must be [3·E], here [12]."},
      {with("out_proj.weight", {4}, zeros(4)),
       "out_proj.weight has shape [4]; it must be [E,E], here [4,4]."},
      {with("out_proj.bias", {4}, zeros(4)), "out_proj.bias is given without out_proj.weight."},
      {with("out_proj.weight", {4, 4}, zeros(16)).add("out_proj.bias", {4, 1}, zeros(4)),
       "out_proj.bias has shape [4,1]; it must be [E], here [4]."},
      {with("bias_k", {1, 1, 4}, zeros(4)),
       "The file has bias_k, but attention with add_bias_kv is not computed."},
      // Masks.
      {with("attn_mask", {3, 2}, zeros(6)),
       "attn_mask has shape [3,2]; allowed are [Lq,Lk], [B·H,Lq,Lk], [B,Lq,Lk] and [B,H,Lq,Lk], "
       "here [3,3], [4,3,3], "
       "[2,3,3] and [2,2,3,3], where B and H of the last may be 1.",
       heads2},
      {with("attn_mask", {3, 3, 3}, zeros(27)),
       "attn_mask has shape [3,3,3]; allowed are [Lq,Lk], [B·H,Lq,Lk], [B,Lq,Lk] and [B,H,Lq,Lk], "
       "here [3,3], [2,3,3], "
       "[2,3,3] and [2,1,3,3], where B and H of the last may be 1."},
      {with("attn_mask", {2, 1, 1, 3}, zeros(6)),
       "attn_mask has shape [2,1,1,3]; allowed are [Lq,Lk], [B·H,Lq,Lk], [B,Lq,Lk] and "
       "[B,H,Lq,Lk], here [3,3], "
       "[2,3,3], [2,3,3] and [2,1,3,3], where B and H of the last may be 1."},
      {with("attn_mask", {3, 3}, {0, 0, 0, 0, not_a_number, 0, 0, 0, 0}),
       "attn_mask is NaN at [1,1]; a mask must hold finite numbers or −∞."},
      {with("attn_mask", {3, 3}, {0, 0, infinity, 0, 0, 0, 0, 0, 0}),
       "attn_mask is ∞ at [0,2]; a mask must hold finite numbers or −∞."},
      {FileBuilder(query).add("attn_mask", "U8", {3, 3}, std::vector<std::byte>(9)),
       "Tensor \"attn_mask\" has dtype \"U8\"; F32, F16, BF16, F64 and BOOL are read."},
      {FileBuilder(query).add("attn_mask", "BOOL", {3, 3}, flags({0, 0, 0, 0, 0, 0, 0, 0, 9})),
       "Tensor \"attn_mask\" is BOOL, but not all of its bytes are 0 or 1."},
      {with("key_padding_mask", {3}, zeros(3)),
       "key_padding_mask has shape [3]; it must be [B,Lk], here [2,3]."},
      {FileBuilder().add("query", {3, 4}, zeros(12)).add("key_padding_mask", {1, 3}, zeros(3)),
       "key_padding_mask has shape [1,3]; it must be [Lk], here [3]."},
      {with("key_padding_mask", {2, 3}, {0, 0, 0, not_a_number, 0, 0}),
       "key_padding_mask is NaN at [1,0]; a mask must hold finite numbers or −∞."},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(sentence(cases[i].file, cases[i].options), cases[i].sentence) << i;
  }
}

TEST(AttentionFile, OptionsThatDoNotFitAreNamedBeforeAnyMaskIsMade) {
  const FileBuilder builder =
      FileBuilder().add("query", {2, 3, 4}, zeros(24)).add("attn_mask", {3, 3}, zeros(9));
  AttentionFileOptions options;
  options.num_heads = 3;
  EXPECT_EQ(sentence(builder, options),
            "embed_dim 4 cannot be split into 3 heads; allowed: 1, 2, 4.");
  options.num_heads = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(
      sentence(builder, options),
      "The number of heads is " + std::to_string(options.num_heads) + "; at most 256 is allowed.");
  options.num_heads = 0;
  EXPECT_EQ(sentence(builder, options),
            "embed_dim 4 cannot be split into 0 heads; allowed: 1, 2, 4.");
  options.num_heads = 1;
  options.scale = {model::Scale::Kind::number, 0.0F};
  EXPECT_EQ(sentence(builder, options),
            "The scores cannot be divided by 0; the scale is a finite number other than 0.");

  // 17 · 4096 · 4096 scores are more than is computed anywhere, from a file of 300 kB.
  AttentionFileOptions causal;
  causal.causal = true;
  EXPECT_EQ(
      sentence(FileBuilder().add("query", {17, 4096, 1}, zeros(std::size_t{17} * 4096)), causal),
      "scores would have shape [17,1,4096,4096]; at most " + std::to_string(model::Limits::floats) +
          " numbers are allowed.");
}

TEST(AttentionFile, ATargetHasTheShapeOfTheQuery) {
  const FileBuilder query = FileBuilder().add("query", {2, 3, 4}, counting(24));
  AttentionFileOptions needed;
  needed.needs_target = true;
  const auto file = read(FileBuilder(query).add("target", {2, 3, 4}, zeros(24)), needed);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->target.shape(), (Shape{2, 3, 4}));
  EXPECT_FALSE(file->given["target"].defined()) << "it is no input of the attention";
  const auto flat = read(
      FileBuilder().add("query", {3, 4}, counting(12)).add("target", {3, 4}, counting(12)), needed);
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->target.shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(flat->target.values(), counting(12));

  const auto without = read(query);
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_FALSE(without->target.defined());
  EXPECT_EQ(sentence(query, needed),
            "The file has no tensor \"target\", [B,Lq,E]: gradients are those of half the squared "
            "distance of the output to it.");
  // One that is not needed is not passed over either where it is wrong.
  for (const AttentionFileOptions& options : {AttentionFileOptions(), needed}) {
    const auto wrong = [&](const std::vector<std::uint64_t>& shape, std::size_t count) {
      return sentence(FileBuilder(query).add("target", shape, zeros(count)), options);
    };
    EXPECT_EQ(wrong({2, 3, 5}, 30), "target has shape [2,3,5]; it must be [B,Lq,E], here [2,3,4].");
    EXPECT_EQ(wrong({3, 4}, 12), "target has shape [3,4]; it must be [B,Lq,E], here [2,3,4].");
    EXPECT_EQ(wrong({2, 3, 4, 1}, 24),
              "target has shape [2,3,4,1]; it must be [B,Lq,E], here [2,3,4].");
  }
}

}  // namespace
}  // namespace files
