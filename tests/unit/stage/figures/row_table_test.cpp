#include "stage/figures/row_table.hpp"

#include <limits>

#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using model::Scale;

TEST(KeyRows, AllKeysWhereThereIsRoom) {
  const KeyRows rows = key_rows({0.1F, 0.5F, 0.4F}, 10.0F, 96.0F);
  EXPECT_EQ(rows.keys, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(rows.left_out, 0U);
  EXPECT_FLOAT_EQ(rows.pitch, 32.0F);
  EXPECT_FLOAT_EQ(rows.middle(1), 58.0F);
  EXPECT_FLOAT_EQ(rows.bottom(), 106.0F);
}

TEST(KeyRows, TheOnesThatCountInTheirOrder) {
  std::vector<float> importance(20, 0.0F);
  importance[3] = 0.2F;
  importance[7] = std::numeric_limits<float>::quiet_NaN();
  importance[12] = 0.5F;
  importance[19] = 0.3F;
  const KeyRows rows = key_rows(importance, 0.0F, 64.0F);
  EXPECT_EQ(rows.keys, (std::vector<std::size_t>{3, 12, 19}));
  EXPECT_EQ(rows.left_out, 17U);
  EXPECT_FLOAT_EQ(rows.bottom(), 64.0F);
}

TEST(QueryRow, ReadsTheRowThatIsLookedAt) {
  for (const Scene* scene : all_scenes()) {
    const FigureScene figure_scene(*scene);
    document::ViewState view_state;
    view_state.sample = scene->config().batch - 1;
    view_state.head = scene->config().num_heads - 1;
    view_state.query = scene->config().query_len - 1;
    const QueryRow row(figure_scene.input(view_state));
    const tensor::Tensor& scores = scene->attention.trace["scores"];
    const std::vector<float> values = row.values("scores");
    ASSERT_EQ(values.size(), scene->config().key_len);
    for (std::size_t key = 0; key < values.size(); ++key) {
      EXPECT_EQ(bits_of(values[key]),
                bits_of(scores.at({view_state.sample, view_state.head, view_state.query, key})));
      EXPECT_EQ(row.key_token(key), scene->attention.key_tokens[view_state.sample][key]);
    }
    EXPECT_EQ(row.query_token(),
              scene->attention.query_tokens[view_state.sample][view_state.query]);
  }
}

TEST(RowTable, LargeNumbersAreSetInPowersOfTen) {
  EXPECT_EQ(stage::number_in(12.3456F, 6, 3), "12.346");
  EXPECT_EQ(stage::number_in(143891760.0F, 6, 3), "1.4e8");
  EXPECT_EQ(stage::number_in(-143891760.0F, 6, 3), "−1.4e8");
  EXPECT_EQ(stage::number_in(-3.2e12F, 6, 3), "−3e12");
  EXPECT_EQ(stage::number_in(-std::numeric_limits<float>::infinity(), 6, 3), "−∞");
}

TEST(RowTable, DivisorsAreSetAsFormulas) {
  EXPECT_EQ(divisor_text({Scale::Kind::sqrt_head_dim, 1.0F}, 64, 9), "√64");
  EXPECT_EQ(divisor_text({Scale::Kind::sqrt_keys, 1.0F}, 64, 9), "√9");
  EXPECT_EQ(divisor_text({Scale::Kind::number, 2.5F}, 64, 9), "2.5");
  EXPECT_EQ(divisor_text({Scale::Kind::none, 1.0F}, 64, 9), "1");
}

}  // namespace
}  // namespace stage
