#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <numeric>

#include "stage/figures/contributions.hpp"
#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using lesson::ExampleId;
using model::TensorId;

const Block* block_of(const Stage& stage, TensorId tensor) {
  for (const Block& block : stage.blocks) {
    if (block.tensor == tensor) return &block;
  }
  return nullptr;
}

TEST(ReweightFigure, StaysInItsPlace) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const Figure& figure = made.figure();
    for (const Bar& bar : figure.bars) EXPECT_TRUE(inside(bar.place, figure.bounds, 0.5F));
    for (const Block& block : made.stage.blocks)
      EXPECT_TRUE(inside(block.cells, figure.bounds, 0.5F)) << text_of(block.cells);
    for (const Words& words : figure.words)
      EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F)) << words.text;
  });
}

TEST(ReweightFigure, ATitleIsCutOnlyWhereItsTensorsNameHasNoRoom) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    for (const Group& group : made.stage.groups) {
      const std::string name(model::name_of(group.tensor));
      if (text_width(name, 13.0F) > group.caption.width) continue;
      EXPECT_EQ(group.title.find("…"), std::string::npos) << group.title;
    }
  });
}

TEST(ReweightFigure, ATimesSignStandsBeforeTheValuesOnly) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const auto& words = made.figure().words;
    const bool times =
        std::any_of(words.begin(), words.end(), [](const Words& each) { return each.text == "×"; });
    EXPECT_EQ(times, block_of(made.stage, "v_heads") != nullptr);
  });
}

TEST(ReweightFigure, ABarAKeyWithItsWeight) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    ASSERT_EQ(made.figure().bars.size(), made.trace().config.key_len);
    for (std::size_t key = 0; key < made.figure().bars.size(); ++key) {
      const Bar& bar = made.figure().bars[key];
      const tensor::Index index{made.view_state.sample, made.view_state.head, made.view_state.query,
                                key};
      ASSERT_TRUE(bar.cell);
      EXPECT_EQ(bar.cell->tensor, TensorId("attention_weights"));
      EXPECT_EQ(bar.cell->index, index);
      EXPECT_EQ(bar.value, made.trace()["attention_weights"].at(index));
      EXPECT_EQ(bar.head, made.view_state.head);
    }
  });
}

// Rows lower than letters: the tokens of the largest weights are named, and none runs into another.
TEST(ReweightFigure, ManyKeysAreNamedByTheirWeights) {
  std::string sentence;
  for (int i = 0; i < 41; ++i) sentence += "w" + std::to_string(i) + " ";
  const FigureScene scene(document::computed(typed(sentence, 8, 2)));
  for (const Rect& place : {Rect{0.0F, 0.0F, 900.0F, 440.0F}, Rect{0.0F, 0.0F, 340.0F, 440.0F},
                            Rect{0.0F, 0.0F, 340.0F, 270.0F}}) {
    const MadeFigure made = make_figure(scene, {}, place, put_reweight);
    const std::vector<Bar>& bars = made.figure().bars;
    std::vector<std::size_t> named;
    float end = -1.0e9F;
    for (std::size_t key = 0; key < bars.size(); ++key) {
      const float middle = bars[key].place.centre().y;
      const auto& words = made.figure().words;
      const auto of_this_bar = [&](const std::string& text) {
        return std::any_of(words.begin(), words.end(), [&](const Words& each) {
          return each.text == text && std::abs(place_of(each).centre().y - middle) < 1.0F;
        });
      };
      if (!of_this_bar("w" + std::to_string(key))) continue;
      EXPECT_TRUE(of_this_bar(number_text(bars[key].value, 3)));
      EXPECT_GE(middle - end, 11.0F) << "keys do not run into each other";
      end = middle;
      named.push_back(key);
    }
    ASSERT_GT(named.size(), 3U);
    ASSERT_LT(named.size(), bars.size());
    const auto largest = std::max_element(
        bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.value < b.value; });
    EXPECT_NE(
        std::find(named.begin(), named.end(), static_cast<std::size_t>(largest - bars.begin())),
        named.end());
  }
}

TEST(ReweightFigure, BarsAreAsLongAsTheirWeights) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    float one = 0.0F;
    for (const Bar& bar : made.figure().bars) {
      if (bar.place.width < 4.0F) continue;  // drawn at least a hairline wide
      if (one == 0.0F) one = bar.place.width / bar.value;
      EXPECT_NEAR(bar.place.width / bar.value, one, 0.01F * one);
    }
  });
}

TEST(ReweightFigure, RowsOfTheMatricesStandOnTheBars) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const Block* products = block_of(made.stage, "weighted_values");
    ASSERT_NE(products, nullptr);
    for (std::size_t key = 0; key < products->rows(); ++key) {
      EXPECT_NEAR(products->cell(key, 0).centre().y, made.figure().bars[key].place.centre().y,
                  0.01F);
    }
  });
}

TEST(ReweightFigure, TheSumIsTheHeadsOutput) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const Block* sum = block_of(made.stage, "head_outputs");
    ASSERT_NE(sum, nullptr);
    EXPECT_FALSE(sum->partial);
    for (std::size_t d = 0; d < sum->columns(); ++d) {
      EXPECT_EQ(sum->value(0, d), made.trace()["head_outputs"].at(sum->index_of(0, d)));
      EXPECT_EQ(sum->index_of(0, d)[2], made.view_state.query);
    }
  });
}

TEST(ReweightFigure, OnTheWayOnlyTheFirstKeysAreAdded) {
  static const FigureScene scene(
      document::computed(document::fresh(ExampleId::anthony_hopkins, 0)));
  document::ViewState view_state;
  view_state.attention = scene.attention().id;
  view_state.query = 3;
  view_state.progress = 0.5F;
  const MadeFigure made = make_figure(scene, view_state, figure_places[4], put_reweight);
  const std::size_t added = keys_added(0.5F, 9);
  EXPECT_EQ(added, 4U);
  const Block* products = block_of(made.stage, "weighted_values");
  ASSERT_NE(products, nullptr);
  EXPECT_EQ(products->shown, added * 64);
  const Block* sum = block_of(made.stage, "head_outputs");
  ASSERT_NE(sum, nullptr);
  EXPECT_TRUE(sum->partial);
  for (std::size_t d = 0; d < 64; ++d) {
    float total = 0.0F;
    for (std::size_t key = 0; key < added; ++key) total += products->value(key, d);
    EXPECT_NEAR(sum->value(0, d), total, 1e-5F);
  }
}

TEST(ReweightFigure, KeysAreAddedOneAfterAnother) {
  EXPECT_EQ(keys_added(0.0F, 9), 0U);
  EXPECT_EQ(keys_added(1.0F, 9), 9U);
  EXPECT_EQ(keys_added(2.0F, 9), 9U);
  std::size_t last = 0;
  for (int i = 0; i <= 90; ++i) {
    const std::size_t now = keys_added(static_cast<float>(i) / 90.0F, 9);
    EXPECT_GE(now, last);
    EXPECT_LE(now, last + 1);
    last = now;
  }
}

TEST(ReweightFigure, ABarIsDraggedToWhereThePointerIs) {
  static const FigureScene scene(
      document::computed(document::fresh(ExampleId::anthony_hopkins, 0)));
  document::ViewState view_state;
  view_state.attention = scene.attention().id;
  view_state.query = 3;
  const MadeFigure made = make_figure(scene, view_state, figure_places[4], put_reweight);
  const Bar& bar = made.figure().bars[2];
  const Target* target = target_at(made.stage, bar.place.centre());
  ASSERT_NE(target, nullptr);
  ASSERT_TRUE(target->drag);
  // At the bar's own end the weight is what it is.
  const auto command = target->drag({bar.place.right(), bar.place.centre().y});
  ASSERT_TRUE(command);
  const auto* drag = std::get_if<document::DragWeight>(&*command);
  ASSERT_NE(drag, nullptr);
  EXPECT_EQ(drag->index, (tensor::Index{0, 0, 3, 2}));
  EXPECT_NEAR(drag->value, bar.value, 1e-4F);
  const auto left = target->drag({bar.place.x - 100.0F, 0.0F});
  EXPECT_EQ(std::get<document::DragWeight>(*left).value, 0.0F);
  const auto right = target->drag({bar.place.x + 10'000.0F, 0.0F});
  EXPECT_LE(std::get<document::DragWeight>(*right).value, 1.0F);
}

TEST(MatrixVector, IsTheSameSumTransposed) {
  for_each_figure(put_matrix_vector, [](const MadeFigure& made) {
    const Block* values = block_of(made.stage, "v_heads");
    const Block* weights = block_of(made.stage, "attention_weights");
    const Block* sum = block_of(made.stage, "head_outputs");
    ASSERT_TRUE(values != nullptr && weights != nullptr && sum != nullptr);
    ASSERT_EQ(values->columns(), weights->rows());
    ASSERT_EQ(values->rows(), sum->rows());
    for (const Block* block : {values, weights, sum}) {
      EXPECT_TRUE(inside(block->cells, made.figure().bounds, 0.5F)) << text_of(block->cells);
      for (std::size_t row = 0; row < block->rows(); ++row) {
        const tensor::Index index = block->index_of(row, block->columns() - 1);
        EXPECT_EQ(bits_of(block->value(row, block->columns() - 1)),
                  bits_of(made.trace()[block->tensor].at(index)));
      }
    }
  });
}

}  // namespace
}  // namespace stage
