#include "draw/export/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "draw/headless.hpp"
#include "special_floats.hpp"

namespace draw {
namespace {

/// A stage with one matrix under its caption.
stage::Stage stage_with(const tensor::Tensor& matrix, const stage::Rect& cells) {
  stage::Stage stage;
  stage::Block block;
  block.tensor = "scores";
  block.matrix = matrix;
  block.cells = cells;
  block.range = 2.0F;
  block.head = 1;
  stage.blocks.push_back(block);
  stage::Group group;
  group.title = "scores, head 2";
  group.shape = "[Lq 2, Lk 2]";
  group.caption = {10.0F, 0.0F, 200.0F, 40.0F};
  group.block_count = 1;
  stage.groups.push_back(group);
  stage.bounds = {0.0F, 0.0F, cells.right() + 16.0F, cells.bottom() + 16.0F};
  return stage;
}

/// What svg_of makes of a stage.
base::Result<std::string> svg_of_stage(const stage::Stage& stage, const Theme& theme) {
  const Headless headless;
  Scene scene;
  scene.stage = &stage;
  scene.viewport = {0.0F, 0.0F, stage.bounds.width, stage.bounds.height};
  scene.camera = {stage.bounds.centre(), 1.0F};
  const model::Trace trace;
  scene.trace = &trace;
  scene.query = 1000;
  return svg_of(scene, theme, headless.type);
}

stage::Stage small_stage() {
  return stage_with(tensor::Tensor({2, 2}, {1.0F, -0.5F, 0.0F, -infinity}),
                    {10.0F, 60.0F, 100.0F, 64.0F});
}

std::size_t count_of(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

/// Every tag is closed in order, every mark of the text escaped: what an XML reader insists on.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::string entity = xml.substr(at, xml.find(';', at) - at + 1);
      EXPECT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;")
          << entity;
    }
    EXPECT_NE(xml[at], '>') << xml.substr(0, at);
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag;
    EXPECT_EQ(count_of(tag, "\"") % 2, 0U) << tag;
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  EXPECT_TRUE(open.empty());
}

TEST(XmlText, EscapesMarksAndReplacesWhatXmlCannotHave) {
  EXPECT_EQ(xml_text("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(xml_text("你好 Ж ü 😀"), "你好 Ж ü 😀");
  EXPECT_EQ(xml_text("a\nb\x01"), "a\uFFFDb\uFFFD");
  EXPECT_EQ(xml_text("\xff\xc3"), "\uFFFD\uFFFD");
  EXPECT_EQ(xml_text("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // half a surrogate pair
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), "\uFFFD\uFFFD\uFFFD");  // U+FFFF
  EXPECT_EQ(xml_text("\xc0\xaf"), "\uFFFD\uFFFD");            // a slash, written too long
}

TEST(Svg, ShowsCaptionCellsAndNumbers) {
  const auto svg = svg_of_stage(small_stage(), light_theme());
  ASSERT_TRUE(svg);
  expect_well_formed(*svg);
  EXPECT_TRUE(svg->starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"126\""));
  for (const char* part : {"<title>scores, head 2</title>", ">[Lq 2, Lk 2]<", ">1.000<", ">−0.500<",
                           ">0.000<", ">−∞<", "url(#hidden)", "<title>-0.5</title>"}) {
    EXPECT_NE(svg->find(part), std::string::npos) << part;
  }
  EXPECT_EQ(svg->find("script"), std::string::npos);
  EXPECT_EQ(count_of(*svg, "<rect"), 2U + 1U + 4U);  // pattern, page, cells
  EXPECT_GE(count_of(*svg, "<path"), 2U);            // the head's bar, the frame
}

TEST(Svg, HasTheColoursOfTheTheme) {
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    const auto svg = svg_of_stage(small_stage(), *theme);
    ASSERT_TRUE(svg);
    const Rgb half = cell_colour(*theme, stage::Colouring::diverging, 2.0F, 1.0F);
    for (const Rgb rgb : {theme->page, theme->head(1), half}) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "#%02x%02x%02x",
                    static_cast<unsigned>(std::lround(rgb.red * 255.0F)),
                    static_cast<unsigned>(std::lround(rgb.green * 255.0F)),
                    static_cast<unsigned>(std::lround(rgb.blue * 255.0F)));
      EXPECT_NE(svg->find(hex), std::string::npos) << hex;
    }
  }
}

TEST(Svg, LabelsMayBeAnything) {
  stage::Stage stage = small_stage();
  stage.blocks[0].cells.x = 70.0F;  // with room for them
  stage.bounds.width += 60.0F;
  stage.blocks[0].show_row_labels = true;
  stage.blocks[0].row_labels = std::vector<std::string>{"<b>&\"'", "]]>\x02"};
  stage.blocks[0].column_labels = std::vector<std::string>{"</svg>", "\xff"};
  const auto svg = svg_of_stage(stage, dark_theme());
  ASSERT_TRUE(svg);
  expect_well_formed(*svg);
  EXPECT_NE(svg->find("&lt;b&gt;&amp;&quot;'"), std::string::npos);
}

TEST(Svg, ShowsFiguresAndWhatTravelsOverAll) {
  stage::Stage stage = small_stage();
  stage::Figure figure;
  stage::Words words;
  words.at = {20.0F, 50.0F};
  words.text = "0.25 × v";
  figure.words.push_back(words);
  stage::Stroke stroke;
  stroke.points = {{0.0F, 0.0F}, {40.0F, 20.0F}};
  figure.strokes.push_back(stroke);
  stage.figures.push_back(figure);
  stage::Block piece = stage.blocks[0];
  piece.piece = true;
  piece.matrix = tensor::Tensor({1, 1}, {0.25F});
  piece.cells = {30.0F, 70.0F, 50.0F, 32.0F};
  stage.blocks.push_back(piece);
  stage.first_piece = 1;
  stage.blocks[0].shown = 2;  // the others are still blank
  const auto svg = svg_of_stage(stage, light_theme());
  ASSERT_TRUE(svg);
  expect_well_formed(*svg);
  EXPECT_NE(svg->find(">0.25 × v</text>"), std::string::npos);
  EXPECT_EQ(svg->find("url(#hidden)"), std::string::npos);
  EXPECT_EQ(svg->find(">0.000<"), std::string::npos);
  const std::size_t resting = svg->find("<title>1</title>");
  const std::size_t travelling = svg->find("<title>0.25</title>");
  ASSERT_NE(resting, std::string::npos);
  ASSERT_NE(travelling, std::string::npos);
  EXPECT_LT(resting, travelling);
  EXPECT_LT(svg->find(">−0.500<"), travelling);
  EXPECT_LT(travelling, svg->find(">0.250<"));
}

TEST(Svg, OfManyCellsHasNoNumbersAndOfTooManyIsNone) {
  const auto wide =
      svg_of_stage(stage_with(tensor::Tensor({9, 512}), {0, 50, 1000, 400}), light_theme());
  ASSERT_TRUE(wide);
  expect_well_formed(*wide);
  EXPECT_EQ(count_of(*wide, "<text"), 2U);
  EXPECT_EQ(count_of(*wide, "<title"), 1U);
  const auto huge =
      svg_of_stage(stage_with(tensor::Tensor({512, 512}), {0, 50, 1000, 1000}), light_theme());
  ASSERT_FALSE(huge);
  EXPECT_NE(huge.error().message.find("262144 cells"), std::string::npos);
}

}  // namespace
}  // namespace draw
