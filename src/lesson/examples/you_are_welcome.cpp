// A translation small enough to print: one encoder layer, one decoder layer, all three attentions.
#include <algorithm>
#include <array>

#include "lesson/examples/examples.hpp"
#include "lesson/input/random.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

constexpr std::array variants = {Variant{"translation", true,
                                         LengthRange{.length = 3, .smallest = 1, .largest = 3},
                                         LengthRange{.length = 2, .smallest = 1, .largest = 2}}};

constexpr std::array masks = {MaskKind::padding, MaskKind::both, MaskKind::padding};

constexpr SizeRange sizes{.embed_dim = 6,
                          .smallest_embed_dim = 2,
                          .largest_embed_dim = 32,
                          .num_heads = 2,
                          .largest_num_heads = 8};
constexpr unsigned decimals = 2;

/// The weights of a layer apart from its attentions, as in its table. The norms have their initial
/// weights, 1 and 0.
model::Tensors random_layer(std::span<const model::Row> table, std::size_t embed_dim,
                            std::uint32_t seed, const std::string& name) {
  ops::Lengths lengths;
  lengths[ops::Axis::E] = embed_dim;
  lengths[ops::Axis::F] = 2 * embed_dim;
  model::Tensors weights;
  for (const model::Row& row : table) {
    if (row.operation != &ops::given || row.axes.has(ops::Axis::B)) continue;
    const tensor::Shape shape = lengths.shape_of(row.axes);
    const bool is_weight = row.name.ends_with(".weight");
    std::string draws = name + "." + std::string(row.name);
    std::replace(draws.begin() + static_cast<std::ptrdiff_t>(name.size()) + 1, draws.end(), '.',
                 '_');
    tensor::Tensor& tensor = weights[*model::tensor_named(row.name)];
    if (row.name.starts_with("norm")) {
      tensor = tensor::Tensor::full(shape, is_weight ? 1.0F : 0.0F);
    } else if (is_weight) {
      tensor = xavier_weight(shape[0], shape[1], decimals, Random(seed, draws));
    } else {
      tensor = small_bias(shape[0], Random(seed, draws));
    }
  }
  return weights;
}

base::Result<Problem> make(const Parameters& parameters) {
  const std::size_t embed_dim = parameters.embed_dim;
  const std::uint32_t seed = parameters.seed;

  Problem problem;
  problem.arrangement = Arrangement::encoder_decoder;
  problem.source = random_sequence(
      {first_words("You are welcome", parameters.source_len), words("Thanks")}, embed_dim, seed);
  problem.target = random_sequence(
      {first_words("De nada", parameters.target_len), words("Gracias")}, embed_dim, seed);
  problem.position_encoding = true;
  problem.options.activation = model::Activation::relu;
  problem.options.norm_first = false;

  model::Layer encoder;
  encoder.self_attention = random_weights(parameters, decimals, true, "encoder.self_attention");
  encoder.weights =
      random_layer(model::tables::encoder_layer, embed_dim, seed, "encoder.feed_forward");
  problem.encoder = {encoder};

  model::Layer decoder;
  decoder.self_attention = random_weights(parameters, decimals, true, "decoder.self_attention");
  decoder.cross_attention = random_weights(parameters, decimals, true, "decoder.cross_attention");
  decoder.weights =
      random_layer(model::tables::decoder_layer, embed_dim, seed, "decoder.feed_forward");
  problem.decoder = {decoder};

  problem.note = random_note(seed);
  problem.random = true;
  return problem;
}

}  // namespace

Example you_are_welcome() {
  return {
      .id = ExampleId::you_are_welcome,
      .name = "you-are-welcome",
      .variants = variants,
      .make = make,
      .attentions = attentions_of(Arrangement::encoder_decoder),
      .masks = masks,
      .has_seed = true,
      .has_sizes = true,
      .sizes = sizes,
  };
}

}  // namespace lesson
