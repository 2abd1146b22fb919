// The sizes and options of one attention.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ops/axes.hpp"

namespace model {

/// How scores are scaled before the softmax: scores / divisor.
struct Scale {
  enum class Kind : unsigned char { none, sqrt_head_dim, sqrt_keys, number };
  Kind kind = Kind::sqrt_head_dim;  ///< "Attention Is All You Need", eq. 1: √d_k
  float number = 1.0F;              ///< the divisor where kind is `number`: finite, not 0

  /// What the scores are divided by: 1 where they stay as they are.
  float divisor(std::size_t head_dim, std::size_t key_len) const;
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// What later models changed about attention: docs/variants.md. None of it by default.
struct Variants {
  float rope_base = 0.0F;  ///< rotary positions: their base, at least 1; 0: none
  bool alibi = false;      ///< linear biases: −slope of the head · |query − key|
  std::size_t window = 0;  ///< each query sees only so many last keys, its own included; 0: all
  float softcap = 0.0F;    ///< scores are kept between −softcap and softcap; 0: as they are
  bool qk_norm = false;    ///< RMS norm over each head's queries and keys
  /// A further score in every row, whose weight reaches no value, where `sinks` does not give one
  /// for each head; nothing: no sinks.
  std::optional<float> sink = std::nullopt;
  friend bool operator==(const Variants&, const Variants&) = default;
};

struct Config {
  std::size_t batch = 0;         ///< B
  std::size_t query_len = 0;     ///< Lq
  std::size_t key_len = 0;       ///< Lk
  std::size_t embed_dim = 0;     ///< E
  std::size_t num_heads = 0;     ///< H
  std::size_t num_kv_heads = 0;  ///< G: heads of keys and values, as many as H or a divisor of it
  std::size_t kdim = 0;          ///< width of key_input
  std::size_t vdim = 0;          ///< width of value_input
  Scale scale = {};
  Variants variants = {};
  /// D where all heads together are wider or narrower than E (Qwen3, Gemma); 0: E / H.
  std::size_t own_head_dim = 0;

  bool is_grouped() const { return num_kv_heads != num_heads; }
  std::size_t head_dim() const {  ///< D
    if (own_head_dim != 0 || num_heads == 0) return own_head_dim;
    return embed_dim / num_heads;
  }
  std::size_t inner_dim() const {  ///< A: all heads of queries together
    return own_head_dim == 0 ? embed_dim : num_heads * own_head_dim;
  }
  friend bool operator==(const Config&, const Config&) = default;
};

/// How long each axis of an attention's table is.
ops::Lengths lengths_of(const Config& config);

/// The largest sizes that are computed, so that a hostile link or file cannot exhaust the memory. A
/// tensor has at most 2^28 floats (1 GiB), or 2^24 in wasm, where all memory together is 4 GiB.
struct Limits {
  static constexpr std::size_t batch = 64;
  static constexpr std::size_t tokens = 4096;
  static constexpr std::size_t embed_dim = 16384;
  static constexpr std::size_t heads = 256;
  static constexpr std::size_t floats = std::size_t{1} << (sizeof(void*) >= 8 ? 28 : 24);
};

/// The divisors of `number` up to `limit`, as "1, 2, 3, 6".
std::string describe_divisors(std::size_t number, std::size_t limit);

/// True if a tensor of this shape has at most Limits::floats cells. No shape makes it overflow.
bool within_limits(const tensor::Shape& shape);
/// A sentence that says so where it is not; `name` is the tensor's, "q" for example.
std::optional<std::string> complaint_about_size(const std::string& name,
                                                const tensor::Shape& shape);

}  // namespace model
