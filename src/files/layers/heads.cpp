// How many heads an attention has, which most files do not say.
#include <algorithm>

#include "files/layers/found_attention.hpp"

namespace files {
namespace {

bool can_be_split(const FoundAttention& found, std::size_t heads) {
  const std::size_t head_dim = found.inner_dim / heads;
  if (found.inner_dim % heads != 0 || found.kv_width % head_dim != 0) return false;
  if (found.head_dim != 0 && head_dim != found.head_dim) return false;
  const std::size_t shared = found.kv_width / head_dim;
  if (shared == 0 || heads % shared != 0) return false;
  return found.variants.rope_base == 0.0F || head_dim % 2 == 0;
}

}  // namespace

std::vector<std::size_t> head_choices(const FoundAttention& found) {
  std::vector<std::size_t> choices;
  const std::size_t most = std::min(found.inner_dim, model::Limits::heads);
  for (std::size_t heads = 1; heads <= most; ++heads) {
    if (can_be_split(found, heads)) choices.push_back(heads);
  }
  return choices;
}

std::size_t usual_heads(const FoundAttention& found) {
  if (found.num_heads) return *found.num_heads;
  const bool is_wide = found.embed_dim >= 3072 || found.inner_dim != found.embed_dim;
  const std::size_t head_dim = found.family == Family::llama && is_wide ? 128 : 64;
  const std::size_t usual = found.inner_dim / head_dim;
  const std::vector<std::size_t> choices = head_choices(found);
  if (std::find(choices.begin(), choices.end(), usual) != choices.end() &&
      usual * head_dim == found.inner_dim)
    return usual;
  return choices.empty() ? 0 : choices.front();
}

std::size_t kv_heads(const FoundAttention& found, std::size_t num_heads) {
  return found.kv_width / (found.inner_dim / num_heads);
}

std::size_t own_head_dim(const FoundAttention& found, std::size_t num_heads) {
  return found.inner_dim == found.embed_dim ? 0 : found.inner_dim / num_heads;
}

}  // namespace files
