// An attention of a reader's own file in a document: its variants are chosen when it is opened.
#include "document/setups.hpp"
#include "explanations.hpp"
#include "lesson/input/own_layers.hpp"
#include "model/attention/mask.hpp"
#include "qwen3_layer.hpp"

namespace document {
namespace {

using model::TensorId;

class OwnLayerOpened : public ::testing::Test {
 protected:
  OwnLayerOpened() : session_(session_of(lesson::ExampleId::own_layer, open_qwen3_layer())) {}
  ~OwnLayerOpened() override { lesson::forget_own_layers(); }
  OwnLayerOpened(const OwnLayerOpened&) = delete;
  OwnLayerOpened& operator=(const OwnLayerOpened&) = delete;

  const model::Trace& trace() const { return session_.computed().attentions.front().trace; }

  Session session_;
};

TEST_F(OwnLayerOpened, IsComputedWithItsWideHeadsNormsAndRotaryPositions) {
  const model::Config& config = trace().config;
  EXPECT_EQ(config.embed_dim, 12U);
  EXPECT_EQ(config.head_dim(), 6U);
  EXPECT_EQ(config.num_kv_heads, 2U);
  EXPECT_TRUE(config.variants.qk_norm);
  EXPECT_EQ(config.variants.rope_base, 10'000.0F);
  const lesson::OwnLayer& layer =
      lesson::own_layer(session_.document().configuration.parameters.variant);
  model::Tensors given = layer.weights;
  const tensor::Tensor x = trace()["query_input"];
  given["query_input"] = given["key_input"] = given["value_input"] = x;
  given["mask"] = model::look_ahead_mask(x.dim(1), x.dim(1));
  model::Options options;
  options.num_heads = 4;
  options.num_kv_heads = 2;
  options.variants = config.variants;
  options.head_dim = 6;
  const auto alone = model::multi_head_attention(given, options);
  ASSERT_TRUE(alone) << alone.error().message;
  for (const TensorId id : alone->present())
    EXPECT_EQ(trace()[id].values(), (*alone)[id].values()) << model::name_of(id);
}

TEST_F(OwnLayerOpened, EachOfItsNumbersIsExplained) {
  const auto number_at = [&](const model::Cell& cell) {
    return trace()[cell.tensor].at(cell.index);
  };
  for (const TensorId id : {TensorId("q"), TensorId("q_normed"), TensorId("k_normed"),
                            TensorId("k_rotated"), TensorId("merged"), TensorId("output")}) {
    tensor::Index at = tensor::Extents::filled(trace()[id].rank(), 0);
    do {
      test::expect_true(model::explain(trace(), id, at), number_at, std::string(name_of(id)));
    } while (next_index(at, trace()[id].shape()) && !HasFailure());
  }
}

TEST_F(OwnLayerOpened, ItsVariantsAreAChoiceAndItsNormsCanBeEdited) {
  const CellAddress weight{alone, TensorId("q_norm_weight"), {2}};
  perform(session_, EditCell{weight, 3.0F});
  EXPECT_EQ(trace()["q_norm_weight"].at({2}), 3.0F);
  model::Variants without = session_.document().configuration.variants;
  without.qk_norm = false;
  perform(session_, SetAttentionVariants{without});
  EXPECT_FALSE(trace().has("q_norm_weight"));
  without.rope_base = 0.0F;
  perform(session_, SetAttentionVariants{without});
  EXPECT_FALSE(trace().has("q_rotated"));
  perform(session_, Reset{});
  EXPECT_TRUE(trace().has("q_rotated"));
  EXPECT_TRUE(trace().has("q_norm_weight"));
}

/// A session of a file's cross-attention with 8 numbers per query and these per key and value.
Session session_of_widths(std::size_t kdim, std::size_t vdim) {
  files::Header header;
  std::uint64_t end = 0;
  const auto add = [&](const char* name, const tensor::Shape& shape) {
    header.entries.push_back({name, "F32", shape, end, end + 4 * shape.product()});
    end += 4 * shape.product();
  };
  add("attn.q_proj_weight", {8, 8});
  add("attn.k_proj_weight", {8, kdim});
  add("attn.v_proj_weight", {8, vdim});
  add("attn.out_proj.weight", {8, 8});
  const auto found = files::find_attentions(header).attentions.at(0);
  std::vector<float> numbers(static_cast<std::size_t>(end / 4));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i * 7 % 23) / 16.0F - 0.6F;
  const auto variant =
      lesson::add_own_layer("cross.safetensors", found, std::as_bytes(std::span(numbers)), {});
  EXPECT_TRUE(variant) << variant.error().message;
  return session_of(lesson::ExampleId::own_layer, *variant);
}

TEST(OwnLayer, CrossAttentionMayReadASequenceOfAnotherWidth) {
  Session session = session_of_widths(6, 6);
  const model::Trace& trace = session.computed().attentions.front().trace;
  EXPECT_EQ(trace["key_input"].shape(), (tensor::Shape{1, 8, 6}));
  EXPECT_EQ(trace["value_input"].shape(), (tensor::Shape{1, 8, 6}));
  EXPECT_EQ(trace["output"].shape(), (tensor::Shape{1, 8, 8}));
  perform(session, EditCell{{alone, TensorId("key_input"), {0, 1, 5}}, 2.0F});
  EXPECT_EQ(session.computed().attentions.front().trace["value_input"].at({0, 1, 5}), 2.0F);
  lesson::forget_own_layers();
}

// nn.MultiheadAttention with kdim other than vdim: keys and values are made of different vectors.
TEST(OwnLayer, KeysAndValuesMayHaveDifferentWidths) {
  Session session = session_of_widths(6, 10);
  const auto trace = [&]() -> const model::Trace& {
    return session.computed().attentions.front().trace;
  };
  EXPECT_EQ(trace()["key_input"].shape(), (tensor::Shape{1, 8, 6}));
  EXPECT_EQ(trace()["value_input"].shape(), (tensor::Shape{1, 8, 10}));
  const lesson::OwnLayer& layer =
      lesson::own_layer(session.document().configuration.parameters.variant);
  model::Tensors given = layer.weights;
  for (const TensorId id :
       {TensorId("query_input"), TensorId("key_input"), TensorId("value_input")})
    given[id] = trace()[id];
  const auto alone_computed =
      model::multi_head_attention(given, {.num_heads = trace().config.num_heads});
  ASSERT_TRUE(alone_computed) << alone_computed.error().message;
  EXPECT_EQ(trace()["output"].values(), (*alone_computed)["output"].values());

  // A number of a value goes into values alone, under its own address.
  const CellAddress cell{alone, TensorId("value_input"), {0, 1, 9}};
  EXPECT_EQ(canonical(session.computed(), cell), cell);
  const std::vector<float> scores = trace()["scores"].values();
  const std::vector<float> output = trace()["output"].values();
  perform(session, EditCell{cell, 2.0F});
  EXPECT_EQ(trace()["value_input"].at({0, 1, 9}), 2.0F);
  EXPECT_EQ(trace()["scores"].values(), scores);
  EXPECT_NE(trace()["output"].values(), output);
  perform(session, EditCell{{alone, TensorId("key_input"), {0, 1, 5}}, 2.0F});
  EXPECT_NE(trace()["scores"].values(), scores);
  EXPECT_EQ(trace()["value_input"].at({0, 1, 5}), given["value_input"].at({0, 1, 5}));
  lesson::forget_own_layers();
}

TEST_F(OwnLayerOpened, NoOtherNumberOfHeadsFitsItsNorms) {
  const auto other = session_.perform(SetSizes{0, 2});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("choose one of 4"), std::string::npos)
      << other.error().message;
}

}  // namespace
}  // namespace document
