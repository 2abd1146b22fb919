// What a decoder that makes one token after another keeps, and what that saves.
#pragma once

#include <cstddef>

#include "model/attention/config.hpp"

namespace model {

/// The key/value cache of one attention and one sample when the token at `place` has been read: the
/// keys and values of all tokens so far, or of the last `window` ones.
struct KvCache {
  std::size_t tokens = 0;                   ///< whose keys and values are kept
  std::size_t bytes = 0;                    ///< 2 · tokens · G·D floats
  std::size_t bytes_before = 0;             ///< of them, those of the tokens before this one
  std::size_t multiplications = 0;          ///< for this token, where those before it are kept
  std::size_t multiplications_without = 0;  ///< where all tokens so far are computed again
};

/// Multiplications are those of the matrix products: the projections with A = H·D and G·D columns,
/// scores and weighted sums over the tokens that are kept, and the output. Without a cache each
/// token so far goes through all of that: every query with every key, as the matrix product does.
/// `place` counts from 0.
KvCache kv_cache_at(const Config& config, std::size_t place);

/// Of a whole sequence: what is kept at its end, and the sums of the multiplications.
KvCache kv_cache_of_all(const Config& config);

}  // namespace model
