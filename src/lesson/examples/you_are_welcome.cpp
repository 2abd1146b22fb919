// A translation small enough to print: one encoder layer, one decoder layer, all three attentions.
#include <array>

#include "lesson/examples/examples.hpp"
#include "lesson/input/random.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

constexpr std::array variants = {Variant{"translation", "English to Spanish", true,
                                         LengthRange{.length = 3, .smallest = 1, .largest = 3},
                                         LengthRange{.length = 2, .smallest = 1, .largest = 2}}};

constexpr std::array masks = {MaskKind::padding, MaskKind::both, MaskKind::padding};

constexpr SizeRange sizes{.embed_dim = 6,
                          .smallest_embed_dim = 2,
                          .largest_embed_dim = 32,
                          .num_heads = 2,
                          .largest_num_heads = 8};
constexpr unsigned decimals = 2;

attention::FeedForward random_feed_forward(std::size_t embed_dim, std::uint32_t seed,
                                           const std::string& name) {
  const std::size_t feed_forward_width = 2 * embed_dim;
  attention::FeedForward result;
  result.linear1_weight = xavier_weight(feed_forward_width, embed_dim, decimals,
                                        Random(seed, name + ".linear1_weight"));
  result.linear1_bias = small_bias(feed_forward_width, Random(seed, name + ".linear1_bias"));
  result.linear2_weight = xavier_weight(embed_dim, feed_forward_width, decimals,
                                        Random(seed, name + ".linear2_weight"));
  result.linear2_bias = small_bias(embed_dim, Random(seed, name + ".linear2_bias"));
  return result;
}

/// As a layer norm starts out before training: it only standardises.
attention::LayerNorm untrained_norm(std::size_t embed_dim) {
  return {attention::Tensor::full({embed_dim}, 1.0F), attention::Tensor({embed_dim})};
}

}  // namespace

const Example& you_are_welcome() {
  static const Example example{
      .id = ExampleId::you_are_welcome,
      .name = "you-are-welcome",
      .title = "You are welcome → De nada",
      .description =
          "A translator in miniature: encoder, decoder and the attention between them, with a "
          "padded "
          "second sample in the batch.",
      .variants = variants,
      .attentions = attentions_of(Arrangement::encoder_decoder),
      .masks = masks,
      .has_seed = true,
      .has_sentence = false,
      .has_sizes = true,
      .sizes = sizes,
  };
  return example;
}

base::Result<Problem> make_you_are_welcome(const Parameters& parameters) {
  const auto chosen = choose_sizes(parameters, sizes, you_are_welcome().name);
  if (!chosen) return tl::unexpected(chosen.error());
  const auto lengths = choose_lengths(parameters, you_are_welcome());
  if (!lengths) return tl::unexpected(lengths.error());
  const std::size_t embed_dim = chosen->embed_dim;
  const std::uint32_t seed = parameters.seed;

  Problem problem;
  problem.arrangement = Arrangement::encoder_decoder;
  problem.source = random_sequence(
      {first_words("You are welcome", lengths->source), words("Thanks")}, embed_dim, seed);
  problem.target =
      random_sequence({first_words("De nada", lengths->target), words("Gracias")}, embed_dim, seed);
  problem.position_encoding = true;
  problem.options.num_heads = chosen->num_heads;
  problem.options.activation = attention::Activation::relu;
  problem.options.norm_first = false;

  attention::EncoderLayer encoder;
  encoder.self_attention =
      random_weights(embed_dim, decimals, true, seed, "encoder.self_attention");
  encoder.feed_forward = random_feed_forward(embed_dim, seed, "encoder.feed_forward");
  encoder.norm1 = untrained_norm(embed_dim);
  encoder.norm2 = untrained_norm(embed_dim);
  problem.encoder = {encoder};

  attention::DecoderLayer decoder;
  decoder.self_attention =
      random_weights(embed_dim, decimals, true, seed, "decoder.self_attention");
  decoder.cross_attention =
      random_weights(embed_dim, decimals, true, seed, "decoder.cross_attention");
  decoder.feed_forward = random_feed_forward(embed_dim, seed, "decoder.feed_forward");
  decoder.norm1 = untrained_norm(embed_dim);
  decoder.norm2 = untrained_norm(embed_dim);
  decoder.norm3 = untrained_norm(embed_dim);
  problem.decoder = {decoder};

  problem.masks.assign(masks.begin(), masks.end());
  problem.note = random_note(seed);
  return problem;
}

}  // namespace lesson
