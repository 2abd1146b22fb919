#include "stage/figures/step_figures.hpp"

#include <map>

#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using lesson::ExampleId;
using model::Scale;
using model::TensorId;

MadeFigure made_with(const document::Configuration& configuration, std::size_t query = 0) {
  static std::vector<FigureScene> scenes;  // what was made points at its scene
  scenes.reserve(64);
  scenes.emplace_back(document::computed(configuration));
  document::ViewState view_state;
  view_state.attention = scenes.back().attention().id;
  view_state.query = query;
  return make_figure(scenes.back(), view_state, figure_places[0], put_scale_figure);
}

/// Bars by the column they stand in.
std::map<float, std::vector<Bar>> columns_of(const Figure& figure) {
  std::map<float, std::vector<Bar>> columns;
  for (const Bar& bar : figure.bars) columns[bar.place.x].push_back(bar);
  return columns;
}

TEST(ScaleFigure, IsSoundEverywhere) { for_each_figure(put_scale_figure, expect_sound); }

TEST(ScaleFigure, ThePresentScaleHasTheWeightsOfTheTrace) {
  for_each_figure(put_scale_figure, [](const MadeFigure& made) {
    const tensor::Index row{made.view_state.sample, made.view_state.head, made.view_state.query, 0};
    const bool given = made.trace().overrides.gives(row[0], row[1], row[2]);
    std::size_t present = 0;
    for (const auto& [x, bars] : columns_of(made.figure())) {
      const bool own = bars[0].cell.has_value();
      for (const Bar& bar : bars) EXPECT_EQ(bar.cell.has_value(), own);
      present += own ? 1U : 0U;
    }
    EXPECT_EQ(present, given ? 0U : 1U);
  });
}

TEST(ScaleFigure, SaysWhereBothDivisorsAreTheSame) {
  const auto said = [](ExampleId example) {
    const FigureScene scene(document::computed(document::fresh(example, 0)));
    document::ViewState view_state;
    view_state.attention = scene.attention().id;
    const Rect place{0.0F, 0.0F, 420.0F, 520.0F};
    const MadeFigure made = make_figure(scene, view_state, place, put_scale_figure);
    std::string all;
    for (const Words& words : made.figure().words) all += words.text + " ";
    return std::pair(made.trace().config, all);
  };
  const auto [equal, same] = said(ExampleId::you_are_welcome);
  ASSERT_EQ(equal.head_dim(), equal.key_len);
  EXPECT_NE(same.find("D and Lk are both 3"), std::string::npos) << same;
  const auto [other, different] = said(ExampleId::pool_beats_badminton);
  ASSERT_NE(other.head_dim(), other.key_len);
  EXPECT_NE(different.find("√Lk is a common mistake"), std::string::npos) << different;
}

TEST(ScaleFigure, AllColumnsHaveTheSameAxis) {
  for_each_figure(put_scale_figure, [](const MadeFigure& made) {
    float one = 0.0F;
    for (const Bar& bar : made.figure().bars) {
      if (bar.value < 0.01F) continue;
      if (one == 0.0F) one = bar.place.width / bar.value;
      EXPECT_NEAR(bar.place.width / bar.value, one, 0.02F * one);
    }
  });
}

TEST(ScaleFigure, OffersEveryScaleButThePresentOne) {
  document::Configuration configuration = document::fresh(ExampleId::pool_beats_badminton, 0);
  for (const Scale::Kind kind : {Scale::Kind::none, Scale::Kind::sqrt_head_dim,
                                 Scale::Kind::sqrt_keys, Scale::Kind::number}) {
    configuration.scale = Scale{kind, 0.05F};
    const MadeFigure made = made_with(configuration);
    std::vector<Scale::Kind> offered;
    for (const Target& target : made.figure().targets) {
      if (const auto* scale = std::get_if<document::SetScale>(&*target.click))
        offered.push_back(scale->scale.kind);
    }
    std::vector<Scale::Kind> others = {Scale::Kind::none, Scale::Kind::sqrt_head_dim,
                                       Scale::Kind::sqrt_keys};
    std::erase(others, kind);
    EXPECT_EQ(offered, others);
    EXPECT_EQ(columns_of(made.figure()).size(), kind == Scale::Kind::number ? 4U : 3U);
  }
}

TEST(ScaleFigure, ComputesWhatTheTraceWouldHave) {
  // Every column is what the trace has once its scale is chosen.
  document::Configuration configuration = document::fresh(ExampleId::you_are_welcome, 0);
  const MadeFigure before = made_with(configuration, 1);
  for (const Target& target : before.figure().targets) {
    const auto* scale = std::get_if<document::SetScale>(&*target.click);
    if (scale == nullptr) continue;
    // The first column right of the target's left edge is its own.
    const auto before_columns = columns_of(before.figure());
    const auto column = before_columns.upper_bound(target.place.x);
    ASSERT_NE(column, before_columns.end());
    configuration.scale = scale->scale;
    const MadeFigure after = made_with(configuration, 1);
    for (std::size_t key = 0; key < column->second.size(); ++key) {
      EXPECT_EQ(bits_of(column->second[key].value),
                bits_of(after.trace()["attention_weights"].at({0, 0, 1, key})));
    }
  }
}

// "she" looks at "queen" and at herself alike.
TEST(ScaleFigure, NamesAllThatGetTheLargestWeight) {
  const FigureScene scene(document::computed(document::fresh(ExampleId::gender_and_number, 0)));
  document::ViewState view_state;
  view_state.query = 6;
  const MadeFigure made = make_figure(scene, view_state, figure_places[4], put_scale_figure);
  expect_sound(made);
  EXPECT_NE(find_words(made.figure(), "queen, she"), nullptr) << all_words(made.figure());
}

}  // namespace
}  // namespace stage
