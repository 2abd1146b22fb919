// An attention of the reader's own file, or of a lesson.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/input/own_layers.hpp"
#include "lesson/input/sequence.hpp"

namespace lesson {
namespace {

/// Until a file is open. It cannot be chosen then.
constexpr std::array none_yet = {Variant{.name = "none", .own_label = "none"}};

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.push_back("x" + std::to_string(i));
  return tokens;
}

/// What the tokens are called: words of a text, their ids, or their places.
std::vector<std::string> names_of(const OwnWords& words, std::size_t count) {
  if (words.ids.empty()) return numbered(count);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(i < words.words.size() ? words.words[i] : std::to_string(words.ids[i]));
  return names;
}

/// Where weights and tokens come from, and what the file does not say.
std::string note_of(const OwnLayer& layer, const Parameters& parameters, bool is_random) {
  const files::FoundAttention& found = layer.found;
  std::string note = base::text(
      "lesson.own.weights",
      {{"name", layer.name}, {"family", files::name_of(found.family)}, {"file", layer.file}});
  note += ' ';
  note += is_random ? base::text("lesson.own.random", {{"seed", parameters.seed}})
          : !layer.words.ids.empty()
              ? base::text("lesson.own.words", {{"name", layer.text.embeddings->name},
                                                {"text", files::in_quotes(layer.words.text)}})
          : layer.tokens_file.empty()
              ? std::string(base::text("lesson.own.query"))
              : base::text("lesson.own.array", {{"file", layer.tokens_file}});
  if (!is_random && found.is_cross)
    note += ' ' + base::text("lesson.own.keys", {{"seed", parameters.seed}});
  if (!found.num_heads)
    note += ' ' + base::text("lesson.own.heads", {{"heads", files::usual_heads(found)}});
  for (const std::string& sentence : files::said_of(found)) note += ' ' + sentence;
  if (found.variants.rope_base > 0.0F && !found.rope_is_said)
    note += ' ' + base::text("lesson.own.rope", {{"base", "10000"}});
  if (found.transposed) note += ' ' + std::string(base::text("lesson.own.transposed"));
  return note;
}

base::Result<Problem> make(const Parameters& parameters) {
  const OwnLayer& layer = own_layer(parameters.variant);
  if (layer.problem) return *layer.problem;
  const files::FoundAttention& found = layer.found;
  const std::vector<std::size_t> choices = files::head_choices(found);
  if (std::find(choices.begin(), choices.end(), parameters.num_heads) == choices.end()) {
    std::string allowed;
    for (const std::size_t heads : choices)
      allowed += (allowed.empty() ? "" : ", ") + std::to_string(heads);
    return base::fail(base::text("lesson.size.num_heads", {{"wanted", parameters.num_heads},
                                                           {"embed_dim", found.embed_dim},
                                                           {"example", "own-layer"},
                                                           {"allowed", allowed}}));
  }
  Problem problem;
  const std::size_t tokens = found.is_cross ? parameters.target_len : parameters.source_len;
  Sequence queries;
  if (layer.query.defined()) {
    const std::vector<float> numbers = layer.query.narrow(0, 0, tokens).values();
    queries = given_sequence(names_of(layer.words, tokens), numbers, tokens);
  } else {
    queries = numbered_sequence("x", tokens, found.embed_dim, parameters.seed);
  }
  if (found.is_cross) {
    problem.arrangement = found.kdim == found.vdim ? Arrangement::cross : Arrangement::cross_values;
    problem.source = numbered_sequence("y", parameters.source_len, found.kdim, parameters.seed);
    problem.target = std::move(queries);
    // As `attention-live trace` gives it.
    if (found.kdim != found.vdim) {
      problem.values =
          numbered_sequence("y", parameters.source_len, found.vdim, parameters.seed).embedding;
    }
  } else {
    problem.source = std::move(queries);
  }
  problem.options.scale = found.scale;
  problem.head_dim = files::own_head_dim(found, parameters.num_heads);
  problem.num_kv_heads = files::kv_heads(found, parameters.num_heads);
  problem.weights = layer.weights;
  problem.weights["rope_frequencies"] =
      files::rope_frequencies_of(found, parameters.num_heads, parameters.source_len);
  problem.masks = {found.causal ? MaskKind::look_ahead : MaskKind::none};
  problem.note = note_of(layer, parameters, !layer.query.defined());
  return problem;
}

}  // namespace

Example own_layer_example() {
  Example made;
  made.id = ExampleId::own_layer;
  made.name = "own-layer";
  made.variants = none_yet;
  made.make = make;
  made.has_seed = true;
  made.has_sizes = true;
  made.has_attention_variants = true;
  return made;
}

}  // namespace lesson
