// Attentions of the reader's own files, and the examples that lessons bring along, which the
// example `own-layer` shows: one after another, each a variant of it. They stay as long as the
// program runs, so that undo leads back to each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "files/layers/found_attention.hpp"
#include "lesson/examples/example.hpp"

namespace lesson {

/// Tokens by their ids: rows of a model's embeddings.
struct OwnWords {
  std::string text;  ///< as it was typed: ids, or what a tokenizer made ids of
  std::vector<std::uint32_t> ids;
  std::vector<std::string> words;  ///< what they stand for; empty: nobody said it
};

/// What there is in a file and beside it to make tokens of ids or of a text.
struct OwnText {
  std::optional<files::HeaderEntry> embeddings;  ///< its place is that in the file
  bool has_tokenizer = false;
};

struct OwnLayer {
  std::string name;  ///< of the variant: the attention's own, fit to be shown; another each
  std::string file;  ///< the file's, fit to be shown
  files::FoundAttention found;  ///< without the tensors of the file
  model::Tensors weights;
  tensor::Tensor query;     ///< [L,E] of the file; undefined where it has none
  std::string tokens_file;  ///< whose array `query` is; empty: the tensor query of `file`
  OwnText text;
  OwnWords words;  ///< whose rows `query` is; without ids: something else
  /// Of a lesson: all of it, and the text that it was made of. `found` and `weights` are empty
  /// then.
  std::optional<Problem> problem;
  std::string source;
};

/// The widest attention that is shown, and how many bytes of weights can be open, as float32.
inline constexpr std::size_t widest_own_layer = 3072;
inline constexpr std::size_t most_own_bytes = std::size_t{1} << 28U;

/// Why this attention cannot be shown, before anything of it is read; empty where it can be. What
/// the command computes is more than what is shown.
std::string why_not_shown(const files::FoundAttention& found);

/// Adds an attention. `weights` are the bytes of found.tensors; `query` is that of the file, [L,E]
/// or [B,L,E], of which the first sample is taken; or undefined. Where it comes from another file,
/// `tokens_file` is that one's name. Returns the number of its variant. Errors: as why_not_shown
/// and files::weights_of; numbers beyond ±10,000.
base::Result<std::size_t> add_own_layer(const std::string& file, files::FoundAttention found,
                                        std::span<const std::byte> weights,
                                        const tensor::Tensor& query,
                                        const std::string& tokens_file = {},
                                        const OwnText& text = {});

/// Whether the array of a file can be the tokens of this attention. Errors: no [L,E] or [B,L,E] of
/// its embed_dim; nothing in it; numbers that are not within ±10,000.
base::Result<void> check_own_tokens(const files::FoundAttention& found, const std::string& file,
                                    const tensor::Tensor& tokens);

/// Adds the attention of a variant once more, with the array of a file as its tokens. Returns the
/// number of the new variant. Errors: as check_own_tokens; a variant that is no file's.
base::Result<std::size_t> add_own_tokens(std::size_t variant, const std::string& file,
                                         const tensor::Tensor& tokens);

/// Where the rows of these tokens lie in the file of a variant, as many as are shown. Ids that are
/// missing are read from the text. Errors: the text is none; an id beyond the rows; a variant
/// without embeddings.
base::Result<std::vector<std::pair<std::uint64_t, std::uint64_t>>> places_of_words(
    std::size_t variant, OwnWords& words);
/// Adds the attention of a variant once more, with these tokens, whose rows are the bytes of those
/// places. Returns the number of the new variant. Errors: as places_of_words; bytes of another
/// length; numbers that are not finite, or beyond ±10,000.
base::Result<std::size_t> add_own_words(std::size_t variant, OwnWords words,
                                        std::span<const std::byte> rows);

/// Whether the tokens of an example can be typed, and what was typed last.
bool takes_words(ExampleId id, const Parameters& parameters);
std::string_view typed_words(ExampleId id, const Parameters& parameters);

/// How many examples of lessons can be open.
inline constexpr std::size_t most_lesson_examples = 64;

/// Adds the example of a lesson, an attention alone. `source` is the text that it was made of: the
/// same name and text once more is the same variant. Returns its number. Errors: too many of them.
base::Result<std::size_t> add_lesson_example(const std::string& name, const std::string& source,
                                             const Problem& problem);

std::size_t own_layer_count();
/// For tests that open thousands, when no document shows one any more.
void forget_own_layers();
const OwnLayer& own_layer(std::size_t variant);

}  // namespace lesson
