// The growing cache, held against the rows of keys and values and against the counts.
#include <gtest/gtest.h>

#include "model/attention/kv_cache.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {
namespace {

FigureScene decoding(std::size_t tokens, std::size_t kv_heads, const model::Variants& variants) {
  document::Configuration configuration = typed(repeated("word", tokens), 16, 4);
  configuration.parameters.num_kv_heads = kv_heads;
  configuration.variants = variants;
  configuration.masks[lesson::AttentionId::attention] = lesson::MaskKind::look_ahead;
  return FigureScene(*document::compute(configuration));
}

template <typename Check>
void for_each_cache(Check check) {
  for (const std::size_t tokens : {1U, 11U, 64U}) {
    for (const std::size_t kv_heads : {4U, 2U}) {
      for (const model::Variants& variants :
           {model::Variants{}, model::Variants{.rope_base = 100.0F, .window = 3}}) {
        const FigureScene scene = decoding(tokens, kv_heads, variants);
        for (const std::size_t query : {std::size_t{0}, tokens / 2, tokens - 1}) {
          document::ViewState view_state;
          view_state.attention = lesson::AttentionId::attention;
          view_state.head = 3;
          view_state.query = query;
          for (const Rect& place : figure_places) {
            MadeFigure made = make_figure(scene, view_state, place, put_cache_figure);
            made.name = std::to_string(tokens) + " tokens, query " + std::to_string(query) + ", " +
                        text_of(place);
            check(made);
            if (testing::Test::HasFailure()) FAIL() << made.name;
          }
        }
      }
    }
  }
}

TEST(CacheFigure, IsSoundEverywhere) { for_each_cache(expect_sound); }

TEST(CacheFigure, ShowsTheKeysAndValuesThatAreKept) {
  for_each_cache([](const MadeFigure& made) {
    const model::Config& config = made.trace().config;
    const model::KvCache cache = model::kv_cache_at(config, made.view_state.query);
    ASSERT_EQ(made.stage.blocks.size(), 2U);
    for (const Block& block : made.stage.blocks) {
      EXPECT_EQ(block.rows(), cache.tokens);
      const std::size_t last = block.index_of(block.rows() - 1, 0)[2];
      EXPECT_EQ(last, made.view_state.query);
      EXPECT_EQ(block.index_of(0, 0)[1], 3 / (config.num_heads / config.num_kv_heads));
    }
    const bool rotated = config.variants.rope_base > 0.0F;
    EXPECT_EQ(made.stage.blocks[0].tensor == model::TensorId("k_rotated"), rotated);
  });
}

TEST(CacheFigure, ItsBarsAreTheMultiplicationsOfEachToken) {
  const FigureScene scene = decoding(11, 2, {});
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::attention;
  view_state.query = 4;
  const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_cache_figure);
  const model::Config& config = made.trace().config;
  ASSERT_EQ(made.figure().bars.size(), 11U);
  const float scale = made.figure().bars[10].place.height /
                      static_cast<float>(model::kv_cache_at(config, 10).multiplications);
  for (std::size_t place = 0; place < 11; ++place) {
    const auto count = static_cast<float>(model::kv_cache_at(config, place).multiplications);
    EXPECT_EQ(made.figure().bars[place].value, count);
    EXPECT_NEAR(made.figure().bars[place].place.height, count * scale, 0.01F);
  }
  const model::KvCache cache = model::kv_cache_at(config, 4);
  const std::string words = all_words(made.figure());
  EXPECT_NE(words.find(std::to_string(cache.bytes) + " bytes"), std::string::npos) << words;
  EXPECT_NE(words.find(std::to_string(cache.multiplications_without)), std::string::npos) << words;
}

TEST(CacheFigure, IsThereWhereTokensComeOneByOne) {
  const FigureScene scene = decoding(5, 4, {});
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::attention;
  EXPECT_TRUE(has_cache(scene.input(view_state)));
  const FigureScene plain(document::computed(document::fresh(lesson::ExampleId::your_sentence, 0)));
  EXPECT_FALSE(has_cache(plain.input(view_state)));
}

}  // namespace
}  // namespace stage
