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
  const lesson::OwnLayer& layer = lesson::own_layer(0);
  model::Tensors given = layer.weights;
  const tensor::Tensor x = trace()["query_input"];
  given["query_input"] = given["key_input"] = given["value_input"] = x;
  given["mask"] = model::look_ahead_mask(x.dim(1), x.dim(1));
  const auto alone = model::multi_head_attention(
      given, {.num_heads = 4, .num_kv_heads = 2, .variants = config.variants, .head_dim = 6});
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

TEST_F(OwnLayerOpened, NoOtherNumberOfHeadsFitsItsNorms) {
  const auto other = session_.perform(SetSizes{0, 2});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("choose one of 4"), std::string::npos)
      << other.error().message;
}

}  // namespace
}  // namespace document
