// A sentence at the size of a real Transformer: 9 tokens × 512 numbers, 8 heads.
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/random.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

enum class Kind : unsigned char { self, article, cross };

constexpr LengthRange english{.length = 9, .smallest = 1, .largest = 9};
constexpr LengthRange printed{.length = 9,
                              .smallest = 9,
                              .largest = 9,
                              .reason_key = "lesson.example.anthony-hopkins.length"};
constexpr LengthRange german{.length = 12, .smallest = 1, .largest = 12};

constexpr std::array variants = {
    Variant{"self", true, english},
    Variant{"article", true, printed},
    Variant{"cross", true, english, german},
};

constexpr SizeRange sizes{.embed_dim = 512,
                          .smallest_embed_dim = 64,
                          .largest_embed_dim = 512,
                          .num_heads = 8,
                          .largest_num_heads = 16};
/// At 512: ±0.076 with three decimals: 153 steps, fine enough, and still short enough to read.
constexpr unsigned weight_decimals = 3;

/// One row of weights as an article on this sentence prints it: how much "Michael" looks at each of
/// the nine tokens.
model::GivenWeights printed_weights() {
  return {.sample = 0,
          .head = 0,
          .query = 3,
          .weights = {0.06F, 0.09F, 0.05F, 0.25F, 0.18F, 0.06F, 0.09F, 0.06F, 0.15F}};
}

std::string two_decimals(double value) {
  const long hundredths = std::lround(value * 100.0);
  const std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (digits.size() == 1 ? ".0" : ".") + digits;
}

std::string printed_note(const model::GivenWeights& row, const std::string& word) {
  double sum = 0.0;
  for (const float weight : row.weights) sum += static_cast<double>(weight);
  return base::text("lesson.note.printed",
                    {{"word", word}, {"head", row.head}, {"sum", two_decimals(sum)}});
}

base::Result<Problem> make(const Parameters& parameters) {
  const auto kind = static_cast<Kind>(parameters.variant);
  const std::size_t embed_dim = parameters.embed_dim;
  const std::uint32_t seed = parameters.seed;

  Problem problem;
  problem.arrangement = kind == Kind::cross ? Arrangement::cross : Arrangement::self;
  problem.source =
      random_sequence({first_words("Anthony Hopkins admired Michael Bay as a great director.",
                                   parameters.source_len)},
                      embed_dim, seed);
  if (kind == Kind::cross) {
    problem.target = random_sequence(
        {first_words("Anthony Hopkins hat Michael Bay als einen ganz großen Regisseur bewundert .",
                     parameters.target_len)},
        embed_dim, seed);
  }
  problem.weights = random_weights(parameters, weight_decimals, false, "attention");
  if (kind == Kind::article) {
    const model::GivenWeights row = printed_weights();
    problem.note = printed_note(row, problem.source.tokens[row.sample][row.query]) + ' ';
    problem.given_weights = {row};
  }
  problem.note += random_note(seed);
  problem.random = true;
  return problem;
}

}  // namespace

Example anthony_hopkins() {
  return {
      .id = ExampleId::anthony_hopkins,
      .name = "anthony-hopkins",
      .variants = variants,
      .make = make,
      .has_seed = true,
      .has_sizes = true,
      .sizes = sizes,
      .query = 3,  // Michael, in every variant
  };
}

}  // namespace lesson
