#include "stage/figures/step_figures.hpp"

#include <limits>

#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

document::Configuration masked(const std::vector<float>& row) {
  document::Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 1);
  for (std::size_t key = 0; key < row.size(); ++key)
    configuration.edits.push_back({{AttentionId::attention, "mask", {0, 0, 1, key}}, row[key]});
  return configuration;
}

std::string words_with(const document::Configuration& configuration) {
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state;
  view_state.attention = AttentionId::attention;
  view_state.query = 1;
  const MadeFigure made = make_figure(scene, view_state, figure_places[0], put_mask_figure);
  expect_sound(made);
  return all_words(made.figure());
}

bool has(const std::string& words, const char* part) {
  return words.find(part) != std::string::npos;
}

TEST(MaskFigure, IsSoundEverywhere) { for_each_figure(put_mask_figure, expect_sound); }

TEST(MaskFigure, HasMatricesOfScoreMaskAndMaskedScore) {
  for_each_figure(put_mask_figure, [](const MadeFigure& made) {
    std::vector<TensorId> tensors;
    for (const Group& group : made.stage.groups) tensors.push_back(group.tensor);
    TensorId first = "scores";  // what a variant of attention made of them, where there is one
    for (const TensorId variant : {TensorId("capped_scores"), TensorId("biased_scores")}) {
      if (made.trace().has(variant)) first = variant;
    }
    if (made.trace().has("mask")) {
      EXPECT_EQ(tensors, (std::vector<TensorId>{first, "mask", "masked_scores"}));
    } else {
      EXPECT_EQ(tensors, (std::vector<TensorId>{first, "masked_scores"}));
    }
  });
}

TEST(MaskFigure, SaysThatTheOrderDoesNotMatterWhereItDoesNot) {
  const std::string words = words_with(masked({0.0F, minus_infinity, 0.0F}));
  EXPECT_TRUE(has(words, "1 of 3 keys are hidden")) << words;
  EXPECT_TRUE(has(words, "Scaling first or masking first gives the same numbers"));
  EXPECT_FALSE(has(words, "The order matters"));
  EXPECT_TRUE(has(words, "−∞"));
}

TEST(MaskFigure, SaysThatTheOrderMattersWhereItDoes) {
  const std::string finite = words_with(masked({0.0F, -2.0F, minus_infinity}));
  EXPECT_FALSE(has(finite, "gives the same numbers"));
  EXPECT_TRUE(has(finite, "The order matters for 1 of 3")) << finite;
  // Score .14 + mask 0 and so on; (.31 − 2) / 2 = −.845, not .31 / 2 − 2 = −1.845.
  EXPECT_TRUE(has(finite, "−0.845")) << finite;
  document::Configuration configuration = masked({0.0F, minus_infinity, 0.0F});
  configuration.scale = model::Scale{model::Scale::Kind::number, -2.0F};
  EXPECT_TRUE(has(words_with(configuration), "−∞ becomes ∞"));
}

TEST(MaskFigure, SaysWhatThereIsNot) {
  document::Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 1);
  EXPECT_TRUE(has(words_with(configuration), "No mask: this query sees every key."));
  configuration = masked({0.0F, minus_infinity, 0.0F});
  configuration.scale = model::Scale{model::Scale::Kind::none, 1.0F};
  EXPECT_TRUE(has(words_with(configuration), "Without a scale, the order makes no difference."));
}

TEST(MaskFigure, SaysThatEveryKeyIsHidden) {
  const std::string words = words_with(masked({minus_infinity, minus_infinity, minus_infinity}));
  EXPECT_TRUE(has(words, "Every key is hidden from this query"));
  EXPECT_FALSE(has(words, "NaN"));
}

// One who walks through the first sample, which has no padding, is told where there is some.
TEST(MaskFigure, SaysWhichSampleHidesKeysWhereThisOneDoesNot) {
  const FigureScene scene(document::computed(document::fresh(ExampleId::you_are_welcome, 0)));
  document::ViewState view_state;
  view_state.attention = AttentionId::encoder_self_attention;
  for (const std::size_t sample : {std::size_t{0}, std::size_t{1}}) {
    view_state.sample = sample;
    const std::string words =
        all_words(make_figure(scene, view_state, figure_places[0], put_mask_figure).figure());
    EXPECT_EQ(has(words, "In sample 1 some keys are hidden"), sample == 0) << words;
  }
}

}  // namespace
}  // namespace stage
