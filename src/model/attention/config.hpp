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

/// How far each pair of numbers is turned per position, where it is not base^(−2i/D): rope.hpp has
/// the formulas. None by default.
struct RopeScaling {
  enum class Kind : unsigned char { none, linear, llama3, yarn };
  Kind kind = Kind::none;
  float factor = 1.0F;                 ///< how many times longer texts become: at least 1
  std::size_t original_length = 8192;  ///< tokens that the model was first trained for
  float low_freq_factor = 1.0F;        ///< of llama3: below high_freq_factor
  float high_freq_factor = 4.0F;
  float beta_fast = 32.0F;  ///< of yarn: turns within original_length; above beta_slow
  float beta_slow = 1.0F;
  bool from_whole_pairs = true;  ///< of yarn: both bounds are rounded to pairs (gpt-oss: not)
  friend bool operator==(const RopeScaling&, const RopeScaling&) = default;
};

/// Where a number that is added to every score comes from, by the distance of query and key.
enum class PositionBias : unsigned char {
  none,
  given,            ///< the tensor position_bias [H,Lq,Lk] itself
  t5,               ///< position_bias_table [N,H]: N buckets of distances, half for each direction
  t5_look_back,     ///< the same of a decoder: all buckets for keys before the query
  shifted_windows,  ///< position_bias_table [(2M−1)²,H] of M·M tokens in a square (Swin)
};

/// The largest base of rotary positions: published models have up to 1e11.
inline constexpr float largest_rope_base = 1e12F;

/// What later models changed about attention: docs/variants.md. None of it by default.
struct Variants {
  float rope_base = 0.0F;  ///< rotary positions: their base, at least 1; 0: none
  bool alibi = false;      ///< linear biases: −slope of the head · |query − key|
  std::size_t window = 0;  ///< each query sees only so many last keys, its own included; 0: all
  float softcap = 0.0F;    ///< scores are kept between −softcap and softcap; 0: as they are
  bool qk_norm = false;    ///< RMS norm over queries and keys
  /// A further score in every row, whose weight reaches no value, where `sinks` does not give one
  /// for each head; nothing: no sinks.
  std::optional<float> sink = std::nullopt;

  // Of files of models: what one of the above is like in detail.
  bool window_both_ways = false;  ///< keys after the query too: |query − key| < window
  std::size_t rope_dims = 0;      ///< the first so many numbers of a head are turned, even; 0: all
  bool rope_neighbours = false;   ///< numbers 2i and 2i + 1 are a point, not i and i + dims/2
  /// Overruled by rope_frequencies [dims/2], where that is given: radians a position for each pair.
  RopeScaling rope_scaling = {};
  /// What turned queries and keys are multiplied by; 0: as the scaling has it, which is 1 for all
  /// but yarn.
  float rope_attention_factor = 0.0F;
  /// Of qk_norm.
  enum class NormPlace : unsigned char {
    heads,          ///< over the D numbers of a head, before they are turned: weights [D]
    rotated_heads,  ///< the same after they are turned
    all_heads,      ///< over all numbers of a token, before heads are split: weights [A], [G·D]
  };
  NormPlace norm_place = NormPlace::heads;
  float norm_eps = 1e-6F;  ///< of qk_norm
  PositionBias position_bias = PositionBias::none;
  std::size_t position_bias_distance = 128;  ///< of T5: from here on all keys share a bucket
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
  std::size_t rope_dims() const {  ///< numbers of a head that rotary positions turn
    return variants.rope_dims == 0 ? head_dim() : variants.rope_dims;
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
