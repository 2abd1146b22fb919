// Two heads that each read one section of the embedding: one sees gender only, the other number
// only.
#include <array>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

constexpr LengthRange length{.length = 8, .smallest = 1, .largest = 8};

constexpr std::array variants = {Variant{"sections", false, length}};

constexpr std::size_t embed_dim = 6;
constexpr SizeRange sizes{.embed_dim = embed_dim,
                          .num_heads = 2,
                          .largest_num_heads = 2,
                          .embed_dim_reason_key = "lesson.example.gender-and-number.embed_dim"};

// male, female, neuter | singular, plural, pronoun
constexpr std::array<float, 48> embedding = {1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F,   // king
                                             0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F,   // queen
                                             0.9F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F,   // boys
                                             0.0F, 0.9F, 0.0F, 0.0F, 1.0F, 0.0F,   // girls
                                             0.0F, 0.0F, 1.0F, 0.9F, 0.0F, 0.0F,   // house
                                             0.0F, 0.0F, 1.0F, 0.0F, 0.9F, 0.0F,   // books
                                             0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 1.0F,   // she
                                             0.0F, 0.0F, 0.9F, 1.0F, 0.0F, 1.0F};  // it

/// [E,E] with `number` on the diagonal, but for the last dimension, which gets `last`.
tensor::Tensor diagonal(float number, float last) {
  tensor::Tensor weight({embed_dim, embed_dim});
  float* const cell = weight.mutable_data();
  for (std::size_t i = 0; i < embed_dim; ++i)
    cell[i * embed_dim + i] = i + 1 < embed_dim ? number : last;
  return weight;
}

base::Result<Problem> make(const Parameters& parameters) {
  Problem problem;
  problem.source = given_sequence(words("king queen boys girls house books she it"), embedding,
                                  parameters.source_len);
  // 3 · 3 / √3 = 5.2: a token of the same kind gets e^5.2 = 180 times the weight of another.
  // Queries and keys leave the last dimension out; values take everything as it is.
  problem.weights["q_proj_weight"] = diagonal(3.0F, 0.0F);
  problem.weights["k_proj_weight"] = diagonal(3.0F, 0.0F);
  problem.weights["v_proj_weight"] = diagonal(1.0F, 1.0F);
  for (const char* key :
       {"lesson.feature.male", "lesson.feature.female", "lesson.feature.neuter",
        "lesson.feature.singular", "lesson.feature.plural", "lesson.feature.pronoun"})
    problem.features.emplace_back(base::text(key));
  problem.note = base::text("lesson.example.gender-and-number.note");
  return problem;
}

}  // namespace

Example gender_and_number() {
  return {
      .id = ExampleId::gender_and_number,
      .name = "gender-and-number",
      .variants = variants,
      .make = make,
      .has_sizes = true,
      .sizes = sizes,
      .query = 6,  // she
  };
}

}  // namespace lesson
