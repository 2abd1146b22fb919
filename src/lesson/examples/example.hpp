// The examples, and the problem that each gives to compute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/layers.hpp"
#include "model/transformer.hpp"
#include "training/learner.hpp"
#include "training/task.hpp"

namespace lesson {

/// Which attention of a problem: `attention`, the only one, or one of the attentions in the first
/// to fourth layer of encoder and decoder.
enum class AttentionId : unsigned char {
  attention,
  encoder_self_attention,
  decoder_self_attention,
  cross_attention,
  encoder_self_attention_1,
  decoder_self_attention_1,
  cross_attention_1,
  encoder_self_attention_2,
  decoder_self_attention_2,
  cross_attention_2,
  encoder_self_attention_3,
  decoder_self_attention_3,
  cross_attention_3,
};
std::string_view name_of(AttentionId id);
/// The same attention of the first layer: `cross_attention` of `cross_attention_2`.
AttentionId kind_of(AttentionId id);
/// Its layer, counted from 0.
std::size_t layer_of(AttentionId id);
/// All names, in the order of AttentionId.
std::span<const std::string_view> attention_names();

enum class ExampleId : unsigned char {
  translator,
  pool_beats_badminton,
  you_are_welcome,
  anthony_hopkins,
  counting,
  lazy_dog,
  image_patches,
  gender_and_number,
  your_sentence,
  reverse,
  agree,
  look_back,
  own_layer,
};

/// Which keys a query may not see.
enum class MaskKind : unsigned char { none, padding, look_ahead, both };
std::string_view name_of(MaskKind kind);
/// What an example with one attention and no mask starts with.
inline constexpr std::array no_mask = {MaskKind::none};
/// All names, in the order of MaskKind.
std::span<const std::string_view> mask_names();

/// The padding token, on the stage and in token lists.
inline constexpr std::string_view pad_token = "[pad]";

/// A batch of token sequences, padded to one length.
struct Sequence {
  std::vector<std::vector<std::string>> tokens;  ///< [B][L]
  std::vector<std::size_t> lengths;              ///< [B], unpadded
  tensor::Tensor embedding;                      ///< [B,L,E], before position encoding
};

/// How attentions are arranged.
enum class Arrangement : unsigned char {
  self,             ///< attention(source, source, source)
  cross,            ///< attention(target, source, source)
  cross_values,     ///< attention(target, source, values): values of another width than keys
  encoder_decoder,  ///< three attentions chained through encoder and decoder layers
  encoder,          ///< the attention of one encoder layer
  two_layers,       ///< the attentions of two encoder layers
  four_layers,      ///< the twelve of four encoder and four decoder layers
};

/// Whether it is one attention, whose keys and values come from another sequence than its queries.
inline bool is_cross(Arrangement arrangement) {
  return arrangement == Arrangement::cross || arrangement == Arrangement::cross_values;
}

/// Whether it is an encoder without a decoder.
inline bool is_encoder(Arrangement arrangement) {
  return arrangement == Arrangement::encoder || arrangement == Arrangement::two_layers;
}

/// Whether there are encoder and decoder.
inline bool has_decoder(Arrangement arrangement) {
  return arrangement == Arrangement::encoder_decoder || arrangement == Arrangement::four_layers;
}

/// The attentions of an arrangement, in the order of computation.
std::span<const AttentionId> attentions_of(Arrangement arrangement);

/// What the tokens of a problem are patches of. Patches lie side by side without gaps, counted row
/// by row from the upper left: patch `row * patches_per_row + column` is token number that.
struct Picture {
  std::size_t width = 0;   ///< pixels
  std::size_t height = 0;  ///< pixels
  /// [height,width,3]: red, green, blue of each pixel, rows from the top.
  std::vector<std::uint8_t> rgb;
  std::size_t patch_size = 0;  ///< pixels along each side of a patch
  std::size_t patches_per_row() const { return width / patch_size; }
  std::size_t patches_per_column() const { return height / patch_size; }
};

/// How a trained network answers: at each token, with the token of the largest logit.
struct Answering {
  tensor::Tensor weight;  ///< [V,E], of the linear layer that makes the logits
  tensor::Tensor bias;    ///< [V]
  std::span<const std::string_view> vocabulary;
  std::vector<int> right;  ///< [L]: into the vocabulary, or training::not_counted
};

/// What a translator said: the target of a problem, one token after another.
struct Translated {
  std::string text;     ///< the whole sentence
  bool trained = true;  ///< with the trained weights, not with those that training began with
  /// A token that was chosen, or that could have come.
  struct Candidate {
    std::size_t token = 0;  ///< in the vocabulary
    std::string piece;
    double probability = 0.0;
    friend bool operator==(const Candidate&, const Candidate&) = default;
  };
  struct Place {
    Candidate said;
    std::vector<Candidate> best;  ///< most probable first; `said` need not be among them
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// For each token of the target, what follows it: the end after the last.
  std::vector<Place> places;
  /// A translation that a beam search found.
  struct Finished {
    std::vector<std::size_t> tokens;  ///< with the end
    std::string text;                 ///< ends with "…" where it became too long before its end
    double log_probability = 0.0;     ///< of all tokens, natural logarithm
    /// For each token; the larger, the better.
    double mean_log_probability() const {
      return log_probability / static_cast<double>(tokens.size());
    }
    friend bool operator==(const Finished&, const Finished&) = default;
  };
  /// Best first, and what is said among them; empty where no beam is used.
  std::vector<Finished> finished;
  /// What is said where nothing is changed, and how probable these tokens are there and here.
  struct Unchanged {
    std::string text;
    double log_probability = 0.0;      ///< natural logarithm
    double log_probability_now = 0.0;  ///< with what the reader changed
    friend bool operator==(const Unchanged&, const Unchanged&) = default;
  };
  std::optional<Unchanged> unchanged;  ///< where something is changed
  /// While it was said, keys and values of earlier tokens were kept (a KV cache). False where the
  /// reader's change lets a token change what earlier ones computed.
  bool kept = true;
  friend bool operator==(const Translated&, const Translated&) = default;
};

/// All inputs of a computation.
struct Problem {
  Arrangement arrangement = Arrangement::self;
  Sequence source;
  Sequence target;  ///< empty where arrangement is `self`
  /// [B,Lk,vdim], arrangement `cross_values` only: what the values of the source's tokens are made
  /// of.
  tensor::Tensor values;
  bool position_encoding = false;
  std::size_t num_kv_heads = 0;       ///< heads of keys and values; 0: as many as there are heads
  std::size_t head_dim = 0;           ///< self and cross; 0: embed_dim / num_heads
  model::Variants variants;           ///< self and cross
  model::LayerOptions options;        ///< heads, scale; activation and norm for the layers
  model::Tensors weights;             ///< self and cross: weights and biases by name
  std::vector<model::Layer> encoder;  ///< where there are encoder layers
  std::vector<model::Layer> decoder;  ///< encoder_decoder
  std::vector<model::GivenWeights> given_weights;  ///< self and cross: rows set by hand
  /// The mask each attention starts with, in the order of `attentions()`.
  std::vector<MaskKind> masks;
  /// self and cross: added to the mask that it starts with, [Lq,Lk]; undefined where it is that
  /// kind's alone.
  tensor::Tensor painted_mask;
  /// Where the numbers come from, or what is odd about them; empty where there is nothing to say.
  std::string note;
  bool random = false;  ///< embeddings or weights are random, not trained
  /// What each of a token's E numbers stands for, where that can be said and projections keep them
  /// in their order; else empty.
  std::vector<std::string> features;
  /// What the tokens of the source show, where they are parts of a picture.
  std::optional<Picture> picture;
  std::optional<Answering> answering;    ///< of a trained network
  std::optional<Translated> translated;  ///< of the translator
  /// Parts of the model that were computed while the problem was made: the translator's encoder.
  std::vector<model::Trace> computed;

  /// The attentions of this arrangement, in the order of computation.
  std::span<const AttentionId> attentions() const { return attentions_of(arrangement); }
};

/// A reader's choices about an example. 0 or empty means the example's own. `Example` and `Variant`
/// say which fields they offer; the others are ignored.
struct Parameters {
  std::size_t variant = 0;  ///< index into Example::variants
  std::uint32_t seed = 1;   ///< of random embeddings and weights
  std::string sentence;     ///< your_sentence, translator
  /// translator: the tokens of the vocabulary that the translation begins with, whatever is most
  /// probable.
  std::vector<std::uint32_t> begin = {};
  /// translator: how many translations are followed at the same time, 1 or beam_width.
  std::size_t beam = 1;
  std::size_t embed_dim = 0;
  std::size_t num_heads = 0;
  std::size_t num_kv_heads = 0;  ///< heads of keys and values, where they can be chosen
  /// your_sentence: keys and values come from another sentence, whose vectors have this width; 0:
  /// from the same one.
  std::size_t kdim = 0;
  std::size_t source_len = 0;  ///< tokens of the source, which is all there is in self-attention
  std::size_t target_len = 0;  ///< tokens of the target
  /// image_patches: `picture_bytes` bytes as Picture::rgb; patches.hpp makes them of any picture.
  std::vector<std::uint8_t> picture;
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

/// The sizes an example can have. `smallest` and `largest` are left out where embed_dim is fixed;
/// in between only even numbers are allowed, since sines and cosines come in pairs. Every number of
/// heads up to the largest that divides the width of all heads can be chosen.
struct SizeRange {
  std::size_t embed_dim = 0;  ///< as the example has it
  std::size_t smallest_embed_dim = 0;
  std::size_t largest_embed_dim = 0;
  std::size_t num_heads = 1;  ///< as the example has it
  std::size_t largest_num_heads = 1;
  std::size_t inner_dim = 0;                   ///< the width of all heads together; 0: embed_dim
  std::string_view embed_dim_reason_key = {};  ///< of the text why it is fixed; empty if it is not
  std::string_view num_heads_reason_key = {};  ///< the same for num_heads
  std::string_view embed_dim_reason() const;   ///< a sentence; empty where it is not fixed
  std::string_view num_heads_reason() const;
  /// What the heads divide.
  std::size_t width_of_heads(std::size_t chosen_embed_dim) const {
    return inner_dim == 0 ? chosen_embed_dim : inner_dim;
  }
  bool can_change_embed_dim() const { return smallest_embed_dim < largest_embed_dim; }
  bool can_change_num_heads() const {
    return largest_num_heads > 1 && num_heads_reason_key.empty();
  }
};

/// How many tokens a sequence can have. All 0 and no reason: there is no such sequence.
struct LengthRange {
  std::size_t length = 0;  ///< as the example has it; 0 where that depends on what is typed
  std::size_t smallest = 0;
  std::size_t largest = 0;
  std::string_view reason_key = {};  ///< of the text why it is fixed; empty where it is not
  std::string_view reason() const;   ///< a sentence; empty where it is not fixed
  bool can_change() const { return smallest < largest; }
};

struct Variant {
  std::string_view name;  ///< "article"
  bool random = true;     ///< some of its numbers are drawn from the seed
  LengthRange source_len = {};
  LengthRange target_len = {};
  const SizeRange* sizes = nullptr;      ///< null: the example's own
  std::string_view own_label = {};       ///< of a file; empty: a text says it
  std::span<const MaskKind> masks = {};  ///< as Example::masks; empty: those of the example
  model::Variants attention = {};        ///< which variants of attention it starts with

  std::string_view label() const;  ///< "with printed weights"
};

struct Example {
  ExampleId id = ExampleId::pool_beats_badminton;
  std::string_view name;              ///< in links, files, API, command: "pool-beats-badminton"
  std::span<const Variant> variants;  ///< at least one
  /// The problem of a variant that exists, with the sizes and lengths in `parameters`. The number
  /// of heads and the masks are left to make_problem.
  base::Result<Problem> (*make)(const Parameters& parameters) = nullptr;
  /// As Problem::attentions and Problem::masks, the same for every variant; one with fewer layers
  /// has the first of them.
  std::span<const AttentionId> attentions = attentions_of(Arrangement::self);
  std::span<const MaskKind> masks = no_mask;
  bool has_seed = false;  ///< numbers are "random, untrained", drawn from the seed that is shown
  bool has_sentence = false;
  bool has_sizes = false;     ///< num_heads can be chosen, and embed_dim where `sizes` has a range
  bool has_kv_heads = false;  ///< num_kv_heads can be chosen: a divisor of num_heads
  bool has_kdim = false;      ///< kdim can be chosen, as embed_dim can, or 0
  bool has_attention_variants = false;  ///< rotary positions and the others of model::Variants
  bool has_picture = false;             ///< takes a picture of the reader's own
  std::optional<training::TaskId> task = {};  ///< what is learned, where the numbers are
  SizeRange sizes;
  std::size_t query = 0;  ///< index of the token that is looked at first

  std::string_view title() const;        ///< in the menu: "pool beats badminton"
  std::string_view description() const;  ///< one sentence
};

/// The sizes that a variant can have. Of a variant that is not there: the example's own.
inline const SizeRange& sizes_of(const Example& example, std::size_t variant) {
  const bool has_own =
      variant < example.variants.size() && example.variants[variant].sizes != nullptr;
  return has_own ? *example.variants[variant].sizes : example.sizes;
}

/// The masks that a variant starts with. Of a variant that is not there: the example's own.
inline std::span<const MaskKind> masks_of(const Example& example, std::size_t variant) {
  const bool has_own =
      variant < example.variants.size() && !example.variants[variant].masks.empty();
  return has_own ? example.variants[variant].masks : example.masks;
}

/// "self, article, cross": what a list of variants, steps or examples is called, for sentences.
template <typename List>
std::string names_of(const List& list) {
  std::string names;
  for (const auto& each : list) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

/// All examples in menu order, the translator first and own-layer last: also where their weights
/// are still to come.
std::span<const Example> all_examples();
/// Those of them that can be computed now.
std::span<const Example> examples();
bool has_its_weights(ExampleId id);
const Example& example(ExampleId id);
std::optional<ExampleId> example_named(std::string_view name);

/// `parameters` with 0 or empty for every choice that is the example's own anyway, so that equal
/// choices compare equal.
Parameters shortest(ExampleId id, const Parameters& parameters);

/// The sentence that `parameters` stand for: what was typed, or the example's own; empty where an
/// example has none to type.
std::string_view sentence_of(ExampleId id, const Parameters& parameters);

/// How the network of an example with a task is trained: the task's own settings, and what the
/// parameters choose. The example must have a task.
training::Settings settings_of(ExampleId id, const Parameters& parameters);

/// The problem of a network that was trained for an example with a task: number `sequence` of the
/// held-out sequences, counted from 0, read with the learner's weights. Sizes as in `settings`.
Problem learned_problem(const training::Task& task, const training::Settings& settings,
                        const training::Learner& learner, const training::Batch& held_out,
                        std::size_t sequence);

/// Makes the problem; the network of a task before its first step. Errors: a variant that is not
/// there, an empty sentence, more than 64 tokens, text that is not UTF-8, heads that do not divide
/// embed_dim, sizes or lengths out of range, a picture with too few or too many bytes: each as a
/// sentence that says what is allowed.
base::Result<Problem> make_problem(ExampleId id, const Parameters& parameters);

}  // namespace lesson
