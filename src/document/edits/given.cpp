#include "document/edits/given.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/edits/interventions.hpp"
#include "document/state/text.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"
#include "tensor/tensor.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::Arrangement;
using lesson::AttentionId;
using lesson::MaskKind;
using lesson::Problem;
using lesson::Sequence;
using model::TensorId;
namespace roles = model::roles;
using tensor::Tensor;

namespace {

base::Result<void> check_bounds(std::string_view field, float number, const Bounds& bounds) {
  if (number == 0.0F || (number >= bounds.smallest && number <= bounds.largest)) return {};
  return fail(base::text("document.variants.bounds", {{"field", field},
                                                      {"number", number_text(number)},
                                                      {"smallest", number_text(bounds.smallest)},
                                                      {"largest", number_text(bounds.largest)}}));
}

/// Where an example offers no variants, there are none to choose.
Result<void> check_variants(const Configuration& configuration) {
  const model::Variants& variants = configuration.variants;
  const lesson::Example& example = lesson::example(configuration.example);
  if (variants != model::Variants{} && !example.has_attention_variants)
    return fail(base::text("document.variants.none", {{"example", example.name}}));
  if (auto base = check_bounds("rope", variants.rope_base, rope_bounds); !base) return base;
  const float sink = variants.sink.value_or(0.0F);
  if (!(std::abs(sink) <= largest_value)) {
    return fail(base::text("document.variants.sink", {{"number", number_text(sink)},
                                                      {"smallest", number_text(-largest_value)},
                                                      {"largest", number_text(largest_value)}}));
  }
  return check_bounds("softcap", variants.softcap, softcap_bounds);
}

Tensor mask_of_kind(const Problem& problem, AttentionId id, MaskKind kind) {
  const Sequence& query = query_sequence(problem, id);
  const Sequence& key = key_sequence(problem, id);
  const std::size_t key_len = key.embedding.dim(1);
  Tensor padding;
  Tensor look_ahead;
  if (kind == MaskKind::padding || kind == MaskKind::both) {
    padding = model::padding_mask(key.lengths, key_len);
  }
  if (kind == MaskKind::look_ahead || kind == MaskKind::both) {
    look_ahead = model::look_ahead_mask(query.embedding.dim(1), key_len);
  }
  Tensor window;
  if (const std::size_t width = problem.variants.window; width > 0) {
    const std::size_t query_len = query.embedding.dim(1);
    window = problem.variants.window_both_ways
                 ? model::window_mask_both_ways(query_len, key_len, width)
                 : model::window_mask(query_len, key_len, width);
  }
  return model::combine_masks(model::combine_masks(padding, look_ahead), window);
}

model::Tensors& weights_of(Problem& problem, AttentionId id) {
  const std::size_t layer = layer_of(id);
  const AttentionId kind = kind_of(id);
  if (kind == AttentionId::attention) return problem.weights;
  if (kind == AttentionId::encoder_self_attention) return problem.encoder[layer].self_attention;
  model::Layer& decoder = problem.decoder[layer];
  return kind == AttentionId::cross_attention ? decoder.cross_attention : decoder.self_attention;
}

/// Weights and biases have at most two axes; inputs and masks have more.
bool is_weight(TensorId id) { return model::is_given(id) && model::axes_of(id).rank() <= 2; }

/// `embedding` [B,L,E] with the position encoding added.
Tensor with_positions(const Tensor& embedding) {
  using enum ops::Axis;
  const ops::Operand tokens{embedding, {B, L, E}, {}};
  const ops::Use places{{tokens}, 1, {L, E}, {embedding.dim(1), embedding.dim(2)}, {}};
  const ops::Operand encoding{ops::position.forward(places), {L, E}, {}};
  return ops::add.forward({{tokens, encoding}, 2, {B, L, E}, embedding.shape(), {}});
}

/// The mask with shape [B,1,Lq,Lk] and no repeated cells, so that each can be edited.
Tensor& paintable_mask(Given& given, std::size_t place) {
  const AttentionId id = given.problem.attentions()[place];
  const Tensor& queries = query_sequence(given.problem, id).embedding;
  const Tensor& keys = key_sequence(given.problem, id).embedding;
  const tensor::Shape full{queries.dim(0), 1, queries.dim(1), keys.dim(1)};
  Tensor& mask = given.masks[place];
  if (!mask.defined()) {
    mask = Tensor(full);
  } else if (mask.shape() != full) {
    mask = model::expand_mask(mask, full).clone();
  }
  return mask;
}

/// Copies the overrides into the layers. Those that are not on screen make the mistake, too.
void put_overrides(Given& given) {
  lesson::Problem& problem = given.problem;
  if (problem.arrangement == Arrangement::self || is_cross(problem.arrangement)) return;
  const model::Mistake mistake = given.overrides.front().mistake;
  for (std::vector<model::Layer>* layers : {&problem.encoder, &problem.decoder}) {
    for (model::Layer& layer : *layers)
      layer.self_overrides.mistake = layer.cross_overrides.mistake = mistake;
  }
  const auto all = problem.attentions();
  for (std::size_t place = 0; place < all.size(); ++place) {
    const std::size_t layer = layer_of(all[place]);
    const AttentionId kind = kind_of(all[place]);
    if (kind == AttentionId::encoder_self_attention)
      problem.encoder[layer].self_overrides = given.overrides[place];
    if (kind == AttentionId::decoder_self_attention)
      problem.decoder[layer].self_overrides = given.overrides[place];
    if (kind == AttentionId::cross_attention)
      problem.decoder[layer].cross_overrides = given.overrides[place];
  }
}

/// `key`: the text that says why of a {cell}.
tl::unexpected<base::Error> cannot_edit(std::string_view key, const CellAddress& cell) {
  return fail(base::text(key, {{"cell", describe(cell)}}));
}

Result<Tensor*> input_behind(Given& given, const CellAddress& cell) {
  Problem& problem = given.problem;
  const AttentionId kind = kind_of(cell.attention);
  if (kind == AttentionId::cross_attention || layer_of(cell.attention) > 0) {
    const bool decoder = lesson::has_decoder(problem.arrangement);
    return cannot_edit(decoder ? "document.edit.later_layer" : "document.edit.later_encoder_layer",
                       cell);
  }
  if (cell.tensor == roles::key) return &given.key_input;
  if (cell.tensor == roles::value) return &given.value_input;
  const bool is_embedding = cell.tensor == roles::embedding;
  if (problem.position_encoding && !is_embedding)
    return cannot_edit("document.edit.with_position", cell);
  if (!problem.position_encoding && is_embedding)
    return cannot_edit("document.edit.without_position", cell);
  const bool target = is_cross(problem.arrangement) || kind == AttentionId::decoder_self_attention;
  return target ? &problem.target.embedding : &problem.source.embedding;
}

/// Gives a linear layer without a bias one of zeros, which adds nothing until a cell is edited.
void make_bias(model::Tensors& weights, TensorId bias) {
  constexpr std::array<std::array<TensorId, 2>, 4> biases{
      {{TensorId("q_proj_bias"), TensorId("q_proj_weight")},
       {TensorId("k_proj_bias"), TensorId("k_proj_weight")},
       {TensorId("v_proj_bias"), TensorId("v_proj_weight")},
       {TensorId("out_proj_bias"), TensorId("out_proj_weight")}}};
  for (const auto& [id, weight] : biases) {
    if (id == bias && weights.has(weight)) weights[id] = Tensor({weights[weight].dim(0)});
  }
}

Result<Tensor*> find_tensor(Given& given, const CellAddress& cell) {
  const auto place = place_of(given.problem, cell.attention);
  if (!place) return fail(place.error());
  if (cell.tensor == roles::weights) return cannot_edit("document.edit.weight", cell);
  if (model::operation_of(cell.tensor) == &ops::position)
    return cannot_edit("document.edit.from_position", cell);
  // query_input is computed only where a position is added to it.
  if (!model::is_given(cell.tensor) && cell.tensor != roles::query)
    return cannot_edit("document.edit.computed", cell);
  if (cell.tensor == roles::mask) return &paintable_mask(given, *place);
  if (roles::is_input(cell.tensor)) return input_behind(given, cell);
  Tensor* const weight =
      is_weight(cell.tensor) ? &weights_of(given.problem, cell.attention)[cell.tensor] : nullptr;
  if (weight != nullptr && !weight->defined()) {
    make_bias(weights_of(given.problem, cell.attention), cell.tensor);
  }
  if (weight == nullptr || !weight->defined()) {
    return fail(base::text("document.edit.no_tensor",
                           {{"cell", describe(cell)}, {"tensor", model::name_of(cell.tensor)}}));
  }
  return weight;
}

}  // namespace

const Sequence& query_sequence(const Problem& problem, AttentionId id) {
  const AttentionId kind = kind_of(id);
  const bool target = kind == AttentionId::decoder_self_attention ||
                      kind == AttentionId::cross_attention ||
                      (id == AttentionId::attention && is_cross(problem.arrangement));
  return target ? problem.target : problem.source;
}

const Sequence& key_sequence(const Problem& problem, AttentionId id) {
  return kind_of(id) == AttentionId::decoder_self_attention ? problem.target : problem.source;
}

Result<std::size_t> place_of(const Problem& problem, AttentionId id) {
  const auto all = problem.attentions();
  const auto found = std::find(all.begin(), all.end(), id);
  if (found == all.end()) return no_attention(id, all);
  return static_cast<std::size_t>(found - all.begin());
}

Result<Given> with_choices(const Problem& problem, const Configuration& configuration) {
  Given given{problem, {}, {}, problem.masks, {}, {}};
  if (configuration.scale) {
    const float number = configuration.scale->number;
    const float size = std::abs(number);
    // Negated, so that NaN fails too.
    if (configuration.scale->kind == model::Scale::Kind::number &&
        !(size >= smallest_scale && size <= largest_scale)) {
      return fail(base::text("document.edit.scale", {{"number", number_text(number)}}));
    }
    given.problem.options.scale = *configuration.scale;
  }
  if (const auto checked = check_variants(configuration); !checked) return fail(checked.error());
  given.problem.variants = configuration.variants;
  if (!configuration.variants.sink) {
    given.problem.weights["sinks"] = {};
  } else if (!given.problem.weights.has("sinks")) {
    // Here, so that each can be edited.
    const float sink = *configuration.variants.sink;
    given.problem.weights["sinks"] = Tensor::full({problem.options.num_heads}, sink);
  }
  if (!configuration.variants.qk_norm) {  // those of a file
    given.problem.weights["q_norm_weight"] = {};
    given.problem.weights["k_norm_weight"] = {};
  }
  if (configuration.variants.rope_base == 0.0F) given.problem.weights["rope_frequencies"] = {};
  given.problem.position_encoding =
      configuration.position_encoding.value_or(problem.position_encoding);
  for (const auto& [id, kind] : configuration.masks) {
    const auto place = place_of(problem, id);
    if (!place) return fail(place.error());
    given.mask_kinds[*place] = kind;
  }
  for (std::size_t place = 0; place < given.mask_kinds.size(); ++place) {
    given.masks.push_back(
        mask_of_kind(given.problem, problem.attentions()[place], given.mask_kinds[place]));
    if (given.mask_kinds[place] == problem.masks[place])
      given.masks.back() = model::combine_masks(given.masks.back(), problem.painted_mask);
  }
  auto overrides = overrides_of(problem, configuration);
  if (!overrides) return fail(overrides.error());
  given.overrides = *std::move(overrides);
  put_overrides(given);
  const auto read = [&given](const Tensor& embedding) {
    return given.problem.position_encoding ? with_positions(embedding) : embedding;
  };
  if (is_cross(problem.arrangement)) given.key_input = read(problem.source.embedding);
  if (problem.values.defined()) given.value_input = read(problem.values);
  return given;
}

Result<Tensor*> tensor_behind(Given& given, const CellAddress& cell) {
  auto tensor = find_tensor(given, cell);
  if (!tensor) return tensor;
  const tensor::Shape& shape = (*tensor)->shape();
  if (tensor::contains(shape, cell.index)) return tensor;
  return lies_outside(cell, shape);
}

Result<void> check_value(const Edit& edit) {
  const bool mask = edit.cell.tensor == roles::mask;
  const float largest = mask ? largest_mask_value : largest_value;
  if (std::abs(edit.value) <= largest) return {};  // false for NaN
  if (mask && edit.value == model::hidden) return {};
  return fail(base::text(mask ? "document.edit.mask_number" : "document.edit.number",
                         {{"cell", describe(edit.cell)}, {"number", number_text(edit.value)}}));
}

Result<Given> with_edits(Given given, const std::vector<Edit>& edits) {
  std::vector<Tensor*> copied;
  for (const Edit& edit : edits) {
    auto tensor = tensor_behind(given, edit.cell);
    if (!tensor) return fail(tensor.error());
    if (auto value = check_value(edit); !value) return fail(value.error());
    if (std::find(copied.begin(), copied.end(), *tensor) == copied.end()) {
      **tensor = (*tensor)->clone();
      copied.push_back(*tensor);
    }
    (*tensor)->set(edit.cell.index, edit.value);
  }
  return given;
}

}  // namespace document
