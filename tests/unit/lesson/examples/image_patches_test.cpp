#include "lesson/examples/examples.hpp"
#include "lesson/forward.hpp"
#include "lesson/input/patches.hpp"

namespace lesson {
namespace {

TEST(ImagePatches, AreThePatchesOfThePicture) {
  const Problem problem = made(ExampleId::image_patches);
  ASSERT_TRUE(problem.picture);
  EXPECT_EQ(problem.picture->rgb, landscape());
  EXPECT_EQ(problem.picture->patches_per_row(), 6U);
  EXPECT_EQ(problem.picture->patches_per_column(), 6U);
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 36, 48}));
  EXPECT_EQ(problem.source.embedding.values(), patches_of(*problem.picture).values());
  EXPECT_EQ(problem.source.tokens.front()[example(ExampleId::image_patches).query], "r3c2");
  EXPECT_EQ(problem.options.num_heads, 3U);
}

// p: the picture's bytes, [24,24,3]
// x = torch.tensor(numpy.round((2 * p - 255) / 255, 2))
// h = x.reshape(6, 4, 6, 4, 3).permute(0, 2, 4, 1, 3).reshape(36, 3, 16).transpose(0, 1)
// torch.softmax(h @ h.transpose(1, 2) / 4, -1)[:, 20]
TEST(ImagePatches, WeightsAreThoseOfPyTorchAndEveryHeadSeesOneColour) {
  const model::Trace trace = forward(made(ExampleId::image_patches));
  const std::vector<float> red = {0.0081F, 0.0081F, 0.0081F, 0.0081F, 0.0573F, 0.0573F,  //
                                  0.0146F, 0.0146F, 0.0146F, 0.0146F, 0.0639F, 0.0639F,  //
                                  0.0266F, 0.0380F, 0.0380F, 0.0266F, 0.0163F, 0.0128F,  //
                                  0.0061F, 0.0609F, 0.1706F, 0.0040F, 0.0009F, 0.0009F,  //
                                  0.0056F, 0.2050F, 0.0405F, 0.0012F, 0.0009F, 0.0009F,  //
                                  0.0018F, 0.0018F, 0.0018F, 0.0018F, 0.0018F, 0.0018F};
  const std::vector<float> blue = {0.0491F, 0.0491F, 0.0491F, 0.0491F, 0.0098F, 0.0098F,  //
                                   0.0491F, 0.0491F, 0.0491F, 0.0491F, 0.0346F, 0.0346F,  //
                                   0.0491F, 0.0133F, 0.0133F, 0.0491F, 0.0338F, 0.0280F,  //
                                   0.0073F, 0.0677F, 0.0708F, 0.0091F, 0.0118F, 0.0118F,  //
                                   0.0093F, 0.0339F, 0.0170F, 0.0110F, 0.0118F, 0.0118F,  //
                                   0.0098F, 0.0098F, 0.0098F, 0.0098F, 0.0098F, 0.0098F};
  expect_near(weights_of(trace, 0, 20), red, 5.1e-5F);
  expect_near(weights_of(trace, 2, 20), blue, 5.1e-5F);
}

/// The whole picture in one colour.
std::vector<std::uint8_t> one_colour(std::uint8_t value) {
  return std::vector<std::uint8_t>(picture_bytes, value);
}

TEST(ImagePatches, ThePictureCanBeTheReadersOwn) {
  Parameters parameters;
  parameters.picture = one_colour(255);
  const Problem problem = made(ExampleId::image_patches, parameters);
  ASSERT_TRUE(problem.picture);
  EXPECT_EQ(problem.picture->rgb, parameters.picture);
  EXPECT_EQ(problem.source.embedding.values(), std::vector<float>(std::size_t{36} * 48, 1.0F));
  EXPECT_EQ(shortest(ExampleId::image_patches, parameters), parameters);
  for (const float weight : weights_of(forward(problem), 0, 0))
    EXPECT_NEAR(weight, 1.0F / 36, 1e-6F);
}

TEST(ImagePatches, OurOwnPictureIsNoChoice) {
  Parameters parameters;
  parameters.picture = landscape();
  EXPECT_EQ(shortest(ExampleId::image_patches, parameters), Parameters{});
}

TEST(ImagePatches, APictureOfAnotherSizeIsRefused) {
  Parameters parameters;
  parameters.picture = {1, 2, 3};
  const auto problem = make_problem(ExampleId::image_patches, parameters);
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().message,
            "The picture has 3 bytes; it must have 1728: 24 × 24 pixels of red, green and blue.");
}

TEST(ImagePatches, OnlyHereIsAPicture) {
  for (const Example& each : examples()) {
    EXPECT_EQ(made(each.id).picture.has_value(), each.has_picture) << each.name;
    EXPECT_EQ(each.has_picture, each.id == ExampleId::image_patches) << each.name;
  }
}

}  // namespace
}  // namespace lesson
