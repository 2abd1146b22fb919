#include "lesson/input/own_layers.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text.hpp"
#include "files/layers/attention_weights.hpp"
#include "files/layers/embeddings.hpp"
#include "files/quote.hpp"
#include "lesson/examples/examples.hpp"

namespace lesson {
namespace {

using base::fail;
using tensor::Tensor;

/// The same bound as for a number that is typed (document/edits/given.hpp): with it no sum of
/// products overflows.
constexpr float largest_number = 10'000.0F;

/// As your-sentence has it.
constexpr std::size_t most_heads = 16;

/// Tokens, as your-sentence has it.
constexpr std::size_t longest = 64;

struct Opened {
  OwnLayer layer;
  SizeRange sizes;
  std::array<MaskKind, 1> masks{};
  bool is_once_more = false;  ///< another variant has the same weights
};

/// Addresses stay the same while more are added.
std::vector<std::unique_ptr<Opened>>& all_opened() {
  static std::vector<std::unique_ptr<Opened>> opened;
  return opened;
}

std::uint64_t floats_of(const files::FoundAttention& found) {
  std::uint64_t count = 0;
  for (const files::HeaderEntry& entry : found.tensors) count += entry.shape.product();
  return count;
}

std::uint64_t bytes_open() {
  std::uint64_t bytes = 0;
  for (const auto& opened : all_opened()) {
    if (opened->is_once_more) continue;
    for (const files::WeightPlace& place : opened->layer.found.weights)
      bytes += opened->layer.weights[place.id].size() * sizeof(float);
  }
  return bytes;
}

/// In one line without quotes, whatever the file says.
std::string fit_to_be_shown(const std::string& text) {
  const std::string quoted = files::in_quotes(text);
  return quoted.substr(1, quoted.size() - 2);
}

bool is_taken(const std::string& name) {
  const auto& all = all_opened();
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& opened) { return opened->layer.name == name; });
}

std::string free_name(const std::string& wanted) {
  const std::string name = wanted.empty() ? "attention" : fit_to_be_shown(wanted);
  std::string free = name;
  for (std::size_t i = 2; is_taken(free); ++i) free = name + " (" + std::to_string(i) + ")";
  return free;
}

base::Result<void> check_size(const std::string& name, const Tensor& tensor) {
  const std::vector<float> numbers = tensor.values();
  const bool fits = std::all_of(numbers.begin(), numbers.end(), [](float number) {
    return std::abs(number) <= largest_number;  // false for NaN
  });
  if (fits) return {};
  return fail(base::text("lesson.own.number", {{"name", name}}));
}

/// [L,E] of a query of the file, as many rows as are shown; undefined where it is not one of this
/// attention's.
Tensor rows_of(const Tensor& query, const files::FoundAttention& found) {
  const std::size_t rank = query.rank();
  if (!query.defined() || rank < 2 || rank > 3 || query.dim(rank - 1) != found.embed_dim ||
      query.size() == 0)
    return {};
  if (found.window_tokens != 0 && query.dim(rank - 2) != found.window_tokens) return {};
  const Tensor rows = rank == 3 ? query.select(0, 0) : query;
  return rows.narrow(0, 0, std::min(rows.dim(0), longest)).contiguous();
}

LengthRange lengths_of(std::size_t rows) {
  constexpr std::size_t usual = 8;
  const std::size_t most = rows == 0 ? longest : std::min(rows, longest);
  return {.length = rows == 0 ? usual : most,
          .smallest = 1,
          .largest = most,
          .reason_key = most == 1 ? "lesson.own.one_token" : ""};
}

LengthRange fixed_length(const Sequence& sequence) {
  if (sequence.tokens.empty()) return {};
  return {.length = sequence.tokens.front().size(), .reason_key = "lesson.own.in_lesson"};
}

/// The lengths of a file's attention, as far as they can be chosen.
Variant variant_of(const OwnLayer& layer) {
  if (layer.problem)
    return {layer.name, false, fixed_length(layer.problem->source),
            fixed_length(layer.problem->target)};
  const std::size_t rows = layer.query.defined() ? layer.query.dim(0) : 0;
  Variant variant{layer.name, rows == 0, lengths_of(rows)};
  if (layer.found.window_tokens != 0 && rows == 0)
    variant.source_len = {.length = layer.found.window_tokens, .reason_key = "lesson.own.window"};
  if (layer.found.is_cross) variant.target_len = lengths_of(rows);
  if (layer.found.is_cross) variant.source_len = lengths_of(0);
  variant.random = variant.random || layer.found.is_cross;
  return variant;
}

void show() {
  static std::vector<Variant> variants;
  variants.clear();
  for (const auto& opened : all_opened()) {
    const OwnLayer& layer = opened->layer;
    Variant variant = variant_of(layer);
    variant.sizes = &opened->sizes;
    variant.own_label = layer.name;
    variant.masks = opened->masks;
    variant.attention = files::variants_of(layer.found, opened->sizes.num_heads);
    variants.push_back(variant);
  }
  set_own_layers(variants);
}

}  // namespace

std::string why_not_shown(const files::FoundAttention& found) {
  if (!found.problem.empty()) return found.problem;
  if (found.packing == files::Packing::by_head && !found.num_heads)
    return std::string(base::text("files.layer.heads_unknown"));
  if (found.embed_dim > widest_own_layer) {
    return base::text("lesson.own.too_wide",
                      {{"embed_dim", found.embed_dim}, {"most", widest_own_layer}});
  }
  if (found.window_tokens > longest)
    return base::text("lesson.own.long_window",
                      {{"tokens", found.window_tokens}, {"most", longest}});
  if (floats_of(found) * sizeof(float) + bytes_open() > most_own_bytes)
    return base::text("lesson.own.full", {{"most", most_own_bytes >> 20U}});
  return {};
}

base::Result<std::size_t> add_own_layer(const std::string& file, files::FoundAttention found,
                                        std::span<const std::byte> weights, const Tensor& query,
                                        const std::string& tokens_file, const OwnText& text) {
  if (std::string why = why_not_shown(found); !why.empty()) return fail(std::move(why));
  auto read = files::weights_of(found, weights);
  if (!read) return fail(read.error());
  for (const files::WeightPlace& place : found.weights) {
    const auto checked = check_size(std::string(model::name_of(place.id)), (*read)[place.id]);
    if (!checked) return fail(checked.error());
  }
  const Tensor rows = rows_of(query, found);
  if (rows.defined()) {
    if (const auto checked = check_size("query", rows); !checked) return fail(checked.error());
  }
  Opened opened;
  if (found.packing == files::Packing::by_head)
    found.head_dim = found.inner_dim / files::usual_heads(found);
  const std::vector<std::size_t> choices = files::head_choices(found);
  opened.sizes = {.embed_dim = found.embed_dim,
                  .num_heads = files::usual_heads(found),
                  .largest_num_heads = choices.back(),
                  .inner_dim = found.inner_dim == found.embed_dim ? 0 : found.inner_dim,
                  .embed_dim_reason_key = "lesson.own.embed_dim",
                  .num_heads_reason_key = found.variants.qk_norm && found.head_dim != 0
                                              ? "lesson.own.norm_heads"
                                          : choices.size() == 1 ? "lesson.own.one_head"
                                                                : ""};
  opened.masks = {found.causal ? MaskKind::look_ahead : MaskKind::none};
  opened.layer.name = free_name(found.name);
  opened.layer.file = fit_to_be_shown(file);
  opened.layer.weights = *std::move(read);
  opened.layer.query = rows;
  if (rows.defined() && !tokens_file.empty())
    opened.layer.tokens_file = fit_to_be_shown(tokens_file);
  opened.layer.text = text;
  found.tensors.clear();
  opened.layer.found = std::move(found);
  all_opened().push_back(std::make_unique<Opened>(std::move(opened)));
  show();
  return all_opened().size() - 1;
}

base::Result<void> check_own_tokens(const files::FoundAttention& found, const std::string& file,
                                    const Tensor& tokens) {
  const std::string name = fit_to_be_shown(file);
  const std::size_t rank = tokens.defined() ? tokens.rank() : 0;
  if (found.window_tokens != 0 && rank > 1 && tokens.dim(rank - 2) != found.window_tokens) {
    return fail(base::text(
        "lesson.own.window_rows",
        {{"file", name}, {"rows", tokens.dim(rank - 2)}, {"tokens", found.window_tokens}}));
  }
  if (!rows_of(tokens, found).defined()) {
    return fail(base::text("lesson.own.tokens", {{"file", name},
                                                 {"shape", tensor::describe(tokens.shape())},
                                                 {"embed_dim", found.embed_dim}}));
  }
  return check_size(name, rows_of(tokens, found));
}

base::Result<std::size_t> add_own_tokens(std::size_t variant, const std::string& file,
                                         const Tensor& tokens) {
  if (variant >= all_opened().size() || all_opened()[variant]->layer.problem)
    return fail(base::text("lesson.own.tokens_alone", {{"file", fit_to_be_shown(file)}}));
  const OwnLayer& layer = own_layer(variant);
  if (const auto checked = check_own_tokens(layer.found, file, tokens); !checked)
    return fail(checked.error());
  Opened opened = *all_opened()[variant];
  opened.is_once_more = true;
  opened.layer.name = free_name(layer.found.name);
  opened.layer.query = rows_of(tokens, layer.found);
  opened.layer.tokens_file = fit_to_be_shown(file);
  opened.layer.words = {};
  all_opened().push_back(std::make_unique<Opened>(std::move(opened)));
  show();
  return all_opened().size() - 1;
}

base::Result<std::vector<std::pair<std::uint64_t, std::uint64_t>>> places_of_words(
    std::size_t variant, OwnWords& words) {
  if (variant >= all_opened().size() || !own_layer(variant).text.embeddings)
    return fail(base::text("lesson.own.no_embeddings"));
  if (words.ids.empty()) {
    const auto ids = files::read_ids(words.text);
    if (!ids)
      return fail(base::text("lesson.own.no_ids", {{"text", files::in_quotes(words.text)}}));
    words = {words.text, *ids, {}};
  }
  if (words.ids.size() > longest) words.ids.resize(longest);
  return files::places_of(*own_layer(variant).text.embeddings, words.ids);
}

base::Result<std::size_t> add_own_words(std::size_t variant, OwnWords words,
                                        std::span<const std::byte> rows) {
  if (const auto places = places_of_words(variant, words); !places) return fail(places.error());
  const OwnLayer& layer = own_layer(variant);
  const auto query = files::rows_from(*layer.text.embeddings, words.ids.size(), rows);
  if (!query) return fail(query.error());
  if (const auto checked = check_size(layer.text.embeddings->name, *query); !checked)
    return fail(checked.error());
  Opened opened = *all_opened()[variant];
  opened.is_once_more = true;
  opened.layer.name = free_name(layer.found.name + ": " + words.text);
  opened.layer.query = *query;
  opened.layer.tokens_file.clear();
  opened.layer.text.has_tokenizer |= !words.words.empty();
  opened.layer.words = std::move(words);
  all_opened().push_back(std::make_unique<Opened>(std::move(opened)));
  show();
  return all_opened().size() - 1;
}

bool takes_words(ExampleId id, const Parameters& parameters) {
  if (id != ExampleId::own_layer) return example(id).has_sentence;
  return parameters.variant < all_opened().size() &&
         own_layer(parameters.variant).text.embeddings.has_value();
}

std::string_view typed_words(ExampleId id, const Parameters& parameters) {
  if (id != ExampleId::own_layer) return sentence_of(id, parameters);
  if (!takes_words(id, parameters)) return {};
  return own_layer(parameters.variant).words.text;
}

base::Result<std::size_t> add_lesson_example(const std::string& name, const std::string& source,
                                             const Problem& problem) {
  const std::string whole = name + '\n' + source;
  std::size_t lessons = 0;
  for (std::size_t i = 0; i < all_opened().size(); ++i) {
    const OwnLayer& layer = all_opened()[i]->layer;
    if (!layer.problem) continue;
    if (layer.source == whole) return i;
    ++lessons;
  }
  if (lessons >= most_lesson_examples)
    return fail(base::text("lesson.own.many_lessons", {{"most", most_lesson_examples}}));
  Opened opened;
  const std::size_t embed_dim = problem.source.embedding.dim(2);
  const std::size_t heads = problem.options.num_heads;
  opened.sizes = {.embed_dim = embed_dim,
                  .num_heads = heads,
                  .largest_num_heads = std::max(heads, std::min(embed_dim, most_heads)),
                  .embed_dim_reason_key = "lesson.own.in_lesson"};
  opened.masks = {problem.masks.front()};
  opened.layer.name = free_name(name);
  opened.layer.problem = problem;
  opened.layer.source = whole;
  all_opened().push_back(std::make_unique<Opened>(std::move(opened)));
  show();
  return all_opened().size() - 1;
}

void forget_own_layers() {
  all_opened().clear();
  show();
}

std::size_t own_layer_count() { return all_opened().size(); }

const OwnLayer& own_layer(std::size_t variant) { return all_opened()[variant]->layer; }

}  // namespace lesson
