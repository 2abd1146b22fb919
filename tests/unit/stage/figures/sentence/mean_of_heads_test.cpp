// The sentence as the mean over the heads of its attention, held against all of them.
#include <algorithm>
#include <cmath>

#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/cell/explanation_words.hpp"
#include "stage/wording/step_words.hpp"

namespace stage {
namespace {

constexpr Rect mean_places[] = {{0.0F, 0.0F, 880.0F, 430.0F},
                                {0.0F, 0.0F, 688.0F, 262.0F},
                                {0.0F, 0.0F, 358.0F, 474.0F},
                                {4.0F, 4.0F, 1480.0F, 700.0F},
                                {0.0F, 0.0F, 240.0F, 280.0F}};

document::ViewState mean_of(const document::ComputedAttention& attention, std::size_t query = 0) {
  document::ViewState view_state;
  view_state.step = lesson::StepId::sentence;
  view_state.attention = attention.id;
  view_state.mean_heads = true;
  view_state.query = query;
  view_state.sample = query % attention.trace.config.batch;
  view_state.head = query % attention.trace.config.num_heads;
  return view_state;
}

template <typename Check>
void for_each_mean(Check check) {
  for (const Scene* scene : all_scenes()) {
    const FigureScene figure_scene(*scene);
    const model::Config& config = scene->config();
    if (config.num_heads == 1) continue;
    for (const std::size_t query : {std::size_t{0}, config.query_len - 1}) {
      for (const Rect& place : mean_places) {
        const MadeFigure made =
            make_figure(figure_scene, mean_of(scene->attention, query), place, put_sentence);
        SCOPED_TRACE(scene->name + ", query " + std::to_string(query) + ", " + text_of(place));
        check(made);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

/// The mean as the textbook has it.
double mean_at(const model::Trace& trace, const tensor::Index& index) {
  double sum = 0.0;
  for (std::size_t head = 0; head < trace.config.num_heads; ++head)
    sum += static_cast<double>(trace["attention_weights"].at({index[0], head, index[1], index[2]}));
  return sum / static_cast<double>(trace.config.num_heads);
}

TEST(MeanOfHeads, IsWhatStandsUnderTheWordsAndInTheBar) {
  std::size_t cells = 0;
  for_each_mean([&cells](const MadeFigure& made) {
    expect_inside(made);
    for (const Block& block : made.stage.blocks) {
      EXPECT_EQ(block.tensor, model::TensorId("mean_weights"));
      EXPECT_FALSE(block.head);
      for (std::size_t column = 0; column < block.columns(); ++column, ++cells) {
        const tensor::Index index = block.index_of(0, column);
        EXPECT_EQ(index[1], made.view_state.query);
        EXPECT_NEAR(block.value(0, column), mean_at(made.trace(), index), 1e-6);
      }
    }
    for (const Bar& bar : made.figure().bars) {
      if (bar.cell) {
        EXPECT_NEAR(bar.value, mean_at(made.trace(), bar.cell->index), 1e-6);
      }
    }
  });
  EXPECT_GT(cells, 1000U);
}

TEST(MeanOfHeads, ArcsAreAsWideAsTheMean) {
  for_each_mean([](const MadeFigure& made) {
    std::vector<float> widths;
    for (const Stroke& stroke : made.figure().strokes)
      if (is_arc(stroke)) widths.push_back(stroke.width);
    std::vector<double> means;
    for (const Block& block : made.stage.blocks)
      for (std::size_t column = 0; column < block.columns(); ++column)
        means.push_back(mean_at(made.trace(), block.index_of(0, column)));
    std::erase_if(means, [](double mean) { return !(mean > 0.0); });
    std::sort(means.begin(), means.end());
    ASSERT_EQ(widths.size(), means.size());
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      EXPECT_LE(widths[i], widths[i + 1]) << "the widest is drawn last";
      if (means[i] / means.back() == 1.0) continue;
      EXPECT_EQ(widths[i] < widths.back(), means[i] < means.back() * (1.0 - 1e-6));
    }
  });
}

TEST(MeanOfHeads, WordsStayApartAndSayThatItIsTheMean) {
  for_each_mean([](const MadeFigure& made) {
    const std::vector<Words>& words = made.figure().words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t j = i + 1; j < words.size(); ++j)
        EXPECT_FALSE(overlap(place_of(words[i]), place_of(words[j])))
            << words[i].text << " on " << words[j].text;
    }
    const std::string all = all_words(made.figure());
    EXPECT_NE(all.find("mean_weights ="), std::string::npos) << all;
    EXPECT_EQ(all.find("” before"), std::string::npos) << "no head mixes values with it";
  });
}

TEST(MeanOfHeads, IsWhatTheStepIsAbout) {
  for (const Scene* scene : all_scenes()) {
    const document::ComputedAttention& attention = scene->attention;
    const std::size_t heads = attention.trace.config.num_heads;
    document::ViewState view_state = mean_of(attention);
    const document::CellRef cell = step_cell(attention, view_state);
    if (heads == 1) {
      EXPECT_EQ(cell.tensor, model::TensorId("head_outputs")) << scene->name;
      continue;
    }
    EXPECT_EQ(cell.tensor, model::TensorId("mean_weights"));
    const double mean = mean_at(attention.trace, cell.index);
    for (std::size_t key = 0; key < attention.trace.config.key_len; ++key)
      EXPECT_LE(mean_at(attention.trace, {cell.index[0], cell.index[1], key}), mean + 1e-6);
    // The arithmetic, with every head's number.
    const std::string line = text_of(equation(attention, {cell, FocusBy::step, {}}, 100));
    EXPECT_NE(line.find(") / " + std::to_string(heads) + " = "), std::string::npos) << line;
    std::size_t terms = 1;
    for (std::size_t at = line.find(" + "); at != std::string::npos; at = line.find(" + ", at + 1))
      ++terms;
    EXPECT_EQ(terms, heads) << line;
    EXPECT_NE(explanation(attention, cell).find(") / " + std::to_string(heads)), std::string::npos);
    document::Computed computed;
    computed.attentions.push_back(attention);
    EXPECT_NE(words_of_step(computed, view_state).find("mean"), std::string::npos);
    EXPECT_NE(text_of_step(attention, view_state).find("mean"), std::string::npos);
    EXPECT_NE(formula_of_step(attention, view_state).find(" / H"), std::string::npos);
    EXPECT_NE(shapes_of(attention, view_state).find("→ mean_weights [Lq "), std::string::npos);
    // Its matrices are those of heads.
    view_state.show = document::Show::matrices;
    EXPECT_EQ(step_cell(attention, view_state).tensor, model::TensorId("head_outputs"));
    EXPECT_EQ(words_of_step(computed, view_state).find("mean"), std::string::npos);
  }
}

TEST(MeanOfHeads, OfTwoHeadsIsHalfTheirSum) {
  const FigureScene scene(
      document::computed(document::fresh(lesson::ExampleId::gender_and_number, 0)));
  const document::CellRef cell = step_cell(scene.attention(), mean_of(scene.attention(), 6));
  const tensor::Tensor& weights = scene.trace()["attention_weights"];
  const float first = weights.at({0, 0, 6, cell.index[2]});
  const float second = weights.at({0, 1, 6, cell.index[2]});
  EXPECT_EQ(text_of(equation(scene.attention(), {cell, FocusBy::step, {}}, 100)),
            "mean_weights[6, " + std::to_string(cell.index[2]) + "] = (" + equation_number(first) +
                " + " + equation_number(second) +
                ") / 2 = " + equation_number((first + second) / 2));
}

}  // namespace
}  // namespace stage
