#include <set>

#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/composition.hpp"
#include "stage/motion/motion.hpp"

namespace stage {
namespace {

using document::Configuration;
using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

const TensorId d_weights = TensorId("attention_weights").gradient();
const TensorId d_scores = TensorId("masked_scores").gradient();

/// With a target for two numbers of the output.
document::Computed with_target(Configuration configuration, AttentionId attention) {
  configuration.target = {{{attention, "output", {0, 0, 0}}, 1.5F},
                          {{attention, "output", {0, 1, 1}}, -0.5F}};
  return document::computed(configuration);
}

document::ViewState gradient_view(AttentionId attention = AttentionId::attention) {
  document::ViewState view_state;
  view_state.attention = attention;
  view_state.step = lesson::StepId::softmax;
  view_state.gradients = true;
  return view_state;
}

/// Every example with a target, some of its heads and queries, in every size of place.
void for_each_gradient_figure(const std::function<void(const MadeFigure&)>& check) {
  for (const Configuration& configuration : document::all_setups()) {
    const document::Computed plain = document::computed(configuration);
    const document::ComputedAttention& last = plain.attentions.back();
    if (last.trace.config.query_len < 2) continue;
    const document::Computed made = with_target(configuration, last.id);
    FigureScene scene(made);
    scene.computed.attentions = {made.find(last.id)};
    const model::Config& config = scene.trace().config;
    for (const std::size_t head : {std::size_t{0}, config.num_heads - 1}) {
      for (const std::size_t query : {std::size_t{0}, std::size_t{1}, config.query_len - 1}) {
        for (const float progress : {1.0F, 0.5F}) {
          for (const Rect& place : figure_places) {
            document::ViewState view_state = gradient_view(last.id);
            view_state.head = head;
            view_state.query = query;
            view_state.progress = progress;
            MadeFigure figure = make_figure(scene, view_state, place, put_softmax_gradient);
            figure.name = document::name_of(configuration) + ", head " + std::to_string(head) +
                          ", query " + std::to_string(query) + ", " + text_of(place);
            check(figure);
            if (testing::Test::HasFailure()) FAIL() << figure.name;
          }
        }
      }
    }
  }
}

TEST(SoftmaxGradient, IsSoundEverywhere) { for_each_gradient_figure(expect_sound); }

TEST(SoftmaxGradient, TheNumbersAreTheGradientOfTheSoftmax) {
  std::size_t rows = 0;
  for_each_gradient_figure([&](const MadeFigure& made) {
    if (made.view_state.progress < 1.0F) return;
    const QueryRow row({made.scene->computed, made.scene->attention(), made.view_state});
    double mean = 0.0;
    double largest = 0.0;
    for (std::size_t key = 0; key < row.keys(); ++key) {
      mean += static_cast<double>(row.value("attention_weights", key)) *
              static_cast<double>(row.value(d_weights, key));
      largest = std::max(largest, std::fabs(static_cast<double>(row.value(d_weights, key))));
    }
    std::set<std::size_t> incoming;
    std::set<std::size_t> outgoing;
    for (const Block& block : made.stage.blocks) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const std::size_t key = block.index_of(i, 0)[3];
        if (block.tensor == d_weights) {
          incoming.insert(key);
          continue;
        }
        ASSERT_EQ(block.tensor, d_scores);
        outgoing.insert(key);
        if (made.trace().overrides.gives(0, row.head(), row.query())) continue;
        const double expected = static_cast<double>(row.value("attention_weights", key)) *
                                (static_cast<double>(row.value(d_weights, key)) - mean);
        EXPECT_NEAR(block.value(i, 0), expected, 1e-5 * largest + 1e-12);
      }
    }
    EXPECT_EQ(incoming, outgoing);
    std::size_t bars = 0;
    for (const Bar& bar : made.figure().bars) bars += bar.cell ? 1U : 0U;
    EXPECT_TRUE(bars == 0 || bars == incoming.size());
    for (const std::size_t key : incoming)
      EXPECT_NE(find_number(made.figure(), row.cell("attention_weights", key)), nullptr);
    if (row.query() < 2 && largest > 0.0) ++rows;
  });
  EXPECT_GT(rows, 50U);
}

TEST(SoftmaxGradient, SetsTheMeanAndTheDifferences) {
  const FigureScene scene(
      with_target(document::fresh(ExampleId::pool_beats_badminton, 0), AttentionId::attention));
  const MadeFigure made =
      make_figure(scene, gradient_view(), figure_places[0], put_softmax_gradient);
  const QueryRow row({scene.computed, scene.attention(), made.view_state});
  double mean = 0.0;
  for (std::size_t key = 0; key < 3; ++key) {
    mean += static_cast<double>(row.value("attention_weights", key)) *
            static_cast<double>(row.value(d_weights, key));
  }
  EXPECT_NE(find_words(made.figure(), number_text(static_cast<float>(mean), 3)), nullptr)
      << all_words(made.figure());
  for (std::size_t key = 0; key < 3; ++key) {
    const auto difference =
        static_cast<float>(static_cast<double>(row.value(d_weights, key)) - mean);
    EXPECT_NE(find_words(made.figure(), number_text(difference, 3)), nullptr);
  }
}

/// What a softmax of the row's scores, divided by this, gives at most, and its p(1 − p) as it is
/// set.
std::pair<float, std::string> largest_with(const QueryRow& row, float divisor) {
  double sum = 0.0;
  double largest = -1e30;
  for (const float score : row.values("scores"))
    largest = std::max(largest, static_cast<double>(score / divisor));
  for (const float score : row.values("scores"))
    sum += std::exp(static_cast<double>(score / divisor) - largest);
  const double weight = 1.0 / sum;
  return {static_cast<float>(weight),
          number_text_telling(static_cast<float>(weight * (1.0 - weight)))};
}

TEST(SoftmaxGradient, SaysWithoutWhichDivisionTheRowWouldBeSaturated) {
  // Random vectors of 64 numbers: without √64 one key gets nearly all of it.
  const FigureScene scene(
      with_target(document::fresh(ExampleId::anthony_hopkins, 0), AttentionId::attention));
  document::ViewState view_state = gradient_view();
  view_state.head = 4;
  view_state.query = 3;
  MadeFigure made = make_figure(scene, view_state, figure_places[4], put_softmax_gradient);
  const QueryRow row({scene.computed, scene.attention(), view_state});
  const auto [divided, divided_slope] = largest_with(row, 8.0F);
  const auto [undivided, undivided_slope] = largest_with(row, 1.0F);
  EXPECT_LT(divided, 0.9F);
  EXPECT_GT(undivided, 0.97F);
  const Figure& figure = made.figure();
  for (const std::string& text :
       {std::string("÷ √64"), std::string("no scale"), number_text(divided, 3),
        number_text(undivided, 3), divided_slope}) {
    EXPECT_NE(find_words(figure, text), nullptr) << text << ": " << all_words(figure);
  }
  const std::string words = all_words(figure);
  EXPECT_NE(words.find("Without the division by √D this row would be saturated"), std::string::npos)
      << words;
  // A click tries it out.
  bool offered = false;
  for (const Target& target : figure.targets) {
    if (!target.click) continue;
    const auto* scale = std::get_if<document::SetScale>(&*target.click);
    offered = offered || (scale && scale->scale.kind == model::Scale::Kind::none);
  }
  EXPECT_TRUE(offered);

  Configuration unscaled = document::fresh(ExampleId::anthony_hopkins, 0);
  unscaled.scale = model::Scale{model::Scale::Kind::none};
  const FigureScene saturated(with_target(unscaled, AttentionId::attention));
  made = make_figure(saturated, view_state, figure_places[4], put_softmax_gradient);
  EXPECT_NE(all_words(made.figure()).find("This row is saturated"), std::string::npos);
}

TEST(SoftmaxGradient, SaysWhereNoGradientPasses) {
  Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 0);
  configuration.given_weights = {{AttentionId::attention, {0, 0, 0, {0.2F, 0.3F, 0.5F}}}};
  const FigureScene by_hand(with_target(configuration, AttentionId::attention));
  MadeFigure made = make_figure(by_hand, gradient_view(), figure_places[0], put_softmax_gradient);
  expect_sound(made);
  EXPECT_NE(all_words(made.figure()).find("set by hand"), std::string::npos);
  for (const Block& block : made.stage.blocks) {
    if (block.tensor != d_scores) continue;
    for (std::size_t i = 0; i < block.rows(); ++i) EXPECT_EQ(block.value(i, 0), 0.0F);
  }

  configuration = document::fresh(ExampleId::pool_beats_badminton, 0);
  configuration.mistake = model::Mistake::softmax_over_queries;
  const FigureScene over_queries(with_target(configuration, AttentionId::attention));
  made = make_figure(over_queries, gradient_view(), figure_places[0], put_softmax_gradient);
  expect_sound(made);
  EXPECT_NE(all_words(made.figure()).find("depend on other rows"), std::string::npos);
}

TEST(SoftmaxGradient, PlaysTheMeanFirstAndThenTheGradients) {
  const FigureScene scene(
      with_target(document::fresh(ExampleId::pool_beats_badminton, 0), AttentionId::attention));
  std::size_t before = 0;
  for (const float progress : {0.0F, 0.2F, 0.4F, 0.6F, 0.8F, 0.99F, 1.0F}) {
    document::ViewState view_state = gradient_view();
    view_state.progress = progress;
    const Stage stage = compose(scene.computed, view_state, {900.0F, 500.0F}).stage;
    ASSERT_EQ(stage.figures.size(), 1U);
    std::size_t in_figure = 0;
    std::size_t in_matrix = 0;
    const Stage now = at(stage, progress);
    for (const Block& block : now.blocks) {
      if (block.tensor != d_scores) continue;
      const bool figure = now.groups[block.group].in_figure;
      for (std::size_t i = 0; i < block.rows(); ++i) {
        for (std::size_t j = 0; j < block.columns(); ++j) {
          if (block.index_of(i, j)[2] == 0 && block.is_shown(i, j))
            ++(figure ? in_figure : in_matrix);
        }
      }
    }
    EXPECT_EQ(in_figure, in_matrix) << progress;
    EXPECT_GE(in_figure, before);
    before = in_figure;
  }
  EXPECT_EQ(before, 3U);
}

TEST(SoftmaxGradient, IsThereOnlyWhereGradientsAre) {
  const FigureScene scene(
      with_target(document::fresh(ExampleId::pool_beats_badminton, 0), AttentionId::attention));
  document::ViewState view_state = gradient_view();
  EXPECT_TRUE(figure_for(scene.input(view_state)));
  view_state.step = lesson::StepId::scale;
  EXPECT_FALSE(figure_for(scene.input(view_state)));
  // The loss of a target for weights does not depend on values; that of one for the output does.
  Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 0);
  configuration.given_weights.clear();
  configuration.target = {{{AttentionId::attention, "attention_weights", {0, 0, 0, 1}}, 0.9F}};
  const FigureScene weights{document::computed(configuration)};
  EXPECT_TRUE(figure_for(weights.input(gradient_view())));
}

}  // namespace
}  // namespace stage
