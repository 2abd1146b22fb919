// A picture cut into patches: attention needs no words, only a row of numbers for each token.
#include <array>

#include "lesson/examples/examples.hpp"
#include "lesson/input/patches.hpp"

namespace lesson {
namespace {

constexpr LengthRange length{.length = picture_patches,
                             .smallest = picture_patches,
                             .largest = picture_patches,
                             .reason = "The picture is cut into 6 × 6 = 36 patches."};
static_assert(picture_patches == 36);

constexpr std::array variants = {Variant{"patches", "no weights", false, length}};

constexpr SizeRange sizes{.embed_dim = patch_numbers,
                          .num_heads = 3,
                          .largest_num_heads = 6,
                          .embed_dim_reason = "A patch has 4 × 4 pixels of 3 colours: 48 numbers."};
static_assert(patch_numbers == 48);

base::Result<Problem> make(const Parameters& parameters) {
  auto picture = picture_of(parameters.picture.empty() ? landscape() : parameters.picture);
  if (!picture) return base::fail(picture.error());

  Problem problem;
  problem.source.tokens = {patch_names(*picture)};
  problem.source.lengths = {picture_patches};
  problem.source.embedding = patches_of(*picture);
  problem.picture = *std::move(picture);
  problem.note =
      "r3c2 is the patch in row 3, column 2 of the picture, counted from 0. The vector of a patch "
      "holds the red of its 16 pixels, then the green, then the blue, from −1 (none) to 1 (full).";
  return problem;
}

}  // namespace

Example image_patches() {
  return {
      .id = ExampleId::image_patches,
      .name = "image-patches",
      .title = "a picture in patches",
      .description =
          "A picture cut into 36 patches: each attends to patches like itself, in red, green and "
          "blue.",
      .variants = variants,
      .make = make,
      .has_sizes = true,
      .has_picture = true,
      .sizes = sizes,
      .query = 20,  // the wall of the house
  };
}

}  // namespace lesson
