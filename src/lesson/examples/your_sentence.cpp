// A sentence that the reader types, in any language.
#include <array>

#include "lesson/examples/examples.hpp"
#include "lesson/input/random.hpp"
#include "lesson/input/sequence.hpp"
#include "lesson/input/tokenize.hpp"

namespace lesson {
namespace {

constexpr std::array variants = {
    Variant{"typed", true, LengthRange{.reason_key = "lesson.example.your-sentence.length"}}};

constexpr SizeRange sizes{.embed_dim = 8,
                          .smallest_embed_dim = 2,
                          .largest_embed_dim = 512,
                          .num_heads = 2,
                          .largest_num_heads = 16};
/// What keys and values come from in cross-attention.
std::vector<std::string> other_tokens() {
  return {"an", "owl", "sleeps", "in", "the", "old", "tree"};
}

/// Wide layers have small weights: they need a digit more.
constexpr unsigned weight_decimals(std::size_t embed_dim) { return embed_dim <= 32 ? 2 : 3; }

base::Result<Problem> make(const Parameters& parameters) {
  auto tokens = tokenize(sentence_of(ExampleId::your_sentence, parameters));
  if (!tokens) return base::fail(tokens.error());
  const std::size_t embed_dim = parameters.embed_dim;
  const std::uint32_t seed = parameters.seed;

  Problem problem;
  Sequence typed = random_sequence({std::move(*tokens)}, embed_dim, seed);
  if (parameters.kdim == 0) {
    problem.source = std::move(typed);
  } else {
    problem.arrangement = Arrangement::cross;
    problem.target = std::move(typed);
    problem.source = random_sequence({other_tokens()}, parameters.kdim, seed);
  }
  problem.position_encoding = true;
  problem.num_kv_heads = parameters.num_kv_heads;
  problem.weights = random_weights(parameters, weight_decimals(embed_dim), false, "attention");
  problem.note = random_note(seed);
  problem.random = true;
  return problem;
}

}  // namespace

std::string_view default_sentence() { return "the fox saw the owl before the owl saw the fox"; }

Example your_sentence() {
  return {
      .id = ExampleId::your_sentence,
      .name = "your-sentence",
      .variants = variants,
      .make = make,
      .has_seed = true,
      .has_sentence = true,
      .has_sizes = true,
      .has_kv_heads = true,
      .has_kdim = true,
      .has_attention_variants = true,
      .sizes = sizes,
  };
}

}  // namespace lesson
