// The slopes of ALiBi, held against the biases that were computed.
#include <gtest/gtest.h>

#include <cmath>

#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {
namespace {

FigureScene sloped(std::size_t tokens, std::size_t heads) {
  document::Configuration configuration = typed(repeated("word", tokens), heads * 2, heads);
  configuration.variants.alibi = true;
  return FigureScene(*document::compute(configuration));
}

template <typename Check>
void for_each_alibi(Check check) {
  for (const std::size_t tokens : {1U, 2U, 11U, 64U}) {
    for (const std::size_t heads : {1U, 2U, 3U, 16U}) {
      const FigureScene scene = sloped(tokens, heads);
      for (const std::size_t query : {std::size_t{0}, tokens - 1}) {
        document::ViewState view_state;
        view_state.attention = lesson::AttentionId::attention;
        view_state.head = heads - 1;
        view_state.query = query;
        view_state.key = tokens / 2;
        for (const Rect& place : figure_places) {
          MadeFigure made = make_figure(scene, view_state, place, put_alibi_figure);
          made.name = std::to_string(tokens) + " tokens, " + std::to_string(heads) +
                      " heads, query " + std::to_string(query) + ", " + text_of(place);
          check(made);
          if (testing::Test::HasFailure()) FAIL() << made.name;
        }
      }
    }
  }
}

TEST(AlibiFigure, IsSoundEverywhere) { for_each_alibi(expect_sound); }

TEST(AlibiFigure, DrawsALineForEachHeadThroughItsBiases) {
  for_each_alibi([](const MadeFigure& made) {
    const tensor::Tensor& bias = made.trace()["alibi_bias"];
    std::vector<const Stroke*> lines;
    for (const Stroke& stroke : made.figure().strokes) {
      if (stroke.tone == Tone::head) lines.push_back(&stroke);
    }
    ASSERT_EQ(lines.size(), bias.dim(0));
    if (bias.dim(2) < 2) return;
    const Point origin = lines[0]->points[0];
    const Point last = lines[0]->points.back();
    const auto farthest = static_cast<float>(bias.dim(2) - 1);
    const float across = (last.x - origin.x) / farthest;
    const float down = (last.y - origin.y) / bias.at({0, 0, bias.dim(2) - 1});
    EXPECT_GT(across, 0.0F);
    EXPECT_LT(down, 0.0F) << "the larger the bias, the lower";
    for (std::size_t head = 0; head < lines.size(); ++head) {
      EXPECT_EQ(lines[head]->head, head);
      ASSERT_EQ(lines[head]->points.size(), bias.dim(2));
      for (std::size_t key = 0; key < bias.dim(2); ++key) {
        const Point at = lines[head]->points[key];
        EXPECT_NEAR(at.x, origin.x + across * static_cast<float>(key), 0.05F);
        EXPECT_NEAR(at.y, origin.y + down * bias.at({head, 0, key}), 0.05F);
      }
    }
  });
}

TEST(AlibiFigure, MarksEachKeyOfTheQueryAtItsBias) {
  for_each_alibi([](const MadeFigure& made) {
    const document::ViewState& view_state = made.view_state;
    const std::size_t keys = made.trace().config.key_len;
    ASSERT_EQ(made.figure().bars.size(), keys);
    for (std::size_t key = 0; key < keys; ++key) {
      const Bar& mark = made.figure().bars[key];
      const document::CellRef cell{"alibi_bias", {view_state.head, view_state.query, key}};
      EXPECT_EQ(mark.cell, cell);
      EXPECT_EQ(mark.value, made.trace()["alibi_bias"].at(cell.index));
      EXPECT_EQ(mark.tone == Tone::accent, key == view_state.key);
    }
    const document::CellRef chosen{"alibi_bias",
                                   {view_state.head, view_state.query, view_state.key}};
    EXPECT_NE(find_number(made.figure(), chosen), nullptr);
  });
}

TEST(AlibiFigure, SaysTheSlopes) {
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::attention;
  const FigureScene scene = sloped(11, 4);
  const std::string words =
      all_words(make_figure(scene, view_state, figure_places[0], put_alibi_figure).figure());
  for (const char* slope :
       {"head 0: m = 0.2500", "head 1: m = 0.0625", "head 2: m = 0.0156", "head 3: m = 0.0039"}) {
    EXPECT_NE(words.find(slope), std::string::npos) << slope << " in " << words;
  }
}

}  // namespace
}  // namespace stage
