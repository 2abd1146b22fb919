#include "stage/figures/weights/sum_to_one.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using lesson::ExampleId;

constexpr std::size_t michael = 3;
constexpr std::array put_figures = {put_sentence, put_softmax_figure, put_reweight};

document::ViewState row_of(std::size_t query) {
  document::ViewState view_state;
  view_state.attention = document::alone;
  view_state.query = query;
  return view_state;
}

std::vector<Target> offers(const Figure& figure) {
  std::vector<Target> found;
  for (const Target& target : figure.targets)
    if (target.label == "divide these weights by their sum") found.push_back(target);
  return found;
}

std::vector<Target> offers(const document::Session& session, std::size_t query, std::size_t which,
                           const Rect& place) {
  const FigureScene scene(session.computed());
  return offers(make_figure(scene, row_of(query), place, put_figures[which]).figure());
}

TEST(SumToOne, IsOfferedWherePrintedWeightsDoNotSumToIt) {
  const document::Session session = document::session_of(ExampleId::anthony_hopkins, 1);
  for (std::size_t which = 0; which < put_figures.size(); ++which) {
    SCOPED_TRACE(which);
    for (const Rect& place : {figure_places[0], figure_places[4]}) {
      EXPECT_EQ(offers(session, michael, which, place).size(), 1U) << text_of(place);
      EXPECT_TRUE(offers(session, michael + 1, which, place).empty());
    }
  }
}

TEST(SumToOne, DividesTheRowAndIsDoneThen) {
  document::Session session = document::session_of(ExampleId::anthony_hopkins, 1);
  const auto weights = [&session] {
    std::vector<float> row;
    for (std::size_t key = 0; key < 9; ++key)
      row.push_back(session.attention().trace["attention_weights"].at({0, 0, michael, key}));
    return row;
  };
  const std::vector<float> printed = weights();
  const std::vector<Target> offered = offers(session, michael, 1, figure_places[0]);
  ASSERT_EQ(offered.size(), 1U);
  ASSERT_TRUE(offered[0].click);
  document::perform(session, *offered[0].click);
  const std::vector<float> divided = weights();
  EXPECT_NEAR(std::accumulate(divided.begin(), divided.end(), 0.0), 1.0, 1e-6);
  EXPECT_NEAR(divided[michael], 0.2525, 5e-5);
  for (std::size_t key = 0; key < divided.size(); ++key)
    EXPECT_NEAR(divided[key], printed[key] / 0.99, 1e-6);
  for (std::size_t which = 0; which < put_figures.size(); ++which)
    EXPECT_TRUE(offers(session, michael, which, figure_places[0]).empty());
  session.undo();
  EXPECT_EQ(weights(), printed);
}

TEST(SumToOne, IsSoundInEveryPlace) {
  const document::Session session = document::session_of(ExampleId::anthony_hopkins, 1);
  const FigureScene scene(session.computed());
  for (const auto put : put_figures) {
    for (const Rect& place : figure_places) {
      const MadeFigure made = make_figure(scene, row_of(michael), place, put);
      for (const Target& target : offers(made.figure())) {
        const Rect& bounds = made.figure().bounds;
        EXPECT_TRUE(bounds.contains({target.place.x, target.place.y})) << text_of(place);
        EXPECT_LE(target.place.right(), bounds.right() + 0.5F) << text_of(place);
        EXPECT_LE(target.place.bottom(), bounds.bottom() + 0.5F) << text_of(place);
      }
    }
  }
}

TEST(SumToOne, IsNotOfferedForWhatSoftmaxMakes) {
  document::Session session = document::session_of(ExampleId::pool_beats_badminton);
  EXPECT_TRUE(offers(session, 0, 1, figure_places[0]).empty());
  document::perform(session, document::SetWeights{document::alone, {0, 0, 0, {0.0F, 0.0F, 0.0F}}});
  EXPECT_TRUE(offers(session, 0, 1, figure_places[0]).empty()) << "0 is shared out to nobody";
}

TEST(RoundedSum, IsSaidWherePrintedWeightsDoNotAddUp) {
  EXPECT_EQ(rounded_sum({1.0F / 3.0F, 1.0F / 3.0F, 1.0F / 3.0F}, 3), "0.999");
  EXPECT_EQ(rounded_sum({0.5F, 0.25F, 0.25F}, 3), "");
  const document::Session session = document::session_of(ExampleId::gender_and_number, 0);
  const FigureScene scene(session.computed());
  std::size_t said = 0;
  for (std::size_t query = 0; query < 8; ++query) {
    const Figure figure =
        make_figure(scene, row_of(query), figure_places[0], put_softmax_figure).figure();
    double printed = 0.0;
    double sum = 0.0;
    for (std::size_t key = 0; key < 8; ++key) {
      const float weight = session.attention().trace["attention_weights"].at({0, 0, query, key});
      sum += static_cast<double>(weight);
      printed += std::stod(number_text(weight, 3));
    }
    const bool differs = std::abs(printed - sum) > 0.0005;
    const bool says = all_words(figure).find("Printed numbers are rounded") != std::string::npos;
    EXPECT_EQ(says, differs) << query;
    said += says ? 1U : 0U;
  }
  EXPECT_GT(said, 0U);
}

}  // namespace
}  // namespace stage
