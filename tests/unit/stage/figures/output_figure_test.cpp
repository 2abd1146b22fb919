#include "stage/figures/step_figures.hpp"

#include <numeric>

#include "stage/figures/figure_scenes.hpp"
#include "stage/focus/step_cell.hpp"

namespace stage {
namespace {

TEST(OutputFigure, StaysInItsPlaceAndItsWordsApart) {
  for_each_figure(put_output, [](const MadeFigure& made) {
    const Figure& figure = made.figure();
    for (const Words& words : figure.words)
      EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F)) << words.text;
    for (const Bar& bar : figure.bars) EXPECT_TRUE(inside(bar.place, figure.bounds, 0.5F));
    for (std::size_t i = 0; i < figure.words.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Rect both = place_of(figure.words[i]).intersected(place_of(figure.words[j]));
        EXPECT_FALSE(both.width > 1.0F && both.height > 1.0F)
            << figure.words[i].text << " on " << figure.words[j].text;
      }
    }
  });
}

TEST(OutputFigure, BarsAddUpToTheCell) {
  for_each_figure(put_output, [](const MadeFigure& made) {
    double sum = 0.0;
    double size = 1.0;
    for (const Bar& bar : made.figure().bars) {
      sum += static_cast<double>(bar.value);
      size += std::fabs(static_cast<double>(bar.value));
    }
    std::size_t cells = 0;
    for (const Words& words : made.figure().words) {
      if (!words.cell) continue;
      ++cells;
      const float value = made.trace()[words.cell->tensor].at(words.cell->index);
      EXPECT_EQ(words.text, number_text(value, 3));
      EXPECT_NEAR(sum, static_cast<double>(value), 1e-5 * size);
    }
    EXPECT_EQ(cells, 1U);
  });
}

TEST(OutputFigure, IsAboutTheNumberThatTheStepAddsUp) {
  const FigureScene scene(
      document::computed(document::fresh(lesson::ExampleId::pool_beats_badminton, 2)));
  document::ViewState view_state;
  view_state.step = lesson::StepId::output;
  // A weight is no output: the figure stays with the step's own number.
  for (const bool weight : {false, true}) {
    if (weight) view_state.cell = document::CellRef{"out_proj_weight", {1, 3}};
    const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_output);
    std::size_t found = 0;
    for (const Words& words : made.figure().words) {
      if (!words.cell) continue;
      ++found;
      EXPECT_EQ(words.cell->index, step_cell(scene.computed.attentions.front(), view_state).index);
      EXPECT_NE(words.cell->index[2], 0U) << "the largest of the row is another";
    }
    EXPECT_EQ(found, 1U);
  }
}

TEST(OutputFigure, SaysInFullThatThereIsNoLastLayer) {
  std::size_t said = 0;
  for_each_figure(put_output, [&said](const MadeFigure& made) {
    const std::string words = all_words(made.figure());
    if (words.find("Without an output") == std::string::npos) return;
    EXPECT_FALSE(made.trace().has("out_proj_weight"));
    EXPECT_NE(words.find("Without an output projection, each number comes from one head. "),
              std::string::npos)
        << words;
    ++said;
  });
  EXPECT_GT(said, 10U);
}

TEST(OutputFigure, EachHeadHasASwitch) {
  for_each_figure(put_output, [](const MadeFigure& made) {
    ASSERT_EQ(made.figure().targets.size(), made.trace().config.num_heads);
    for (std::size_t head = 0; head < made.figure().targets.size(); ++head) {
      const Target& target = made.figure().targets[head];
      ASSERT_TRUE(target.click);
      const auto* command = std::get_if<document::AblateHead>(&*target.click);
      ASSERT_NE(command, nullptr);
      EXPECT_EQ(command->head, head);
      EXPECT_EQ(command->ablated, !made.trace().overrides.ablates(head));
    }
  });
}

}  // namespace
}  // namespace stage
