#include "stage/figures/step_figures.hpp"

#include <set>

#include "stage/figures/figure_scenes.hpp"
#include "stage/layout/composition.hpp"
#include "stage/motion/motion.hpp"

namespace stage {
namespace {

using model::TensorId;

const FigureScene& translation() {
  static const FigureScene scene(
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  return scene;
}

MadeFigure made_at(const Rect& place, std::size_t sample = 0) {
  document::ViewState view_state;
  view_state.attention = translation().attention().id;
  view_state.sample = sample;
  return make_figure(translation(), view_state, place, put_attentions);
}

TEST(AttentionsFigure, IsThereWhereThereAreThree) {
  EXPECT_TRUE(has_attentions(translation().input({})));
  static const FigureScene alone(
      document::computed(document::fresh(lesson::ExampleId::lazy_dog, 0)));
  EXPECT_FALSE(has_attentions(alone.input({})));
}

TEST(AttentionsFigure, StaysInItsPlace) {
  for (const Rect& place : figure_places) {
    const MadeFigure made = made_at(place);
    for (const Block& block : made.stage.blocks)
      EXPECT_TRUE(inside(block.cells, made.figure().bounds, 0.5F)) << text_of(block.cells);
    for (const Words& words : made.figure().words)
      EXPECT_TRUE(inside(place_of(words), made.figure().bounds, 0.5F)) << words.text;
    for (const Target& target : made.figure().targets)
      EXPECT_TRUE(inside(target.place, made.figure().bounds, 0.5F)) << target.label;
  }
}

TEST(AttentionsFigure, EachCardShowsItsOwnAttentionsWeights) {
  const MadeFigure made = made_at(figure_places[4], 1);
  std::set<lesson::AttentionId> seen;
  for (const Block& block : made.stage.blocks) {
    const model::Trace& trace = translation().computed.find(block.attention).trace;
    seen.insert(block.attention);
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        EXPECT_EQ(block.value(row, column),
                  trace["attention_weights"].at(block.index_of(row, column)));
      }
    }
  }
  EXPECT_EQ(seen.size(), 3U);
}

// Each map has its queries beside it and its keys over it; where those have no room, none.
TEST(AttentionsFigure, NamesTheTokensOfEachAttention) {
  const auto count = [](const MadeFigure& made, const std::string& token) {
    return std::count_if(made.figure().words.begin(), made.figure().words.end(),
                         [&](const Words& words) { return words.text == token; });
  };
  const MadeFigure wide = made_at({0.0F, 0.0F, 900.0F, 520.0F});
  // Queries of two attentions once each, keys of one over each of two heads.
  EXPECT_EQ(count(wide, "nada"), 2 + 2);
  // Of the encoder once; keys of two attentions, over each of two heads.
  EXPECT_EQ(count(wide, "are"), 1 + 2 * 2);
  const MadeFigure narrow = made_at({0.0F, 0.0F, 380.0F, 460.0F});
  EXPECT_LE(count(narrow, "De"), 2) << "the queries alone";
  for (const MadeFigure* made : {&wide, &narrow}) {
    for (const Words& words : made->figure().words) {
      for (const Block& block : made->stage.blocks)
        EXPECT_FALSE(place_of(words).inset(1.0F).overlaps(block.cells)) << words.text;
    }
  }
}

TEST(AttentionsFigure, StandsStillWhileTheStepIsPlayed) {
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::decoder_self_attention;
  view_state.show = document::Show::figure;
  const Stage stage = compose(translation().computed, view_state, {900.0F, 480.0F}).stage;
  ASSERT_EQ(stage.figures.size(), 1U);
  EXPECT_TRUE(stage.sweeps.empty());
  EXPECT_EQ(computed_last(stage, 0.5F, 0), std::nullopt);
}

TEST(AttentionsFigure, APressOpensTheCardAndNotACell) {
  const MadeFigure made = made_at(figure_places[4]);
  std::set<lesson::AttentionId> opened;
  for (const Block& block : made.stage.blocks) {
    EXPECT_EQ(cell_at(made.stage, block.cells.centre()), std::nullopt);
    const Target* target = target_at(made.stage, block.cells.centre());
    ASSERT_NE(target, nullptr);
    const auto id = std::get<document::ChooseAttention>(*target->click).value;
    EXPECT_EQ(id, block.attention);
    opened.insert(id);
  }
  EXPECT_EQ(opened.size(), 3U);
}

}  // namespace
}  // namespace stage
