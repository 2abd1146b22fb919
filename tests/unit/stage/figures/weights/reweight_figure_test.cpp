#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <limits>

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

// Columns of values say what they stand for, in each head its own.
TEST(ReweightFigure, ColumnsHaveTheFeaturesOfTheirHead) {
  const FigureScene scene(document::computed(document::fresh(ExampleId::gender_and_number, 0)));
  for (const std::size_t head : {0U, 1U}) {
    document::ViewState view_state;
    view_state.step = lesson::StepId::reweight;
    view_state.head = head;
    const MadeFigure made = make_figure(scene, view_state, figure_places[4], put_reweight);
    EXPECT_EQ(find_words(made.figure(), "female") != nullptr, head == 0U);
    EXPECT_EQ(find_words(made.figure(), "plural") != nullptr, head == 1U);
  }
}

/// The bars whose length is a weight; the others are products.
std::vector<Bar> weight_bars(const Figure& figure) {
  std::vector<Bar> bars;
  for (const Bar& bar : figure.bars) {
    if (bar.cell) bars.push_back(bar);
  }
  return bars;
}

const Block* block_of(const Stage& stage, TensorId tensor, bool piece) {
  for (const Block& block : stage.blocks) {
    if (block.tensor == tensor && block.piece == piece) return &block;
  }
  return nullptr;
}

/// Σ weight × value over all keys, in double.
double sum_of(const MadeFigure& made, std::size_t d) {
  double sum = 0.0;
  for (std::size_t key = 0; key < made.trace().config.key_len; ++key) {
    const document::ViewState& at = made.view_state;
    sum += static_cast<double>(
               made.trace()["attention_weights"].at({at.sample, at.head, at.query, key})) *
           static_cast<double>(made.trace()["v_heads"].at({at.sample, at.head, key, d}));
  }
  return sum;
}

// In the order of the keys; where not all have room the smallest weights are left out, and counted.
TEST(ReweightFigure, ABarAKeyWithItsWeight) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const std::vector<Bar> bars = weight_bars(made.figure());
    const std::size_t keys = made.trace().config.key_len;
    ASSERT_LE(bars.size(), keys);
    std::size_t last = 0;
    float smallest = std::numeric_limits<float>::infinity();
    for (const Bar& bar : bars) {
      EXPECT_EQ(bar.cell->tensor, TensorId("attention_weights"));
      EXPECT_EQ(bar.cell->index[2], made.view_state.query);
      EXPECT_GE(bar.cell->index[3], last);
      last = bar.cell->index[3];
      EXPECT_EQ(bits_of(bar.value), bits_of(made.trace()["attention_weights"].at(bar.cell->index)));
      EXPECT_EQ(bar.head, made.view_state.head);
      smallest = std::min(smallest, bar.value);
    }
    if (bars.size() == keys) return;
    EXPECT_NE(all_words(made.figure()).find(std::to_string(keys - bars.size())), std::string::npos);
    std::size_t larger = 0;
    for (std::size_t key = 0; key < keys; ++key)
      larger += made.trace()["attention_weights"].at({made.view_state.sample, made.view_state.head,
                                                      made.view_state.query, key}) > smallest
                    ? 1
                    : 0;
    EXPECT_LE(larger, bars.size());
  });
}

TEST(ReweightFigure, BarsAreAsLongAsTheirWeights) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    float one = 0.0F;
    for (const Bar& bar : weight_bars(made.figure())) {
      if (bar.place.width < 4.0F) continue;  // drawn at least a hairline wide
      if (one == 0.0F) one = bar.place.width / bar.value;
      EXPECT_NEAR(bar.place.width / bar.value, one, 0.01F * one);
    }
  });
}

TEST(ReweightFigure, RowsOfTheValuesStandOnTheBars) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    for (const Bar& bar : weight_bars(made.figure())) {
      const auto hit = find_cell(made.stage, "v_heads",
                                 {made.view_state.sample, made.view_state.head, bar.cell->index[3],
                                  block_of(made.stage, "v_heads")->corner[3]});
      ASSERT_TRUE(hit);
      EXPECT_NEAR(made.stage.blocks[hit->block].cell(hit->row, 0).centre().y, bar.place.centre().y,
                  0.01F);
    }
  });
}

// Column d is one vertical line from value to product to sum.
TEST(ReweightFigure, AColumnIsOneLine) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const Block* values = block_of(made.stage, "v_heads");
    for (const char* name : {"weighted", "output"}) {
      const Block* other = std::string_view(name) == "weighted"
                               ? block_of(made.stage, "weighted_values")
                               : block_of(made.stage, "head_outputs");
      ASSERT_TRUE(values != nullptr && other != nullptr);
      EXPECT_EQ(values->columns(), other->columns());
      EXPECT_EQ(values->cells.x, other->cells.x);
      EXPECT_EQ(values->cells.width, other->cells.width);
      EXPECT_EQ(values->corner[3], other->corner[other->corner.rank() - 1]);
    }
  });
}

TEST(ReweightFigure, TheSumIsTheHeadsOutput) {
  for_each_figure(put_reweight, [](const MadeFigure& made) {
    const Block* sum = block_of(made.stage, "head_outputs");
    ASSERT_NE(sum, nullptr);
    EXPECT_TRUE(sum->is_shown(0, sum->columns() - 1));
    for (std::size_t d = 0; d < sum->columns(); ++d) {
      EXPECT_EQ(bits_of(sum->value(0, d)),
                bits_of(made.trace()["head_outputs"].at(sum->index_of(0, d))));
      EXPECT_EQ(sum->index_of(0, d)[2], made.view_state.query);
    }
  });
}

// The products that pile up in a column are those of its sum, and the pile is as high as they are.
TEST(ReweightFigure, ProductsPileUpToTheSum) {
  static const FigureScene scene(
      document::computed(document::fresh(ExampleId::anthony_hopkins, 0)));
  document::ViewState view_state;
  view_state.attention = scene.attention().id;
  view_state.query = 3;
  const MadeFigure made =
      make_figure(scene, view_state, {0.0F, 0.0F, 880.0F, 460.0F}, put_reweight);
  const Block* output = block_of(made.stage, "head_outputs");
  ASSERT_NE(output, nullptr);
  for (std::size_t i = 0; i < output->columns(); ++i) {
    double sum = 0.0;
    const Rect column = output->cell(0, i);
    for (const Bar& bar : made.figure().bars) {
      if (bar.cell || bar.place.centre().x < column.x || bar.place.centre().x > column.right())
        continue;
      sum += static_cast<double>(bar.value);
    }
    EXPECT_NEAR(sum, sum_of(made, output->index_of(0, i)[3]), 1e-4);
  }
}

// Empty until the last product is in, whichever way the moment was reached.
TEST(ReweightFigure, TheOutputIsEmptyUntilTheSumIsThere) {
  static const FigureScene scene(
      document::computed(document::fresh(ExampleId::anthony_hopkins, 0)));
  document::ViewState view_state;
  view_state.attention = scene.attention().id;
  view_state.query = 3;
  const auto frame = [&](float progress) {
    view_state.progress = progress;
    return make_figure(scene, view_state, {0.0F, 0.0F, 880.0F, 460.0F}, put_reweight);
  };
  for (const float progress : {0.0F, 0.15F, 0.35F, 0.5F, 0.65F, 0.85F, 0.99F}) {
    const MadeFigure made = frame(progress);
    EXPECT_EQ(block_of(made.stage, "head_outputs")->shown, 0U) << progress;
    (void)frame(1.0F);
    const MadeFigure again = frame(progress);
    ASSERT_EQ(made.figure().bars.size(), again.figure().bars.size());
    for (std::size_t i = 0; i < made.figure().bars.size(); ++i)
      EXPECT_EQ(made.figure().bars[i].place, again.figure().bars[i].place);
    // A row on its way is that row of the values.
    if (const Block* piece = block_of(made.stage, "v_heads", true)) {
      EXPECT_EQ(bits_of(piece->value(0, 0)),
                bits_of(made.trace()["v_heads"].at(piece->index_of(0, 0))));
      EXPECT_EQ(block_of(made.stage, "weighted_values")->shown, 0U);
    }
  }
  EXPECT_GT(block_of(frame(1.0F).stage, "head_outputs")->shown, 0U);
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
  const Bar bar = weight_bars(made.figure())[2];
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
