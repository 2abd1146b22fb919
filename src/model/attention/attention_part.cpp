#include "model/attention/attention_part.hpp"

#include "model/attention/mask.hpp"
#include "model/attention/rope_frequencies.hpp"
#include "model/roles.hpp"
#include "model/tables/mistaken_rows.hpp"

namespace model {
namespace {

/// The rows that each mistake puts in the place of the right ones, in the order of Mistake.
constexpr std::array<std::span<const Node>, mistake_names.size()> mistaken_rows = {{
    {},
    nodes_of<tables::no_transpose>,
    nodes_of<tables::no_scale>,
    nodes_of<tables::over_queries>,
    nodes_of<tables::mask_after_softmax>,
    nodes_of<tables::zero_mask>,
    nodes_of<tables::keys_not_transposed>,
    nodes_of<tables::unshifted>,
    nodes_of<tables::no_softmax>,
}};

/// The rows without those that need something that is not given: a bias, a mask, a projection.
std::vector<Node> rows_in_use(const std::vector<Node>& rows, const Tensors& given) {
  std::vector<Node> used;
  const auto is_there = [&](TensorId id) { return find(used, id) != nullptr; };
  for (Node row : rows) {
    if (given.has(row.id)) {
      row.operation = &ops::given;
      row.count = 0;
      used.push_back(row);
      continue;
    }
    if (row.operation == &ops::given || !is_there(row.of[0])) continue;
    std::size_t count = 1;
    while (count < row.count && is_there(row.of[count])) ++count;
    row.count = count;
    if (count < row.operation->needs) {  // nothing to compute: the first operand as it is
      row.operation = &ops::same;
      row.count = 1;
    }
    used.push_back(row);
  }
  return used;
}

std::vector<Pin> pins_of(const Overrides& overrides, const Config& config) {
  std::vector<Pin> pins;
  for (const auto& [sample, head, query, weights] : overrides.given_weights) {
    const Tensor row({weights.size()}, weights);
    pins.push_back({roles::weights, {sample, head, query}, row, ops::Rule::given_by_hand});
  }
  for (const std::size_t head : overrides.ablated_heads) {
    for (std::size_t sample = 0; sample < config.batch; ++sample)
      pins.push_back({roles::head_outputs, {sample, head}, Tensor({1}), ops::Rule::ablated});
  }
  return pins;
}

}  // namespace

std::vector<Node> rows_of(const Config& config, Mistake mistake) {
  const auto& table = nodes_of<tables::multi_head_attention>;
  std::vector<Node> rows(table.begin(), table.end());
  if (config.is_grouped()) replace(rows, nodes_of<tables::grouped_query_attention>);
  for (const Node& wrong : mistaken_rows[static_cast<std::size_t>(mistake)]) {
    for (Node& row : rows) {
      if (row.id == wrong.id && row.of[0] == wrong.of[0]) row = wrong;
    }
  }
  if (config.scale.kind == Scale::Kind::none) replace(rows, nodes_of<tables::no_scale>);
  // What stands nearest to the tensor that two of them read comes last: norms before rotations
  // (or the other way round), the cap before the biases.
  const Variants& variants = config.variants;
  using enum Variants::NormPlace;
  if (variants.sink) {
    // Under the mistake mask-with-zero the weights read no mask.
    const std::size_t mask = find(rows, roles::weights)->count > 1 ? 1 : 0;
    replace(rows, nodes_of<tables::attention_sinks>);
    const Node* weights = find(rows, roles::weights);
    rows[static_cast<std::size_t>(weights - rows.data())].count = 2 + mask;
  }
  if (variants.qk_norm && variants.norm_place == rotated_heads)
    put_between(rows, nodes_of<tables::qk_norm>);
  if (variants.rope_base > 0.0F) put_between(rows, nodes_of<tables::rotary_positions>);
  if (variants.qk_norm && variants.norm_place == heads)
    put_between(rows, nodes_of<tables::qk_norm>);
  if (variants.qk_norm && variants.norm_place == all_heads) {
    if (config.is_grouped()) put_between(rows, nodes_of<tables::full_shared_k_norm>);
    put_between(rows, nodes_of<tables::full_qk_norm>);
  }
  if (variants.position_bias != PositionBias::none)
    put_between(rows, nodes_of<tables::relative_positions>);
  if (variants.alibi) put_between(rows, nodes_of<tables::linear_biases>);
  if (variants.softcap > 0.0F) put_between(rows, nodes_of<tables::capped_scores>);
  return rows;
}

/// The numbers that rows of variants need besides tensors.
void set_constants(const Config& config, ops::Constants& constants) {
  const Variants& variants = config.variants;
  if (variants.rope_base > 0.0F) {
    constants.rope_base = variants.rope_base;
    constants.rope_dims = variants.rope_dims;
    constants.rope_neighbours = variants.rope_neighbours;
    constants.rope_factor = attention_factor(variants);
  }
  constants.rms_eps = variants.norm_eps;
  if (variants.softcap > 0.0F) constants.softcap = variants.softcap;
  using enum PositionBias;
  constants.distances = variants.position_bias == t5_look_back ? ops::Distances::t5_look_back
                        : variants.position_bias == shifted_windows
                            ? ops::Distances::shifted_windows
                            : ops::Distances::t5;
  constants.farthest = variants.position_bias_distance;
}

base::Result<Part> attention_part(Tensors given, const Options& options, std::string name) {
  const base::Result<Config> config = check(given, options);
  if (!config) return base::fail(config.error());
  Part part;
  Trace& trace = part.trace;
  trace.name = std::move(name);
  trace.config = *config;
  trace.overrides = options.overrides;
  trace.lengths = lengths_of(*config);
  if (const std::size_t window = config->variants.window; window > 0) {
    const Tensor hides = config->variants.window_both_ways
                             ? window_mask_both_ways(config->query_len, config->key_len, window)
                             : window_mask(config->query_len, config->key_len, window);
    given[roles::mask] = combine_masks(given[roles::mask], hides);
  }
  given[roles::mask] =
      expand_mask(given[roles::mask], trace.lengths.shape_of(model::axes_of(roles::mask)));
  if (config->variants.sink && !given.has("sinks"))
    given["sinks"] = Tensor::full({config->num_heads}, *config->variants.sink);
  const bool scaled = config->variants.rope_scaling.kind != RopeScaling::Kind::none;
  if (config->variants.rope_base > 0.0F && scaled && !given.has("rope_frequencies"))
    given["rope_frequencies"] = rope_frequencies(config->variants, config->rope_dims());
  if (given.has("position_bias_table"))
    trace.lengths[Axis::N] = given["position_bias_table"].dim(0);
  trace.constants.divisor = config->scale.divisor(config->head_dim(), config->key_len);
  set_constants(*config, trace.constants);
  trace.pins = pins_of(options.overrides, *config);

  trace.nodes = rows_in_use(rows_of(*config, options.overrides.mistake), given);
  trace.tensors = std::move(given);
  return part;
}

base::Result<Trace> multi_head_attention(Tensors given, const Options& options) {
  base::Result<Part> part = attention_part(std::move(given), options);
  if (!part) return base::fail(part.error());
  return std::move(compute({*std::move(part)}).front());
}

}  // namespace model
