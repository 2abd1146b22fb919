#include "stage/figures/step_figures.hpp"

#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

template <typename Check>
void for_each_by_head(Check check) {
  std::size_t seen = 0;
  for (const Scene* scene : all_scenes()) {
    const FigureScene figure_scene(*scene);
    for (const document::Projection projection :
         {document::Projection::q, document::Projection::k, document::Projection::v}) {
      document::ViewState view_state;
      view_state.attention = scene->attention.id;
      view_state.head = scene->config().num_heads - 1;
      view_state.projection = projection;
      if (!has_by_head(figure_scene.input(view_state))) continue;
      ++seen;
      check(make_figure(figure_scene, view_state, figure_places[0], put_by_head));
    }
  }
  EXPECT_GT(seen, 10U);
}

TEST(ByHead, ShowsTheHeadsRowsOfTheWeightAndItsColumnsOfTheProduct) {
  for_each_by_head([](const MadeFigure& made) {
    ASSERT_EQ(made.stage.blocks.size(), 2U);
    const std::size_t dim = made.trace().config.head_dim();
    const Block& weight = made.stage.blocks[0];
    const Block& product = made.stage.blocks[1];
    EXPECT_EQ(weight.rows(), dim);
    const model::Config& config = made.trace().config;
    const bool shared = made.view_state.projection != document::Projection::q;
    const std::size_t sharing = shared ? config.num_heads / config.num_kv_heads : 1;
    EXPECT_EQ(weight.index_of(0, 0)[0], made.view_state.head / sharing * dim);
    EXPECT_EQ(product.columns(), dim);
    for (const Block* block : {&weight, &product}) {
      for (std::size_t row = 0; row < block->rows(); ++row) {
        const float here = block->value(row, dim - 1);
        EXPECT_NEAR(here, made.trace()[block->tensor].at(block->index_of(row, dim - 1)), 1e-6F);
      }
    }
  });
}

TEST(ByHead, SaysHowFarTheTwoAreApart) {
  for_each_by_head([](const MadeFigure& made) {
    ASSERT_EQ(made.figure().words.size(), 2U);
    EXPECT_NE(made.figure().words[0].text.find("the same numbers"), std::string::npos);
    EXPECT_EQ(made.figure().words[1].text.find("Largest difference: "), 0U);
  });
}

TEST(ByHead, IsNotThereWithoutAWeightOrWithOneHead) {
  static const FigureScene bare(
      document::computed(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  document::ViewState view_state;
  view_state.attention = bare.attention().id;
  EXPECT_FALSE(has_by_head(bare.input(view_state)));
}

}  // namespace
}  // namespace stage
