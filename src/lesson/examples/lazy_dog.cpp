// Words as arrows in a plane: what a dot product, an angle and a weight have to do with each other.
#include <array>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

constexpr LengthRange length{.length = 7, .smallest = 1, .largest = 7};

constexpr std::array variants = {Variant{"arrows", false, length}};

constexpr SizeRange sizes{.embed_dim = 2,
                          .num_heads = 1,
                          .largest_num_heads = 1,
                          .embed_dim_reason_key = "lesson.example.lazy-dog.embed_dim",
                          .num_heads_reason_key = "lesson.example.lazy-dog.num_heads"};

// Like words point alike. "cat" is at a right angle to "over"; "dog" is so long that "cat" and
// "lazy" give it more weight than themselves, though no arrow is closer to them than their own.
constexpr std::array<float, 14> embedding = {-0.3F, -0.4F,  // the
                                             1.6F,  0.8F,   // cat
                                             0.4F,  2.0F,   // jumped
                                             -0.6F, 1.2F,   // over
                                             -0.3F, -0.4F,  // the
                                             1.2F,  -0.9F,  // lazy
                                             2.4F,  0.6F};  // dog

base::Result<Problem> make(const Parameters& parameters) {
  Problem problem;
  problem.source =
      given_sequence(words("the cat jumped over the lazy dog"), embedding, parameters.source_len);
  problem.note = base::text("lesson.example.lazy-dog.note");
  return problem;
}

}  // namespace

Example lazy_dog() {
  return {
      .id = ExampleId::lazy_dog,
      .name = "lazy-dog",
      .variants = variants,
      .make = make,
      .sizes = sizes,
      .query = 1,  // cat
  };
}

}  // namespace lesson
