#include "lesson/examples/example.hpp"

#include <array>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/own_layers.hpp"
#include "tensor/tensor.hpp"
#include "translation/installed.hpp"

namespace lesson {
namespace {

constexpr auto all_attention_names = std::to_array<std::string_view>(
    {"attention", "encoder_self_attention", "decoder_self_attention", "cross_attention",
     "encoder_self_attention_1", "decoder_self_attention_1", "cross_attention_1",
     "encoder_self_attention_2", "decoder_self_attention_2", "cross_attention_2",
     "encoder_self_attention_3", "decoder_self_attention_3", "cross_attention_3"});

constexpr std::size_t kinds = 3;  // of attentions in layers
constexpr auto all_mask_names =
    std::to_array<std::string_view>({"none", "padding", "look-ahead", "both"});

/// The number of heads if only embed_dim was chosen: the example's own, or fewer if that does not
/// divide the width of all heads.
std::size_t default_heads(std::size_t embed_dim, const SizeRange& range) {
  std::size_t num_heads = range.num_heads;
  while (range.width_of_heads(embed_dim) % num_heads != 0) --num_heads;
  return num_heads;
}

base::Result<std::size_t> choose_length(std::string_view field, std::size_t wanted,
                                        const LengthRange& range, std::string_view name) {
  if (wanted == 0 || !range.can_change()) return range.length;
  if (wanted >= range.smallest && wanted <= range.largest) return wanted;
  return base::fail(base::text("lesson.size.length", {{"field", field},
                                                      {"wanted", wanted},
                                                      {"example", name},
                                                      {"smallest", range.smallest},
                                                      {"largest", range.largest}}));
}

/// 0 if `length` is the example's own, else `length`.
std::size_t shortest_length(std::size_t length, const LengthRange& range) {
  return range.can_change() && length != range.length ? length : 0;
}

/// Even, since sines and cosines come in pairs.
bool is_width_in(const SizeRange& range, std::size_t wanted) {
  return wanted >= range.smallest_embed_dim && wanted <= range.largest_embed_dim && wanted % 2 == 0;
}

base::Result<void> check_embed_dim(std::size_t wanted, const SizeRange& range,
                                   std::string_view name) {
  if (!range.can_change_embed_dim()) {
    if (wanted == range.embed_dim) return {};
    return base::fail(
        base::text("lesson.size.embed_dim_is_fixed", {{"wanted", wanted},
                                                      {"example", name},
                                                      {"embed_dim", range.embed_dim},
                                                      {"reason", range.embed_dim_reason()}}));
  }
  if (is_width_in(range, wanted)) return {};
  return base::fail(base::text("lesson.size.embed_dim", {{"wanted", wanted},
                                                         {"example", name},
                                                         {"smallest", range.smallest_embed_dim},
                                                         {"largest", range.largest_embed_dim}}));
}

/// `parameters` with every 0 replaced by the example's own size or length, and so everything that
/// cannot be chosen.
base::Result<Parameters> with_sizes(const Example& example, Parameters parameters) {
  const Variant& variant = example.variants[parameters.variant];
  if (!example.has_sizes) parameters.embed_dim = parameters.num_heads = parameters.num_kv_heads = 0;
  if (!example.has_kdim) parameters.kdim = 0;
  const SizeRange& sizes = sizes_of(example, parameters.variant);
  auto sized = choose_sizes(std::move(parameters), sizes, example.name);
  if (!sized) return sized;
  if (sized->kdim != 0 && !is_width_in(sizes, sized->kdim)) {
    return base::fail(base::text("lesson.size.kdim", {{"wanted", sized->kdim},
                                                      {"example", example.name},
                                                      {"smallest", sizes.smallest_embed_dim},
                                                      {"largest", sizes.largest_embed_dim}}));
  }
  const auto source =
      choose_length("source_len", sized->source_len, variant.source_len, example.name);
  if (!source) return base::fail(source.error());
  const auto target =
      choose_length("target_len", sized->target_len, variant.target_len, example.name);
  if (!target) return base::fail(target.error());
  sized->source_len = *source;
  sized->target_len = *target;
  return sized;
}

}  // namespace

std::string_view name_of(AttentionId id) {
  return all_attention_names[static_cast<std::size_t>(id)];
}

AttentionId kind_of(AttentionId id) {
  const auto number = static_cast<std::size_t>(id);
  return number == 0 ? id : static_cast<AttentionId>((number - 1) % kinds + 1);
}

std::size_t layer_of(AttentionId id) {
  const auto number = static_cast<std::size_t>(id);
  return number == 0 ? 0 : (number - 1) / kinds;
}

std::span<const std::string_view> attention_names() { return all_attention_names; }

std::string_view name_of(MaskKind kind) { return all_mask_names[static_cast<std::size_t>(kind)]; }

std::span<const std::string_view> mask_names() { return all_mask_names; }

std::span<const AttentionId> attentions_of(Arrangement arrangement) {
  static constexpr std::array alone = {AttentionId::attention};
  static constexpr std::array chained = {AttentionId::encoder_self_attention,
                                         AttentionId::decoder_self_attention,
                                         AttentionId::cross_attention};
  static constexpr std::array layers = {AttentionId::encoder_self_attention,
                                        AttentionId::encoder_self_attention_1};
  static constexpr std::array four = {
      AttentionId::encoder_self_attention,   AttentionId::encoder_self_attention_1,
      AttentionId::encoder_self_attention_2, AttentionId::encoder_self_attention_3,
      AttentionId::decoder_self_attention,   AttentionId::cross_attention,
      AttentionId::decoder_self_attention_1, AttentionId::cross_attention_1,
      AttentionId::decoder_self_attention_2, AttentionId::cross_attention_2,
      AttentionId::decoder_self_attention_3, AttentionId::cross_attention_3};
  if (arrangement == Arrangement::four_layers) return four;
  if (arrangement == Arrangement::encoder_decoder) return chained;
  if (arrangement == Arrangement::two_layers) return layers;
  if (arrangement == Arrangement::encoder) return std::span(layers).first(1);
  return alone;
}

std::string_view SizeRange::embed_dim_reason() const { return base::text(embed_dim_reason_key); }
std::string_view SizeRange::num_heads_reason() const { return base::text(num_heads_reason_key); }
std::string_view LengthRange::reason() const { return base::text(reason_key); }

std::string_view Variant::label() const {
  return own_label.empty() ? base::text("lesson.variant." + std::string(name)) : own_label;
}

std::string_view Example::title() const {
  if (task) return training::task(*task).title();
  return base::text("lesson.example." + std::string(name) + ".title");
}

std::string_view Example::description() const {
  if (task) return training::task(*task).rule();
  return base::text("lesson.example." + std::string(name) + ".description");
}

namespace {

std::span<Example> changeable_examples() {
  static std::array all = {translator(),
                           pool_beats_badminton(),
                           you_are_welcome(),
                           anthony_hopkins(),
                           counting(),
                           lazy_dog(),
                           image_patches(),
                           gender_and_number(),
                           your_sentence(),
                           reverse(),
                           agree(),
                           look_back(),
                           own_layer_example()};
  return all;
}

}  // namespace

std::span<const Example> all_examples() { return changeable_examples(); }

void set_own_layers(std::span<const Variant> variants) {
  changeable_examples().back().variants = variants;
}

std::span<const Example> examples() {
  const std::span<const Example> all = all_examples();
  const std::size_t first = has_its_weights(ExampleId::translator) ? 0 : 1;
  const std::size_t behind = has_its_weights(ExampleId::own_layer) ? 0 : 1;
  return all.subspan(first, all.size() - first - behind);
}

bool has_its_weights(ExampleId id) {
  if (id == ExampleId::own_layer) return own_layer_count() > 0;
  return id != ExampleId::translator || translation::is_installed();
}

const Example& example(ExampleId id) { return all_examples()[static_cast<std::size_t>(id)]; }

std::optional<ExampleId> example_named(std::string_view name) {
  for (const Example& candidate : examples()) {
    if (candidate.name == name) return candidate.id;
  }
  return std::nullopt;
}

base::Result<Parameters> choose_sizes(Parameters sizes, const SizeRange& range,
                                      std::string_view name) {
  if (sizes.embed_dim == 0) sizes.embed_dim = range.embed_dim;
  if (const auto checked = check_embed_dim(sizes.embed_dim, range, name); !checked)
    return base::fail(checked.error());
  if (sizes.num_heads == 0) sizes.num_heads = default_heads(sizes.embed_dim, range);
  const std::size_t width = range.width_of_heads(sizes.embed_dim);
  if (sizes.num_heads > range.largest_num_heads || width % sizes.num_heads != 0) {
    return base::fail(
        base::text("lesson.size.num_heads",
                   {{"wanted", sizes.num_heads},
                    {"embed_dim", sizes.embed_dim},
                    {"example", name},
                    {"allowed", model::describe_divisors(width, range.largest_num_heads)}}));
  }
  if (sizes.num_kv_heads == 0) sizes.num_kv_heads = sizes.num_heads;
  if (sizes.num_heads % sizes.num_kv_heads != 0) {
    return base::fail(
        base::text("lesson.size.num_kv_heads",
                   {{"wanted", sizes.num_kv_heads},
                    {"heads", sizes.num_heads},
                    {"allowed", model::describe_divisors(sizes.num_heads, sizes.num_heads)}}));
  }
  return sizes;
}

std::string random_note(std::uint32_t seed) {
  return base::text("lesson.note.random", {{"seed", seed}});
}

Parameters shortest(ExampleId id, const Parameters& parameters) {
  const Example& chosen = example(id);
  Parameters result = parameters;
  if (!chosen.has_seed) result.seed = Parameters{}.seed;
  if (!chosen.has_sentence || result.sentence == sentence_of(id, {})) result.sentence.clear();
  if (id != ExampleId::translator) {
    result.begin.clear();
    result.beam = 1;
  }
  const SizeRange& sizes = sizes_of(chosen, parameters.variant);
  const std::size_t embed_dim = result.embed_dim == 0 ? sizes.embed_dim : result.embed_dim;
  if (!chosen.has_sizes || result.embed_dim == sizes.embed_dim) result.embed_dim = 0;
  if (!chosen.has_sizes || result.num_heads == default_heads(embed_dim, sizes))
    result.num_heads = 0;
  const std::size_t heads =
      result.num_heads == 0 ? default_heads(embed_dim, sizes) : result.num_heads;
  if (!chosen.has_kv_heads || result.num_kv_heads == heads) result.num_kv_heads = 0;
  if (!chosen.has_kdim) result.kdim = 0;
  if (result.variant < chosen.variants.size()) {
    const Variant& variant = chosen.variants[result.variant];
    result.source_len = shortest_length(result.source_len, variant.source_len);
    result.target_len = shortest_length(result.target_len, variant.target_len);
  }
  if (!chosen.has_picture || result.picture == landscape()) result.picture.clear();
  return result;
}

std::string_view sentence_of(ExampleId id, const Parameters& parameters) {
  if (!example(id).has_sentence) return {};
  if (!parameters.sentence.empty()) return parameters.sentence;
  return id == ExampleId::translator ? sentence_to_translate() : default_sentence();
}

base::Result<Problem> make_problem(ExampleId id, const Parameters& parameters) {
  const Example& example = lesson::example(id);
  if (parameters.variant >= example.variants.size()) {
    return base::fail(
        base::text("lesson.variant.no_such", {{"variant", parameters.variant},
                                              {"example", example.name},
                                              {"count", example.variants.size()},
                                              {"names", names_of(example.variants)}}));
  }
  const auto chosen = with_sizes(example, parameters);
  if (!chosen) return base::fail(chosen.error());
  auto problem = example.make(*chosen);
  if (!problem) return problem;
  problem->options.num_heads = chosen->num_heads;
  if (problem->masks.empty()) problem->masks.assign(example.masks.begin(), example.masks.end());
  return problem;
}

}  // namespace lesson
