// 1, 2, 3, … in memory order: where a number ends up says where it came from.
#include <array>

#include "lesson/examples/examples.hpp"

namespace lesson {
namespace {

// As many as the reader may type elsewhere; a float counts without gaps up to 2^24 = 512 × 32768.
constexpr LengthRange length{.length = 9, .smallest = 1, .largest = 64};

constexpr std::array variants = {Variant{"counting", "no weights", false, length}};

constexpr SizeRange sizes{.embed_dim = 512,
                          .smallest_embed_dim = 2,
                          .largest_embed_dim = 512,
                          .num_heads = 8,
                          .largest_num_heads = 16};

/// "1st", "2nd", … of a number below 111, where the teens begin again.
std::string ordinal(std::size_t number) {
  const bool teen = number > 10 && number < 14;
  const std::size_t digit = teen ? 0 : number % 10;
  const char* const ending = digit == 1 ? "st" : digit == 2 ? "nd" : digit == 3 ? "rd" : "th";
  return std::to_string(number) + ending;
}

}  // namespace

Example counting() {
  return {
      .id = ExampleId::counting,
      .name = "counting",
      .title = "1, 2, 3, …",
      .description = "The numbers 1, 2, 3, … in their order: every reshape can be checked by eye.",
      .variants = variants,
      .has_sizes = true,
      .sizes = sizes,
  };
}

base::Result<Problem> make_counting(const Parameters& parameters) {
  Problem problem;
  problem.source.tokens.emplace_back();
  for (std::size_t token = 1; token <= parameters.source_len; ++token)
    problem.source.tokens.front().push_back(ordinal(token));
  problem.source.lengths = {parameters.source_len};
  problem.source.embedding = tensor::Tensor({1, parameters.source_len, parameters.embed_dim});
  float* const cell = problem.source.embedding.mutable_data();
  for (std::size_t i = 0; i < problem.source.embedding.size(); ++i)
    cell[i] = static_cast<float>(i + 1);
  problem.note =
      "The numbers grow from token to token, so the last token gets most of the weight. Look at "
      "where each number goes, not at how large it is.";
  return problem;
}

}  // namespace lesson
