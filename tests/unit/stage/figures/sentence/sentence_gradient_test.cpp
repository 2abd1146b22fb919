#include <algorithm>
#include <set>

#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/focus.hpp"
#include "stage/layout/composition.hpp"

namespace stage {
namespace {

using lesson::AttentionId;
using model::TensorId;

const TensorId of_weights = TensorId("attention_weights").gradient();
const TensorId of_values = TensorId("v_heads").gradient();
const TensorId of_outputs = TensorId("head_outputs").gradient();

constexpr Rect sentence_places[] = {{0.0F, 0.0F, 880.0F, 430.0F},
                                    {0.0F, 0.0F, 688.0F, 276.0F},
                                    {0.0F, 0.0F, 358.0F, 474.0F},
                                    {4.0F, 4.0F, 1480.0F, 700.0F},
                                    {0.0F, 0.0F, 240.0F, 280.0F}};

document::Computed aimed(document::Configuration configuration, AttentionId attention) {
  configuration.target = {{{attention, "output", {0, 0, 0}}, 1.5F},
                          {{attention, "output", {0, 1, 1}}, -0.5F}};
  return document::computed(configuration);
}

document::ViewState back_at(float progress, AttentionId attention, std::size_t query = 0) {
  document::ViewState view_state;
  view_state.attention = attention;
  view_state.step = lesson::StepId::sentence;
  view_state.gradients = true;
  view_state.query = query;
  view_state.progress = progress;
  return view_state;
}

const FigureScene& pool() {
  static const FigureScene scene(
      aimed(document::fresh(lesson::ExampleId::pool_beats_badminton, 0), AttentionId::attention));
  return scene;
}

MadeFigure pool_at(float progress, std::size_t query = 0) {
  return make_figure(pool(), back_at(progress, AttentionId::attention, query), sentence_places[0],
                     put_sentence_gradient);
}

/// Calls `check` for every example with a target, in every size, at several moments.
void for_each_back(const std::function<void(const MadeFigure&)>& check) {
  for (const document::Configuration& configuration : document::all_setups()) {
    const document::Computed plain = document::computed(configuration);
    const document::ComputedAttention& last = plain.attentions.back();
    if (last.trace.config.query_len < 2) continue;
    FigureScene scene(aimed(configuration, last.id));
    scene.computed.attentions = {scene.computed.find(last.id)};
    const model::Config& config = scene.trace().config;
    for (const float progress : {0.0F, 0.3F, 0.6F, 0.8F, 1.0F}) {
      for (const Rect& place : sentence_places) {
        document::ViewState view_state = back_at(progress, last.id, config.query_len / 2);
        view_state.head = config.num_heads - 1;
        if (!has_sentence_gradient(scene.input(view_state))) continue;
        MadeFigure made = make_figure(scene, view_state, place, put_sentence_gradient);
        made.name = document::name_of(configuration) + " at " + std::to_string(progress) + ", " +
                    text_of(place);
        check(made);
        if (testing::Test::HasFailure()) FAIL() << made.name;
      }
    }
  }
}

TEST(SentenceGradient, IsSoundEverywhere) {
  std::size_t count = 0;
  for_each_back([&](const MadeFigure& made) {
    ++count;
    expect_inside(made);
    for (const Words& words : made.figure().words) {
      EXPECT_GE(words.size, 10.5F) << words.text;
      for (const Words& other : made.figure().words)
        EXPECT_TRUE(&words == &other || !overlap(place_of(words), place_of(other)))
            << words.text << " on " << other.text;
      for (const Block& block : made.stage.blocks)
        EXPECT_FALSE(overlap(place_of(words), block.cells)) << words.text;
    }
    for (const Block& block : made.stage.blocks) {
      if (block.partial) continue;
      for (std::size_t row = 0; row < block.rows(); ++row) {
        for (std::size_t column = 0; column < block.columns(); ++column) {
          EXPECT_EQ(bits_of(block.value(row, column)),
                    bits_of(made.trace()[block.tensor].at(block.index_of(row, column))));
        }
      }
    }
  });
  EXPECT_GT(count, 200U);
}

// Between the weights' turn and the values' nothing is under way, and the ways are seen all the
// same: else the upper part of the stage would be empty.
TEST(SentenceGradient, ArcsAreFaintBeforeAnythingGoesAlongThem) {
  for (const float progress : {0.0F, 0.2F, 0.5F, 0.7F, 1.0F}) {
    const MadeFigure made = pool_at(progress);
    std::size_t ways = 0;
    for (const Stroke& stroke : made.figure().strokes)
      ways += is_arc(stroke) && stroke.tone == Tone::line ? 1U : 0U;
    EXPECT_EQ(ways, 3U) << progress;
  }
}

/// How many of the weights' gradients are there.
std::size_t weights_there(const MadeFigure& made) {
  std::size_t there = 0;
  for (const Block& block : made.stage.blocks)
    there += block.tensor == of_weights && block.shown > 0 ? 1U : 0U;
  return there;
}

TEST(SentenceGradient, WeightsGetTheirGradientsFromTheLastKeyToTheFirst) {
  std::size_t before = 0;
  for (float progress = 0.0F; progress < 0.5F; progress += 0.01F) {
    const MadeFigure made = pool_at(progress);
    const std::size_t there = weights_there(made);
    EXPECT_GE(there, before);
    before = there;
    std::size_t key = 0;
    for (const Block& block : made.stage.blocks) {
      if (block.tensor != of_weights) continue;
      EXPECT_EQ(block.shown > 0, key + there >= 3) << "key " << key << " at " << progress;
      ++key;
    }
    const auto values = [](const Block& block) { return block.tensor == "v_heads"; };
    EXPECT_TRUE(std::any_of(made.stage.blocks.begin(), made.stage.blocks.end(), values));
  }
  EXPECT_EQ(before, 3U);
}

TEST(SentenceGradient, AKeysProductsAreAddedUpWhileItsTurnLasts) {
  std::set<std::size_t> added;
  for (float progress = 0.03F; progress < 0.17F; progress += 0.002F) {
    const MadeFigure made = pool_at(progress);
    if (!made.stage.growing || made.stage.growing->cell.index[3] != 2) continue;
    EXPECT_EQ(made.stage.growing->cell.tensor, of_weights);
    added.insert(made.stage.growing->added);
    // The focus says the same.
    const auto focus = moving_focus(pool().attention(), made.view_state, made.stage);
    ASSERT_TRUE(focus);
    EXPECT_EQ(focus->cell, made.stage.growing->cell);
    EXPECT_EQ(focus->added, made.stage.growing->added);
  }
  EXPECT_EQ(added, (std::set<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(SentenceGradient, EachQueryWithAGradientSendsItsShareToTheValues) {
  // Of three queries, two have a target.
  const model::Trace& trace = pool().trace();
  std::set<std::size_t> queries;
  std::size_t partial = 0;
  for (float progress = 0.5F; progress < 0.95F; progress += 0.01F) {
    const MadeFigure made = pool_at(progress, 2);
    const Block& d_out = made.stage.blocks.back();
    ASSERT_EQ(d_out.tensor, of_outputs);
    const std::size_t query = d_out.corner[2];
    queries.insert(query);
    for (const Block& block : made.stage.blocks) {
      if (block.tensor != of_values || block.shown == 0) continue;
      EXPECT_TRUE(block.partial);
      ++partial;
      const std::size_t key = block.corner[2];
      for (std::size_t d = 0; d < 4; ++d) {
        // With the share of this query, or still without it.
        const auto until = [&](std::size_t end) {
          double sum = 0.0;
          for (std::size_t q = 0; q < end; ++q)
            sum += static_cast<double>(trace["attention_weights"].at({0, 0, q, key})) *
                   static_cast<double>(trace[of_outputs].at({0, 0, q, d}));
          return static_cast<float>(sum);
        };
        const float value = block.value(d, 0);
        EXPECT_TRUE(value == until(query + 1) || (query > 0 && value == until(query)))
            << value << " at " << progress;
      }
    }
  }
  EXPECT_EQ(queries, (std::set<std::size_t>{0, 1}));
  EXPECT_GT(partial, 50U);
}

TEST(SentenceGradient, AtTheEndTheSharesOfAllQueriesAreTheGradient) {
  const MadeFigure before = pool_at(0.949F);
  const MadeFigure after = pool_at(1.0F);
  EXPECT_FALSE(after.stage.growing);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < after.stage.blocks.size(); ++i) {
    const Block& block = after.stage.blocks[i];
    EXPECT_FALSE(block.partial);
    if (block.tensor != of_values) continue;
    for (std::size_t d = 0; d < block.rows(); ++d) {
      EXPECT_NEAR(before.stage.blocks[i].value(d, 0), block.value(d, 0), 1e-6F);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 12U);
}

TEST(SentenceGradient, TheStageShowsItOnlyWhereTheGradientComesThroughTheHeadsOutput) {
  document::Configuration configuration =
      document::fresh(lesson::ExampleId::pool_beats_badminton, 0);
  configuration.target = {{{AttentionId::attention, "attention_weights", {0, 0, 0, 0}}, 1.0F}};
  const document::Computed computed = document::computed(configuration);
  const document::ViewState view_state = back_at(1.0F, AttentionId::attention);
  EXPECT_FALSE(has_sentence_gradient({computed, computed.attentions[0], view_state}));
  EXPECT_FALSE(compose(computed, view_state, Space{880.0F, 430.0F}).shows_figure);
  EXPECT_TRUE(compose(pool().computed, view_state, Space{880.0F, 430.0F}).shows_figure);
}

}  // namespace
}  // namespace stage
