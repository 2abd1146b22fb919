// A picture cut into patches: attention needs no words, only a row of numbers for each token.
#include <array>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/patches.hpp"

namespace lesson {
namespace {

constexpr LengthRange length{.length = picture_patches,
                             .smallest = picture_patches,
                             .largest = picture_patches,
                             .reason_key = "lesson.example.image-patches.length"};
static_assert(picture_patches == 36);

constexpr std::array variants = {Variant{"patches", false, length}};

constexpr SizeRange sizes{.embed_dim = patch_numbers,
                          .num_heads = 3,
                          .largest_num_heads = 6,
                          .embed_dim_reason_key = "lesson.example.image-patches.embed_dim"};
static_assert(patch_numbers == 48);

base::Result<Problem> make(const Parameters& parameters) {
  auto picture = picture_of(parameters.picture.empty() ? landscape() : parameters.picture);
  if (!picture) return base::fail(picture.error());

  Problem problem;
  problem.source.tokens = {patch_names(*picture)};
  problem.source.lengths = {picture_patches};
  problem.source.embedding = patches_of(*picture);
  problem.picture = *std::move(picture);
  problem.note = base::text("lesson.example.image-patches.note");
  return problem;
}

}  // namespace

Example image_patches() {
  return {
      .id = ExampleId::image_patches,
      .name = "image-patches",
      .variants = variants,
      .make = make,
      .has_sizes = true,
      .has_picture = true,
      .sizes = sizes,
      .query = 20,  // the wall of the house
  };
}

}  // namespace lesson
