// Three words with four hand-made numbers each, small enough to follow with pencil and paper.
#include <array>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/random.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

enum class Kind : unsigned char { plain, scaled, projected };

constexpr LengthRange length{.length = 3, .smallest = 1, .largest = 3};

constexpr std::array variants = {
    Variant{"plain", false, length},
    Variant{"scaled", false, length},
    Variant{"projected", true, length},
};

constexpr SizeRange sizes{.embed_dim = 4,
                          .num_heads = 1,
                          .largest_num_heads = 4,
                          .embed_dim_reason_key = "lesson.example.pool-beats-badminton.embed_dim"};

constexpr std::array<float, 12> embedding = {0.5F, 0.1F, 0.1F, 0.2F,   // pool
                                             0.1F, 0.5F, 0.2F, 0.1F,   // beats
                                             0.5F, 0.1F, 0.2F, 0.1F};  // badminton

base::Result<Problem> make(const Parameters& parameters) {
  const auto kind = static_cast<Kind>(parameters.variant);

  Problem problem;
  problem.source = given_sequence({"pool", "beats", "badminton"}, embedding, parameters.source_len);
  problem.options.scale.kind =
      kind == Kind::plain ? model::Scale::Kind::none : model::Scale::Kind::sqrt_head_dim;
  if (kind == Kind::projected) {
    problem.weights = random_weights(parameters, 2, false, "attention");
    problem.random = true;
    problem.note = base::text("lesson.note.random_weights", {{"seed", parameters.seed}});
  }
  return problem;
}

}  // namespace

Example pool_beats_badminton() {
  return {
      .id = ExampleId::pool_beats_badminton,
      .name = "pool-beats-badminton",
      .variants = variants,
      .make = make,
      .has_seed = true,
      .has_sizes = true,
      .sizes = sizes,
  };
}

}  // namespace lesson
