#include "attention/scaled_dot_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/aligned.hpp"
#include "attention/lanes.hpp"
#include "attention/matmul.hpp"
#include "attention/matmul_tile.hpp"
#include "attention/rows.hpp"
#include "attention/small_product.hpp"

namespace attention {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// How many queries are treated together: about 64 kB of scores, and as much of weights, in whole
/// tiles of the matrix product.
std::size_t queries_together(std::size_t key_len) {
  constexpr std::size_t floats = 16384;
  const std::size_t tile = matmul_kernel().tile_rows;
  const std::size_t queries = std::clamp(floats / key_len, std::size_t{8}, std::size_t{64});
  return std::max(queries / tile, std::size_t{1}) * tile;
}

/// With the numbers of a row side by side, as the loops here read them; `copy` keeps them where
/// they have to move.
const Tensor& with_rows(const Tensor& tensor, std::optional<Tensor>& copy) {
  if (!tensor.defined() || tensor.has_contiguous_rows()) return tensor;
  copy = tensor.contiguous();
  return *copy;
}

/// One head of one sample.
const float* head_of(const Tensor& tensor, std::size_t sample, std::size_t head) {
  return tensor.data() + sample * tensor.strides()[0] + head * tensor.strides()[1];
}

/// The largest magnitude among `count` numbers; ∞ where one is ∞ or NaN.
float magnitude(const float* x, std::size_t count) {
  // x − x is 0 for every finite x, and NaN for ∞ and NaN.
  Four most = all_four(0.0F);
  Four sums = all_four(0.0F);
  const auto take = [&](Four four) {
    const Four size = four < 0.0F ? -four : four;
    most = most < size ? size : most;
    sums += four - four;  // NOLINT(misc-redundant-expression)
  };
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) take(load_four(x + i));
  if (i < count) take(load_some(x + i, count - i, 0.0F));
  if (sums[0] + sums[1] + sums[2] + sums[3] != 0.0F) return infinity;
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

float magnitude(const PackedMatrix& matrix) {
  return magnitude(matrix.panels.data(), matrix.panels.size());
}

/// Memory that is used again from call to call, as long as it is not much.
struct Workspace {
  PackedMatrix keys;
  PackedMatrix values;
  AlignedFloats rows;  ///< of a few queries, where they are not kept

  static constexpr std::size_t kept_floats = std::size_t{1} << 20;
  void leave() {
    const std::size_t floats = keys.panels.capacity() + values.panels.capacity() + rows.capacity();
    if (floats > kept_floats) *this = {};
  }
};

Workspace& workspace() {
  static thread_local Workspace made;
  return made;
}

/// One head of one sample: where its numbers are and go.
struct Head {
  const float* q;
  std::size_t q_stride;
  const float* k;  ///< where products with it are small; else it is packed
  std::size_t k_stride;
  const float* v;  ///< likewise
  std::size_t v_stride;
  const float* mask;  ///< null: nothing is hidden
  std::size_t mask_stride;
  std::size_t key_len;
  std::size_t head_dim;
  Divisor divisor;
  float largest_key;  ///< ∞ where one is ∞ or NaN
  bool values_are_finite;
  float* output;
  std::size_t output_stride;

  const float* hiding(std::size_t query) const {
    return mask == nullptr ? nullptr : mask + query * mask_stride;
  }

  /// How many keys the queries from `first` on see together, up to the last one that they see; all
  /// of them where the score of a hidden one could be other than a plain number, and then shows.
  std::size_t seen_by(std::size_t first, std::size_t count) const {
    if (mask == nullptr || !values_are_finite) return key_len;
    std::size_t seen = 0;
    float largest_query = 0.0F;
    for (std::size_t i = first; i < first + count; ++i) {
      seen = std::max(seen, visible(hiding(i), key_len));
      largest_query = std::max(largest_query, magnitude(q + i * q_stride, head_dim));
    }
    // No sum on the way to a score can be larger than this.
    const double bound = static_cast<double>(head_dim) * static_cast<double>(largest_query) *
                         static_cast<double>(largest_key);
    const double scale = std::abs(static_cast<double>(divisor.number()));
    constexpr double most = std::numeric_limits<float>::max() / 2;
    return bound < most && bound < most * scale ? seen : key_len;
  }
};

/// The steps of some queries of one head, a row of `stride` cells each; where they are not kept,
/// all are the same.
struct Rows {
  float* scores = nullptr;
  float* scaled = nullptr;
  float* masked = nullptr;
  float* weights = nullptr;
  std::size_t stride = 0;
  bool kept = false;

  Rows from(std::size_t row) const {
    const std::size_t cells = row * stride;
    return {scores + cells, scaled + cells, masked + cells, weights + cells, stride, kept};
  }
  /// The first of them, a query's, which sees or may see so many keys.
  ScoreRow of(const Head& head, std::size_t query, std::size_t keys) const {
    return {keys, scores, scaled, head.hiding(query), masked, weights, head.divisor};
  }
};

/// Scores and weights of the queries from `first` on. Where their rows are not kept, nothing is
/// computed for keys that none of them sees. Returns how many weights there are until only those of
/// hidden keys follow, which are 0.
std::size_t weigh(const Head& head, const PackedMatrix& keys, std::size_t first, std::size_t count,
                  const Rows& rows) {
  const std::size_t wanted = rows.kept ? head.key_len : head.seen_by(first, count);
  multiply({head.q + first * head.q_stride, count, head.head_dim, head.q_stride, 1},
           {&keys, rows.scores, rows.stride, nullptr, wanted});
  std::size_t seen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    seen = std::max(seen, weigh_row(rows.from(i).of(head, first + i, wanted)));
  }
  return seen;
}

/// What `weigh` returned when it made these masked scores, or more.
std::size_t seen_in(const float* masked, std::size_t count, std::size_t key_len) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < count; ++i, masked += key_len) {
    seen = std::max(seen, visible(masked, key_len));
  }
  return seen;
}

/// The head outputs of the queries from `first` on, whose weights are these, a row every `stride`.
void reweight(const Head& head, const PackedMatrix& values, std::size_t first, std::size_t count,
              const float* weights, std::size_t stride, std::size_t seen) {
  const bool skip = head.mask != nullptr && head.values_are_finite;
  float* output = head.output + first * head.output_stride;
  multiply({weights, count, skip ? seen : head.key_len, stride, 1},
           {&values, output, head.output_stride});
  if (head.mask == nullptr || skip) return;
  for (std::size_t i = 0; i < count; ++i, output += head.output_stride) {
    if (hides_all(head.hiding(first + i), head.key_len)) std::fill_n(output, head.head_dim, 0.0F);
  }
}

// The same where the products are small.

void weigh_small(const Head& head, std::size_t first, std::size_t count, const Rows& rows) {
  // Step after step, and not query after query: a processor works at several rows at once then.
  for (std::size_t i = 0; i < count; ++i) {
    multiply_small_row_transposed(head.q + (first + i) * head.q_stride, head.k, head.k_stride,
                                  head.head_dim, head.key_len, rows.from(i).scores);
  }
  for (std::size_t i = 0; i < count; ++i) weigh_row(rows.from(i).of(head, first + i, head.key_len));
}

void reweight_small(const Head& head, std::size_t first, std::size_t count, const float* weights,
                    std::size_t stride) {
  const std::size_t D = head.head_dim;
  const SmallFactor values{head.v, head.key_len, D, head.v_stride};
  for (std::size_t i = 0; i < count; ++i, weights += stride) {
    float* output = head.output + (first + i) * head.output_stride;
    if (head.mask != nullptr && hides_all(head.hiding(first + i), head.key_len)) {
      std::fill_n(output, D, 0.0F);
    } else {
      multiply_small_row(weights, values, output);
    }
  }
}

void attend(const Head& head, const Workspace& packed, bool small, std::size_t first,
            std::size_t count, const Rows& rows) {
  if (small) {
    weigh_small(head, first, count, rows);
    reweight_small(head, first, count, rows.weights, rows.stride);
  } else {
    const std::size_t seen = weigh(head, packed.keys, first, count, rows);
    reweight(head, packed.values, first, count, rows.weights, rows.stride, seen);
  }
}

/// Where masked scores and weights are there already.
void reweight_given(const Head& head, const Workspace& packed, bool small, std::size_t first,
                    std::size_t count, const float* masked, const float* weights) {
  if (small) {
    reweight_small(head, first, count, weights, head.key_len);
  } else {
    const std::size_t seen = seen_in(masked, count, head.key_len);
    reweight(head, packed.values, first, count, weights, head.key_len, seen);
  }
}

}  // namespace

void scaled_dot_product_attention(const Tensor& q_heads, const Tensor& k_heads,
                                  const Tensor& v_heads, std::optional<float> divisor,
                                  const Tensor& mask, const Marks* rows,
                                  const ScaledDotProduct& result) {
  const std::size_t H = q_heads.dim(1);
  const std::size_t Lq = q_heads.dim(2);
  const std::size_t Lk = k_heads.dim(2);
  const std::size_t D = q_heads.dim(3);
  std::optional<Tensor> q_copy;
  const Tensor& q = with_rows(q_heads, q_copy);
  std::optional<Tensor> mask_copy;
  const Tensor& hides = with_rows(mask, mask_copy);
  const std::size_t together = queries_together(Lk);
  const Divisor scale(divisor.value_or(1.0F));

  // Both products, with the keys and with the values, have a right factor of these numbers.
  const bool small =
      is_small(D, Lk) && k_heads.has_contiguous_rows() && v_heads.has_contiguous_rows();

  Workspace& work = workspace();
  const bool given = result.given_attention_weights != nullptr;
  const bool kept = given || result.scores != nullptr;
  if (!kept) work.rows.resize(together * Lk);
  Rows all_rows{work.rows.data(), work.rows.data(), work.rows.data(), work.rows.data(), Lk, kept};
  if (kept) {
    all_rows = {
        result.scores, result.scaled_scores, result.masked_scores, result.attention_weights, Lk,
        kept};
  }
  const Strides& output_strides = result.head_output_strides;

  for (std::size_t place = 0; place < q_heads.dim(0) * H; ++place) {
    const std::size_t sample = place / H;
    const std::size_t head = place % H;
    const std::size_t begin = place * Lq;  // of its queries among all of them
    if (rows != nullptr && !rows->any_in(begin, Lq)) continue;
    if (!small && !given) {
      pack({head_of(k_heads, sample, head), D, Lk, k_heads.strides()[3], k_heads.strides()[2]},
           work.keys);
    }
    if (!small) {
      pack({head_of(v_heads, sample, head), Lk, D, v_heads.strides()[2], v_heads.strides()[3]},
           work.values);
    }
    const Head here{head_of(q, sample, head),
                    q.strides()[2],
                    head_of(k_heads, sample, head),
                    k_heads.strides()[2],
                    head_of(v_heads, sample, head),
                    v_heads.strides()[2],
                    hides.defined() ? head_of(hides, sample, head) : nullptr,
                    hides.defined() ? hides.strides()[2] : 0,
                    Lk,
                    D,
                    scale,
                    hides.defined() && !kept && !small ? magnitude(work.keys) : infinity,
                    hides.defined() && !small && magnitude(work.values) < infinity,
                    result.head_outputs + sample * output_strides[0] + head * output_strides[1],
                    output_strides[2]};
    for (std::size_t first = 0; first < Lq;) {
      Marks::Run run{first, std::min(together, Lq - first)};
      if (rows != nullptr) {
        run = rows->run_from(begin + first, begin + Lq, together);
        if (run.count == 0) break;
        run.first -= begin;
      }
      if (given) {
        const std::size_t cells = (begin + run.first) * Lk;
        reweight_given(here, work, small, run.first, run.count, result.given_masked_scores + cells,
                       result.given_attention_weights + cells);
      } else {
        attend(here, work, small, run.first, run.count,
               kept ? all_rows.from(begin + run.first) : all_rows);
      }
      first = run.first + run.count;
    }
  }
  work.leave();
}

}  // namespace attention
