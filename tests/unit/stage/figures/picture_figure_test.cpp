#include "stage/figures/step_figures.hpp"

#include "stage/figures/figure_scenes.hpp"

namespace stage {
namespace {

using model::TensorId;

const FigureScene& patches() {
  static const FigureScene scene(
      document::computed(document::fresh(lesson::ExampleId::image_patches, 0)));
  return scene;
}

MadeFigure made_in(lesson::StepId step, const Rect& place) {
  document::ViewState view_state;
  view_state.attention = patches().attention().id;
  view_state.step = step;
  view_state.query = 8;
  view_state.head = 1;
  return make_figure(patches(), view_state, place, put_picture);
}

TEST(PictureFigure, IsThereForPatchesOnly) {
  EXPECT_TRUE(has_picture(patches().input({})));
  static const FigureScene words(
      document::computed(document::fresh(lesson::ExampleId::lazy_dog, 0)));
  EXPECT_FALSE(has_picture(words.input({})));
}

TEST(PictureFigure, StaysInItsPlace) {
  for (const Rect& place : figure_places) {
    const MadeFigure made = made_in(lesson::StepId::softmax, place);
    const Figure& figure = made.figure();
    for (const Patch& patch : figure.patches) EXPECT_TRUE(inside(patch.place, figure.bounds, 0.5F));
    for (const Words& words : figure.words)
      EXPECT_TRUE(inside(place_of(words), figure.bounds, 0.5F)) << words.text;
  }
}

TEST(PictureFigure, EveryPixelIsThePictures) {
  const MadeFigure made = made_in(lesson::StepId::input, figure_places[0]);
  const lesson::Picture& picture = *patches().computed.picture;
  ASSERT_EQ(made.figure().patches.size() * 3, picture.rgb.size());
  for (std::size_t i = 0; i < made.figure().patches.size(); ++i) {
    const Patch& patch = made.figure().patches[i];
    EXPECT_EQ(patch.red, picture.rgb[i * 3]);
    EXPECT_EQ(patch.green, picture.rgb[i * 3 + 1]);
    EXPECT_EQ(patch.blue, picture.rgb[i * 3 + 2]);
  }
  EXPECT_TRUE(made.figure().bars.empty());  // no weights yet
}

TEST(PictureFigure, DimsWhatTheQueryDoesNotAttendTo) {
  const MadeFigure made = made_in(lesson::StepId::softmax, figure_places[0]);
  const std::vector<Bar>& bars = made.figure().bars;
  ASSERT_EQ(bars.size(), made.trace().config.key_len);
  float largest = 0.0F;
  for (const Bar& bar : bars) largest = std::max(largest, bar.value);
  for (std::size_t key = 0; key < bars.size(); ++key) {
    const tensor::Index index{0, 1, 8, key};
    EXPECT_EQ(bars[key].cell->index, index);
    EXPECT_EQ(bars[key].value, made.trace()["attention_weights"].at(index));
    EXPECT_EQ(bars[key].tone, Tone::paper);
    EXPECT_NEAR(bars[key].opacity, 0.85F * (1.0F - bars[key].value / largest), 1e-5F);
  }
}

TEST(PictureFigure, APressOnAPatchChoosesIt) {
  const MadeFigure made = made_in(lesson::StepId::softmax, figure_places[0]);
  const Target* target = target_at(made.stage, made.figure().bars[20].place.centre());
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(std::get<document::ChooseQuery>(*target->click).value, 20U);
}

}  // namespace
}  // namespace stage
