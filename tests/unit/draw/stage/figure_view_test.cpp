#include "draw/stage/figure_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "draw/headless.hpp"

namespace draw {
namespace {

using stage::Camera;
using stage::Figure;
using stage::Point;
using stage::Rect;
using stage::Side;
using stage::Stage;
using stage::Tone;
using stage::Words;

constexpr Rect viewport{100.0F, 50.0F, 400.0F, 300.0F};
/// The plane's origin in the middle of the viewport.
constexpr Camera straight{{0.0F, 0.0F}, 1.0F};
constexpr Point middle{300.0F, 200.0F};

Words words_at(Point at, const std::string& text, Side side = Side::left) {
  Words words;
  words.at = at;
  words.side = side;
  words.text = text;
  return words;
}

struct Seen {
  std::vector<DrawnText> texts;
  int vertices = 0;
  int under_plates = 0;  ///< how many of them are drawn before the words on plates
  Rect drawn;            ///< around all of them
  std::vector<ImU32> colours;
};

class FigureView : public testing::Test {
 protected:
  Seen draw(const Figure& figure, const Camera& camera = straight,
            const Theme& theme = light_theme()) {
    Stage stage;
    stage.figures.push_back(figure);
    return draw(stage, camera, theme);
  }
  Seen draw(const Stage& stage, const Camera& camera = straight,
            const Theme& theme = light_theme()) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRectFullScreen();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    Seen seen;
    draw_figures(stage, camera, viewport, theme, headless_.type, &list, seen.texts);
    seen.under_plates = list.VtxBuffer.Size;
    draw_plates(stage, camera, viewport, theme, headless_.type, &list, seen.texts);
    seen.vertices = list.VtxBuffer.Size;
    for (int i = 0; i < list.VtxBuffer.Size; ++i) {
      const ImDrawVert& vertex = list.VtxBuffer[i];
      seen.drawn =
          seen.drawn.united({vertex.pos.x - 0.001F, vertex.pos.y - 0.001F, 0.002F, 0.002F});
      seen.colours.push_back(vertex.col);
    }
    return seen;
  }

  Headless headless_;
};

bool has(const Seen& seen, ImU32 colour) {
  return std::find(seen.colours.begin(), seen.colours.end(), colour) != seen.colours.end();
}

// What moves is drawn in between: it passes behind a caption on a plate.
TEST_F(FigureView, WordsOnPlatesAreDrawnLast) {
  Figure figure;
  figure.words.push_back(words_at({0.0F, 0.0F}, "through k"));
  const Seen plain = draw(figure);
  EXPECT_EQ(plain.under_plates, plain.vertices);
  figure.words.front().plate = true;
  const Seen plated = draw(figure);
  EXPECT_EQ(plated.under_plates, 0);
  EXPECT_GT(plated.vertices, plain.vertices);
  ASSERT_EQ(plated.texts.size(), 1U);
  EXPECT_EQ(plated.texts.front().text, "through k");
}

TEST_F(FigureView, DrawsNothingOfNothing) {
  EXPECT_EQ(draw(Stage{}).vertices, 0);
  EXPECT_EQ(draw(Figure{}).vertices, 0);
  EXPECT_TRUE(draw(Figure{}).texts.empty());
}

TEST_F(FigureView, TellsWhatWasWrittenAndWhoseNumberItIs) {
  Figure figure;
  figure.words = {words_at({-20.0F, 0.0F}, "score"), words_at({20.0F, 30.0F}, "−0.534")};
  const document::CellRef cell{"scores", {0, 1, 2, 0}};
  figure.words[1].cell = cell;
  figure.words[1].number = true;
  const Seen seen = draw(figure);
  ASSERT_EQ(seen.texts.size(), 2U);
  EXPECT_EQ(seen.texts[0].text, "score");
  EXPECT_FALSE(seen.texts[0].ref);
  EXPECT_EQ(seen.texts[1].text, "−0.534");
  ASSERT_TRUE(seen.texts[1].ref);
  EXPECT_EQ(*seen.texts[1].ref, cell);
  for (const DrawnText& text : seen.texts) {
    EXPECT_EQ(text.kind, "figure");
    EXPECT_FALSE(text.cell);
    EXPECT_GT(text.place.width, 10.0F);
  }
  EXPECT_GT(seen.vertices, 0);
}

TEST_F(FigureView, SetsWordsFromTheirEndOrMiddle) {
  for (const Side side : {Side::left, Side::centre, Side::right}) {
    Figure figure;
    figure.words = {words_at({10.0F, -20.0F}, "attention", side)};
    const Seen seen = draw(figure);
    ASSERT_EQ(seen.texts.size(), 1U);
    const Rect& place = seen.texts[0].place;
    const float anchor = side == Side::left     ? place.x
                         : side == Side::centre ? place.centre().x
                                                : place.right();
    EXPECT_NEAR(anchor, middle.x + 10.0F, 0.01F);
    EXPECT_NEAR(place.centre().y, middle.y - 20.0F, 0.01F);
    // What was drawn is where it says it is, but for the overhang of a letter.
    EXPECT_TRUE(seen.drawn.x > place.x - 3.0F && seen.drawn.right() < place.right() + 3.0F);
  }
}

TEST_F(FigureView, WritesNothingOutsideTheViewport) {
  Figure figure;
  figure.words = {words_at({-1000.0F, 0.0F}, "left"), words_at({1000.0F, 0.0F}, "right"),
                  words_at({0.0F, -1000.0F}, "above"), words_at({0.0F, 1000.0F}, "below"),
                  words_at({0.0F, 0.0F}, "here")};
  stage::Bar bar;
  bar.place = {900.0F, 0.0F, 50.0F, 10.0F};
  figure.bars = {bar};
  const Seen seen = draw(figure);
  ASSERT_EQ(seen.texts.size(), 1U);
  EXPECT_EQ(seen.texts[0].text, "here");
  EXPECT_TRUE(seen.drawn.overlaps(viewport));
  EXPECT_LT(seen.drawn.right(), viewport.right());
}

TEST_F(FigureView, LeavesOutWordsTooSmallToRead) {
  Figure figure;
  figure.words = {words_at({0.0F, 0.0F}, "small"), words_at({0.0F, 20.0F}, "")};
  EXPECT_TRUE(draw(figure, {{0.0F, 0.0F}, 0.3F}).texts.empty());
  EXPECT_EQ(draw(figure, {{0.0F, 0.0F}, 0.9F}).texts.size(), 1U);
}

TEST_F(FigureView, GrowsWithTheCameraUpToAPoint) {
  Figure figure;
  figure.words = {words_at({0.0F, 0.0F}, "attention")};
  const auto width = [&](float zoom) {
    return draw(figure, {{0.0F, 0.0F}, zoom}).texts.at(0).place.width;
  };
  EXPECT_LT(width(0.8F), width(1.0F));
  EXPECT_LT(width(1.0F), width(1.25F));
  EXPECT_EQ(width(1.25F), width(8.0F));
}

// A bar's length means a number: it is drawn as long as it is.
TEST_F(FigureView, DrawsBarsWhereTheyAre) {
  Figure figure;
  stage::Bar bar;
  bar.place = {-30.0F, -5.0F, 60.0F, 10.0F};
  bar.head = 2;
  figure.bars = {bar};
  for (const float zoom : {0.5F, 1.0F, 2.0F}) {
    const Seen seen = draw(figure, {{0.0F, 0.0F}, zoom});
    // Anti-aliasing may add a pixel on each side.
    EXPECT_NEAR(seen.drawn.width, 60.0F * zoom, 2.5F);
    EXPECT_NEAR(seen.drawn.height, 10.0F * zoom, 2.5F);
    EXPECT_NEAR(seen.drawn.centre().x, middle.x, 0.6F);
    EXPECT_NEAR(seen.drawn.centre().y, middle.y, 0.6F);
    EXPECT_TRUE(has(seen, packed(light_theme().head(2))));
  }
}

TEST_F(FigureView, GivesEveryToneItsColour) {
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    const auto in = [&](Tone tone) {
      Figure figure;
      figure.words = {words_at({0.0F, 0.0F}, "attention")};
      figure.words[0].tone = tone;
      figure.words[0].head = 3;
      return draw(figure, straight, *theme);
    };
    EXPECT_TRUE(has(in(Tone::text), packed(theme->text)));
    EXPECT_TRUE(has(in(Tone::strong), packed(theme->text)));
    EXPECT_TRUE(has(in(Tone::quiet), packed(theme->quiet)));
    EXPECT_TRUE(has(in(Tone::accent), packed(theme->accent)));
    EXPECT_TRUE(has(in(Tone::head), packed(theme->head(3))));
    EXPECT_TRUE(has(in(Tone::wrong), packed(theme->wrong)));
  }
}

TEST_F(FigureView, DrawsStrokesOfEveryKind) {
  for (const bool arrow : {false, true}) {
    for (const int kind : {0, 1, 2}) {
      stage::Stroke stroke;
      stroke.points = {{-50.0F, 0.0F}, {-20.0F, 20.0F}, {20.0F, -20.0F}, {50.0F, 0.0F}};
      stroke.arrow = arrow;
      stroke.curved = kind == 1;
      stroke.dashed = kind == 2;
      Figure figure;
      figure.strokes = {stroke};
      const Seen seen = draw(figure);
      EXPECT_GT(seen.vertices, 4);
      EXPECT_NEAR(seen.drawn.x, middle.x - 50.0F, 4.0F);
      EXPECT_NEAR(seen.drawn.right(), middle.x + 50.0F, 4.0F);
    }
  }
  // One point is no line, and a line of no length has no dashes.
  Figure figure;
  stage::Stroke stroke;
  stroke.points = {{0.0F, 0.0F}};
  figure.strokes = {stroke};
  EXPECT_EQ(draw(figure).vertices, 0);
  stroke.points = {{0.0F, 0.0F}, {0.0F, 0.0F}};
  stroke.dashed = true;
  figure.strokes = {stroke};
  EXPECT_EQ(draw(figure).vertices, 0);
}

TEST_F(FigureView, DrawsPatchesInTheirOwnColour) {
  stage::Patch patch;
  patch.place = {-10.0F, -10.0F, 20.0F, 20.0F};
  patch.red = 200;
  patch.green = 100;
  patch.blue = 51;
  Figure figure;
  figure.patches = {patch};
  EXPECT_TRUE(has(draw(figure), IM_COL32(200, 100, 51, 255)));
}

}  // namespace
}  // namespace draw
