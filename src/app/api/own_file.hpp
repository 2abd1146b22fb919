// A reader's file with the attentions of a model: its header is here, and the parts of it that are
// wanted come one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "files/layers/found_attention.hpp"
#include "lesson/input/own_layers.hpp"
#include "tensor/tensor.hpp"

namespace app {

class OwnFile {
 public:
  OwnFile() = default;  ///< without attentions

  /// `beginning` holds a file of `size` bytes up to the end of its header at least. Errors: it is
  /// no .safetensors file; there is no whole attention in it.
  static base::Result<OwnFile> read(const std::string& name, std::span<const std::byte> beginning,
                                    std::uint64_t size);

  /// One of the files of a model.
  struct Shard {
    std::string name;
    std::vector<std::byte> beginning;  ///< up to the end of its header at least
    std::uint64_t size = 0;
  };
  /// The same of several files, at least one, as if they were one: each begins where the one before
  /// it ends, and it is called as the last one. Errors: two have a tensor of the same name.
  static base::Result<OwnFile> read(std::span<const Shard> shards);

  /// Takes a file that was chosen with it: config.json, which says how many heads there are; or an
  /// array .npy, [L,E] or [B,L,E], as the tokens. Of the files of a tokenizer, which it does not
  /// read, it only knows then that they are there. Errors: another name; what is wrong with it.
  base::Result<void> add_beside(const std::string& name, std::span<const std::byte> bytes);

  const files::FoundAttentions& found() const { return found_; }

  /// {attentions: {name, family, cross, causal, embed_dim, heads, guess, bytes, why, parts}[],
  /// incomplete, has_query, sentence}. `why` says why it cannot be shown, else it is empty; `parts`
  /// are the places in the file, [begin, end][], whose bytes `add` takes.
  base::Json described() const;
  /// The same places of one attention, which is there.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts_of(std::size_t index) const;

  /// Makes it a variant of own-layer, whose number is returned. `bytes` are those of its parts, one
  /// after another. Errors: as lesson::add_own_layer; an index that is not there.
  base::Result<std::size_t> add(std::size_t index, std::span<const std::byte> bytes) const;

 private:
  std::string name_;
  files::FoundAttentions found_;
  std::optional<files::HeaderEntry> query_;                    ///< the file's tensor of that name
  std::vector<std::optional<files::HeaderEntry>> embeddings_;  ///< of each attention's width
  bool has_tokenizer_ = false;
  std::string array_name_;  ///< of the tokens that came beside it
  tensor::Tensor array_;
};

/// {text, ids, words} as a page gives them. Errors: ids that are no whole numbers below 2^32.
base::Result<lesson::OwnWords> words_asked_for(const base::Json& asked);
/// Places in a file, [begin, end][].
base::Json json_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places);

}  // namespace app
