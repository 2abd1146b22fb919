#include "files/layers/unread.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/order.hpp"

namespace files {
namespace {

constexpr std::size_t most_named = 4;
/// How many names under one attention are looked at, so that a hostile file takes no longer.
constexpr std::size_t most_seen = 256;

/// Ends of names that change nothing: masks that the code makes itself; the norm and the dropout
/// behind the attention, which is another step; indices that follow from the shape.
constexpr std::array<std::string_view, 8> neutral = {
    "masked_bias", "attn.mask",        "IGNORE",         "relative_position_index",
    ".attn_mask",  "LayerNorm.weight", "LayerNorm.bias", "num_batches_tracked"};

bool is_neutral(const FoundAttention& found, std::string_view name, const HeaderEntry& entry) {
  if (name.ends_with("bias") && entry.shape.rank() == 4) return true;  // GPT-2's look-ahead mask
  if (name.ends_with("inv_freq") && found.variants.rope_base > 0.0F) return true;
  // Old files of T5 have one at the cross-attention, which its code passes over.
  if (found.is_cross && name.ends_with("relative_attention_bias.weight")) return true;
  return std::any_of(neutral.begin(), neutral.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

/// Of an attention without a name: what belongs to its inputs, and what has a name of its own.
bool is_apart(std::string_view name) {
  return name == "query" || name == "key" || name == "value" ||
         (name.find('.') != std::string_view::npos && !name.starts_with("out_proj."));
}

}  // namespace

void list_unread(const NamedEntries& named, std::span<FoundAttention> attentions) {
  std::vector<std::string_view> read;
  for (const FoundAttention& found : attentions) {
    for (const HeaderEntry& entry : found.tensors) read.push_back(entry.name);
  }
  base::sort(read);
  for (FoundAttention& found : attentions) {
    const std::string prefix = found.name.empty() ? "" : found.name + '.';
    auto place = std::lower_bound(
        named.begin(), named.end(), std::string_view(prefix),
        [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
    for (std::size_t seen = 0; seen < most_seen; ++seen, ++place) {
      if (place == named.end() || !place->first.starts_with(prefix)) break;
      const auto& [name, entry] = *place;
      if (std::binary_search(read.begin(), read.end(), name)) continue;
      if (is_neutral(found, name, *entry) || (prefix.empty() && is_apart(name))) continue;
      if (found.unread.size() < most_named) found.unread.emplace_back(name);
      ++found.unread_count;
    }
  }
}

}  // namespace files
