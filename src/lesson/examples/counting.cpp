// The numbers 1, 2, 3, … in memory order, so that each number shows where it came from.
#include <array>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"

namespace lesson {
namespace {

// As many as the reader may type elsewhere; a float counts without gaps up to 2^24 = 512 × 32768.
constexpr LengthRange few{.length = 3, .smallest = 1, .largest = 64};
constexpr LengthRange many{.length = 9, .smallest = 1, .largest = 64};

constexpr SizeRange small{.embed_dim = 6,
                          .smallest_embed_dim = 2,
                          .largest_embed_dim = 512,
                          .num_heads = 2,
                          .largest_num_heads = 16};
/// As in the original Transformer.
constexpr SizeRange large{.embed_dim = 512,
                          .smallest_embed_dim = 2,
                          .largest_embed_dim = 512,
                          .num_heads = 8,
                          .largest_num_heads = 16};

constexpr std::array variants = {Variant{"small", false, few, {}, &small},
                                 Variant{"counting", false, many, {}, &large}};

base::Result<Problem> make(const Parameters& parameters) {
  Problem problem;
  problem.source.tokens.emplace_back();
  for (std::size_t token = 0; token < parameters.source_len; ++token)
    problem.source.tokens.front().push_back("t" + std::to_string(token));
  problem.source.lengths = {parameters.source_len};
  problem.source.embedding = tensor::Tensor({1, parameters.source_len, parameters.embed_dim});
  float* const cell = problem.source.embedding.mutable_data();
  for (std::size_t i = 0; i < problem.source.embedding.size(); ++i)
    cell[i] = static_cast<float>(i + 1);
  problem.note = base::text("lesson.example.counting.note");
  return problem;
}

}  // namespace

Example counting() {
  return {
      .id = ExampleId::counting,
      .name = "counting",
      .variants = variants,
      .make = make,
      .has_sizes = true,
      .sizes = small,
  };
}

}  // namespace lesson
