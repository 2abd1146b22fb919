#include "model/attention/kv_cache.hpp"

#include <algorithm>

namespace model {

KvCache kv_cache_at(const Config& config, std::size_t place) {
  const std::size_t width = config.num_heads * config.head_dim();          // A
  const std::size_t kept_width = config.num_kv_heads * config.head_dim();  // G·D
  const std::size_t window = config.variants.window;
  KvCache cache;
  const std::size_t tokens = place + 1;
  cache.tokens = window == 0 ? tokens : std::min(tokens, window);
  const std::size_t of_a_token = 2 * kept_width * sizeof(float);
  cache.bytes = cache.tokens * of_a_token;
  cache.bytes_before = cache.bytes - of_a_token;
  const std::size_t projections =
      2 * config.embed_dim * width + (config.kdim + config.vdim) * kept_width;
  cache.multiplications = projections + 2 * cache.tokens * width;
  cache.multiplications_without = tokens * projections + 2 * tokens * tokens * width;
  return cache;
}

KvCache kv_cache_of_all(const Config& config) {
  KvCache all;
  for (std::size_t place = 0; place < config.query_len; ++place) {
    const KvCache cache = kv_cache_at(config, place);
    all.tokens = cache.tokens;
    all.bytes = cache.bytes;
    all.bytes_before = cache.bytes_before;
    all.multiplications += cache.multiplications;
    all.multiplications_without += cache.multiplications_without;
  }
  return all;
}

}  // namespace model
