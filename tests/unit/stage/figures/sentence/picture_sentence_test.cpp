// The step "sentence" of a picture: pixels, weights and rows against the trace.
#include <algorithm>
#include <cmath>

#include "stage/figures/contributions.hpp"
#include "stage/figures/figure_scenes.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/figures/step_figures.hpp"

namespace stage {
namespace {

constexpr std::size_t query = 20;
constexpr std::size_t pixels = 16;  // of a patch

const FigureScene& pictured() {
  static const FigureScene scene(
      document::computed(document::fresh(lesson::ExampleId::image_patches, 0)));
  return scene;
}

MadeFigure made_at(float progress, const Rect& place) {
  document::ViewState view_state;
  view_state.attention = pictured().attention().id;
  view_state.step = lesson::StepId::sentence;
  view_state.query = query;
  view_state.head = 1;
  view_state.progress = progress;
  return make_figure(pictured(), view_state, place, put_picture_sentence);
}

std::size_t pixels_of_picture() { return pictured().computed.picture->rgb.size() / 3; }

unsigned char byte_of(float number) {
  return static_cast<unsigned char>(std::lround((number + 1.0F) * 127.5F));
}

TEST(PictureSentence, StaysInItsPlace) {
  for (const Rect& place : figure_places) {
    for (const float progress : {0.0F, 0.6F, 1.0F}) {
      const MadeFigure made = made_at(progress, place);
      const Figure& figure = made.figure();
      for (const Patch& patch : figure.patches)
        EXPECT_TRUE(inside(patch.place, figure.bounds, 0.5F));
      for (const Words& words : figure.words)
        EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F)) << words.text;
    }
  }
}

TEST(PictureSentence, ThePatchBeforeIsThePicturesAndThePatchAfterTheMergedRow) {
  const MadeFigure made = made_at(1.0F, figure_places[0]);
  const lesson::Picture& picture = *pictured().computed.picture;
  const std::vector<Patch>& patches = made.figure().patches;
  ASSERT_EQ(patches.size(), pixels_of_picture() + 2 * pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const std::size_t y = query / picture.patches_per_row() * picture.patch_size + i / 4;
    const std::size_t x = query % picture.patches_per_row() * picture.patch_size + i % 4;
    const Patch& before = patches[pixels_of_picture() + i];
    const Patch& after = patches[pixels_of_picture() + pixels + i];
    // Numbers of the input are rounded to two decimals, so bytes differ by up to 1.
    EXPECT_NEAR(before.red, picture.rgb[(y * picture.width + x) * 3], 1);
    EXPECT_NEAR(before.green, picture.rgb[(y * picture.width + x) * 3 + 1], 1);
    EXPECT_NEAR(before.blue, picture.rgb[(y * picture.width + x) * 3 + 2], 1);
    const tensor::Tensor& merged = made.trace()["merged"];
    EXPECT_EQ(after.red, byte_of(merged.at({0, query, i})));
    EXPECT_EQ(after.green, byte_of(merged.at({0, query, i + pixels})));
    EXPECT_EQ(after.blue, byte_of(merged.at({0, query, i + 2 * pixels})));
  }
}

/// The sentence of a figure that begins with these words, or "".
std::string said_from(const Figure& figure, const std::string& beginning) {
  for (const Words& words : figure.words)
    if (words.text.rfind(beginning, 0) == 0) return words.text;
  return "";
}

TEST(PictureSentence, NumbersThatNoPixelCanShowAreCounted) {
  const std::string beginning = "Beyond −1 … 1";
  const Rect place{0.0F, 0.0F, 1000.0F, 560.0F};  // with room for sentences
  EXPECT_EQ(said_from(made_at(1.0F, place).figure(), beginning), "");
  document::Configuration configuration = document::fresh(lesson::ExampleId::image_patches, 0);
  for (const auto& [column, number] : {std::pair{0, 1.5F}, {1, -2.0F}}) {
    const tensor::Index index{0, query, static_cast<std::size_t>(column)};
    configuration.edits.push_back({{pictured().attention().id, "query_input", index}, number});
  }
  const FigureScene scene(document::computed(configuration));
  document::ViewState view_state;
  view_state.attention = pictured().attention().id;
  view_state.step = lesson::StepId::sentence;
  view_state.query = query;
  view_state.progress = 0.0F;  // nothing after it yet
  const MadeFigure made = make_figure(scene, view_state, place, put_picture_sentence);
  const std::string said = said_from(made.figure(), beginning);
  EXPECT_NE(said.find(": 2 of"), std::string::npos) << said;
  const auto* patch = &made.figure().patches[pixels_of_picture()];
  EXPECT_EQ(patch[0].red, 255);
  EXPECT_EQ(patch[1].red, 0);
}

TEST(PictureSentence, ThePatchAfterIsTheSumOverThePatchesThatHaveArrived) {
  EXPECT_EQ(made_at(0.2F, figure_places[0]).figure().patches.size(), pixels_of_picture() + pixels);
  const float progress = 0.7F;
  const MadeFigure made = made_at(progress, figure_places[0]);
  const std::size_t here = sentence::arrived(progress, made.trace().config.key_len);
  ASSERT_GT(here, 0U);
  ASSERT_LT(here, made.trace().config.key_len);
  for (std::size_t head = 0; head < 3; ++head) {
    const tensor::Tensor sums = running_sums(made.trace(), 0, head, query);
    for (std::size_t i = 0; i < pixels; ++i) {
      const Patch& after = made.figure().patches[pixels_of_picture() + pixels + i];
      const unsigned char byte = head == 0 ? after.red : head == 1 ? after.green : after.blue;
      EXPECT_EQ(byte, byte_of(sums.at({here - 1, i})));
    }
  }
}

TEST(PictureSentence, EveryWeightIsTheTracesAndWidensItsArc) {
  const MadeFigure made = made_at(1.0F, figure_places[0]);
  const tensor::Tensor& weights = made.trace()["attention_weights"];
  std::size_t counted = 0;
  for (const Bar& bar : made.figure().bars) {
    if (!bar.cell) continue;
    ++counted;
    EXPECT_EQ(bar.value, weights.at(bar.cell->index));
  }
  EXPECT_EQ(counted, made.trace().config.key_len);
  // Every arc ends at its key's patch, which it was drawn for.
  std::size_t arcs = 0;
  float unit = 0.0F;  // the width of an arc of weight 1
  for (const Stroke& stroke : made.figure().strokes) {
    if (stroke.points.size() < 6) continue;
    ++arcs;
    const auto key = std::find_if(
        made.figure().bars.begin(), made.figure().bars.end(),
        [&](const Bar& bar) { return bar.cell && bar.place.contains(stroke.points.back()); });
    ASSERT_NE(key, made.figure().bars.end());
    if (unit == 0.0F) unit = stroke.width / key->value;
    EXPECT_NEAR(stroke.width, unit * key->value, 1e-3F);
  }
  EXPECT_GT(arcs, 3U);
}

TEST(PictureSentence, APressOnAPatchChoosesIt) {
  const MadeFigure made = made_at(1.0F, figure_places[0]);
  const Target* target = target_at(made.stage, made.figure().bars[8].place.centre());
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(std::get<document::ChooseQuery>(*target->click).value, 8U);
}

}  // namespace
}  // namespace stage
