#include "stage/figures/step_figures.hpp"

#include <cmath>
#include <set>
#include <string>

#include "document/commands.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {
namespace {

using lesson::ExampleId;
using model::TensorId;

MadeFigure made_of(const FigureScene& scene, std::size_t query, std::size_t key,
                   const Rect& place = figure_places[0]) {
  document::ViewState view_state;
  view_state.attention = scene.attention().id;
  view_state.query = query;
  view_state.key = key;
  return make_figure(scene, view_state, place, put_scores_figure);
}

TEST(ScoresFigure, IsSoundEverywhere) { for_each_figure(put_scores_figure, expect_sound); }

TEST(ScoresFigure, SetsTheScoreOfTheChosenKey) {
  for_each_figure(put_scores_figure, [](const MadeFigure& made) {
    const document::CellRef cell{
        "scores",
        {made.view_state.sample, made.view_state.head, made.view_state.query, made.view_state.key}};
    std::size_t scores = 0;
    for (const Words& words : made.figure().words) {
      if (!words.cell) continue;
      EXPECT_EQ(*words.cell, cell);
      ++scores;
    }
    EXPECT_EQ(scores, 1U);
  });
}

TEST(ScoresFigure, EveryTipCanBeChosen) {
  for_each_figure(put_scores_figure, [](const MadeFigure& made) {
    std::set<std::size_t> keys;
    for (const Target& target : made.figure().targets) {
      if (!target.click) continue;
      if (const auto* choice = std::get_if<document::ChooseKey>(&*target.click))
        keys.insert(choice->value);
    }
    EXPECT_EQ(keys.size(), made.trace().config.key_len);
  });
}

TEST(ScoresFigure, SaysWhatIsExactAndWhatIsProjected) {
  for_each_figure(put_scores_figure, [](const MadeFigure& made) {
    if (made.place.height < 190.0F) return;
    const bool projected = made.trace().config.head_dim() > 2;
    const std::string words = all_words(made.figure());
    const bool towards = words.find("towards the key") != std::string::npos;
    const bool beside = words.find("where the keys differ most") != std::string::npos;
    EXPECT_EQ(towards || beside, projected);
    EXPECT_FALSE(towards && beside);
    EXPECT_EQ(words.find("along the query") != std::string::npos, projected);
  });
}

TEST(ScoresFigure, AngleAndLengthsAreThoseOfTheVectors) {
  // pool · beats = .14, |pool|² = .31 = |beats|²: cos = .14 / .31 = .4516, 63.2°.
  const FigureScene scene(document::computed(document::fresh(ExampleId::pool_beats_badminton, 0)));
  const MadeFigure made = made_of(scene, 0, 1);
  for (const char* text : {"0.557", "63.2°", "0.452", "0.140", "0.251"})
    EXPECT_NE(find_words(made.figure(), text), nullptr) << text;
}

// By this mistake a query meets the columns of K: those are drawn then, and no token's name.
TEST(ScoresFigure, WithoutTheTransposeShowsWhatTheQueryMeets) {
  document::Configuration configuration = document::fresh(ExampleId::counting, 0);
  configuration.mistake = model::Mistake::keys_not_transposed;
  const FigureScene scene(document::computed(configuration));
  const model::Trace& trace = scene.trace();
  for (std::size_t column = 0; column < trace.config.key_len; ++column) {
    const MadeFigure made = made_of(scene, 0, column);
    expect_sound(made);
    const std::string words = all_words(made.figure());
    EXPECT_NE(words.find("column " + std::to_string(column)), std::string::npos) << words;
    EXPECT_EQ(words.find("≠"), std::string::npos) << words;
    double squares = 0.0;
    for (std::size_t token = 0; token < trace.config.key_len; ++token) {
      const double number = trace["k_heads"].at({0, 0, token, column});
      squares += number * number;
    }
    const std::string length = number_text(static_cast<float>(std::sqrt(squares)), 3);
    EXPECT_NE(find_words(made.figure(), length), nullptr) << length << " in " << words;
    for (const std::string& token : scene.attention().key_tokens[0])
      EXPECT_EQ(words.find("Key 0 " + token), std::string::npos) << words;
  }
}

TEST(ScoresFigure, TheAngleToZeroIsNotDefined) {
  document::Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 0);
  for (std::size_t d = 0; d < 4; ++d) {
    configuration.edits.push_back(
        {{lesson::AttentionId::attention, "query_input", {0, 1, d}}, 0.0F});
  }
  const FigureScene scene(document::computed(configuration));
  for (const std::size_t query : {0U, 1U}) {
    const MadeFigure made = made_of(scene, query, 1);
    expect_sound(made);
    EXPECT_NE(find_words(made.figure(), "not defined"), nullptr);
    EXPECT_EQ(all_words(made.figure()).find("NaN"), std::string::npos);
  }
  EXPECT_NE(all_words(made_of(scene, 1, 0).figure()).find("The query is the zero vector"),
            std::string::npos);
}

/// The tips that can be dragged.
std::vector<const Target*> draggable(const MadeFigure& made) {
  std::vector<const Target*> targets;
  for (const Target& target : made.figure().targets) {
    if (target.drag) targets.push_back(&target);
  }
  return targets;
}

TEST(ScoresFigure, GivenTipsOfTwoDimensionsCanBeDragged) {
  std::size_t scenes = 0;
  for (const document::Configuration& configuration : document::all_setups()) {
    const document::Computed computed = document::computed(configuration);
    const FigureScene scene(computed);
    const model::Trace& trace = scene.trace();
    const bool given = trace["q_heads"].shares_storage_with(trace["query_input"]);
    const MadeFigure made = made_of(scene, 0, 1);
    if (!given || trace.config.head_dim() != 2) {
      if (!given) {
        EXPECT_TRUE(draggable(made).empty()) << document::name_of(configuration);
      }
      continue;
    }
    ++scenes;
    ASSERT_EQ(draggable(made).size(), trace.config.key_len + 1);
    for (const Target* target : draggable(made)) {
      // Held still, a tip goes where it is; moved, it changes two numbers of one token.
      const auto command = target->drag(target->place.centre());
      ASSERT_TRUE(command);
      const auto* edits = std::get_if<document::EditCells>(&*command);
      ASSERT_NE(edits, nullptr);
      ASSERT_EQ(edits->edits.size(), 2U);
      for (const document::Edit& edit : edits->edits) {
        EXPECT_NEAR(edit.value, trace[edit.cell.tensor].at(edit.cell.index), 0.06F);
        EXPECT_TRUE(document::is_editable(scene.attention(), edit.cell.tensor));
      }
      // Far outside: no farther than what is seen.
      const auto far = target->drag({1e6F, -1e6F});
      ASSERT_TRUE(far);
      for (const document::Edit& edit : std::get<document::EditCells>(*far).edits)
        EXPECT_LT(std::fabs(edit.value), 1e3F);
      document::Document document;
      document.configuration = configuration;
      document.view_state = made.view_state;
      const auto next = document::apply(document, computed, *command);
      EXPECT_TRUE(next) << next.error().message;
    }
  }
  EXPECT_GT(scenes, 0U);
}

}  // namespace
}  // namespace stage
