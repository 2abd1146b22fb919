#include "files/layers/embeddings.hpp"

#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "files/dtype.hpp"
#include "files/numbers/finite.hpp"
#include "files/quote.hpp"
#include "files/safetensors.hpp"

namespace files {

using base::fail;

namespace {

/// How many words between dots two names have in common from their beginnings, where the next word
/// of the first is no other part of the model; else nothing.
std::optional<std::size_t> common_words(std::string_view name, std::string_view attention) {
  constexpr std::array<std::string_view, 7> parts = {"encoder", "decoder", "text", "language",
                                                     "vision",  "visual",  "audio"};
  std::size_t common = 0;
  while (true) {
    const std::string_view word = name.substr(0, name.find('.'));
    const std::string_view other = attention.substr(0, attention.find('.'));
    if (word != other || word.size() == name.size() || other.size() == attention.size()) {
      const auto begins = [&](std::string_view text) {
        return std::any_of(parts.begin(), parts.end(),
                           [text](std::string_view part) { return text.starts_with(part); });
      };
      // "decoder.embed_tokens" is not what "encoder.layers.0" reads; "embeddings.word" may be. What
      // sees or hears reads no words.
      const bool senses = other.starts_with("vis") || other.starts_with("audio");
      if (word != other && (begins(word) || senses)) return std::nullopt;
      return common;
    }
    ++common;
    name.remove_prefix(word.size() + 1);
    attention.remove_prefix(other.size() + 1);
  }
}

}  // namespace

const HeaderEntry* find_embeddings(const Header& header, std::size_t width,
                                   std::string_view attention) {
  constexpr std::array<std::string_view, 7> names = {
      "wte.weight",              // GPT-2
      "word_embeddings.weight",  // BERT
      "embed_tokens.weight",     // Llama, BART
      "embed_in.weight",         // GPT-NeoX
      "shared.weight",           // T5, BART
      "tok_embeddings.weight",   // Llama as Meta published it
      "token_embedding.weight"};
  const HeaderEntry* closest = nullptr;
  std::size_t most = 0;
  for (const std::string_view name : names) {
    for (const HeaderEntry& entry : header.entries) {
      const bool fits = entry.shape.rank() == 2 && entry.shape[1] == width && entry.shape[0] > 0;
      if (!fits || !entry.name.ends_with(name) || !dtype_named(entry.dtype)) continue;
      const auto common = common_words(entry.name, attention);
      if (!common || (closest != nullptr && *common <= most)) continue;
      closest = &entry;
      most = *common;
    }
  }
  return closest;
}

std::optional<std::vector<std::uint32_t>> read_ids(std::string_view text) {
  constexpr std::string_view spaces = " \t";
  std::vector<std::uint32_t> ids;
  const auto skip_spaces = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  };
  skip_spaces();
  while (true) {
    const std::size_t end = std::min(text.find_first_of(", \t"), text.size());
    const auto id = base::read_whole<std::uint32_t>(text.substr(0, end));
    if (!id) return std::nullopt;
    ids.push_back(*id);
    text.remove_prefix(end);
    skip_spaces();
    if (text.empty()) return ids;
    if (text.starts_with(',')) text.remove_prefix(1);
    skip_spaces();
  }
}

base::Result<std::vector<std::pair<std::uint64_t, std::uint64_t>>> places_of(
    const HeaderEntry& embeddings, std::span<const std::uint32_t> ids) {
  const std::uint64_t row =
      std::uint64_t{embeddings.shape[1]} * bytes_of(*dtype_named(embeddings.dtype));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  for (const std::uint32_t id : ids) {
    if (id >= embeddings.shape[0]) {
      return fail(base::text(
          "files.layer.no_token",
          {{"id", id}, {"name", in_quotes(embeddings.name)}, {"rows", embeddings.shape[0]}}));
    }
    places.emplace_back(embeddings.begin + id * row, embeddings.begin + (id + 1) * row);
  }
  return places;
}

base::Result<tensor::Tensor> rows_from(const HeaderEntry& embeddings, std::size_t count,
                                       std::span<const std::byte> bytes) {
  const std::uint64_t wanted =
      std::uint64_t{count} * embeddings.shape[1] * bytes_of(*dtype_named(embeddings.dtype));
  if (bytes.size() != wanted)
    return fail(base::text("files.layer.bytes", {{"bytes", bytes.size()}, {"wanted", wanted}}));
  auto rows = to_float32({embeddings.name, embeddings.dtype, {count, embeddings.shape[1]}, bytes});
  if (!rows) return fail(rows.error());
  const auto checked = check_numbers(in_quotes(embeddings.name), *rows, Numbers::finite);
  if (!checked) return fail(checked.error());
  return rows;
}

}  // namespace files
