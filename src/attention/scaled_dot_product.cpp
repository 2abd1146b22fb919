#include "attention/scaled_dot_product.hpp"

#include <algorithm>
#include <vector>

#include "attention/lanes.hpp"
#include "attention/matmul.hpp"
#include "attention/rows.hpp"

namespace attention {
namespace {

/// How many queries are treated together: 64 kB of scores, and as much of weights.
std::size_t queries_together(std::size_t key_len) {
  constexpr std::size_t floats = 16384;
  return std::clamp(floats / key_len / 4 * 4, std::size_t{8}, std::size_t{64});
}

/// With the numbers of a row side by side, as the loops here read them.
Tensor with_rows(const Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  const std::size_t last = tensor.rank() - 1;
  return tensor.strides()[last] == 1 || tensor.dim(last) == 1 ? tensor : tensor.contiguous();
}

/// One head of one sample.
const float* head_of(const Tensor& tensor, std::size_t sample, std::size_t head) {
  return tensor.data() + sample * tensor.strides()[0] + head * tensor.strides()[1];
}

bool all_finite(const PackedMatrix& matrix) {
  // x − x is 0 for every finite x, and NaN for ∞ and NaN.
  const std::vector<float>& x = matrix.panels;
  Four sums = all_four(0.0F);
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) sums += load_four(&x[i]) - load_four(&x[i]);
  float sum = sums[0] + sums[1] + sums[2] + sums[3];
  for (; i < x.size(); ++i) sum += x[i] - x[i];
  return sum == 0.0F;
}

/// The rows of one head that are written, each `key_len` long; a step that is not there has the
/// rows of the one before it.
struct Rows {
  float* scores;
  float* scaled;
  float* masked;
  float* weights;
};

/// One query's row from its scores to its weights. Returns how many keys it can see, as
/// softmax_row.
std::size_t weigh(const Rows& rows, std::size_t at, std::optional<float> divisor, const float* mask,
                  std::size_t key_len) {
  if (divisor) divide_row(rows.scores + at, *divisor, key_len, rows.scaled + at);
  if (mask != nullptr) {
    add_row(rows.scaled + at, mask, key_len, rows.masked + at);
    if (visible(mask, key_len) == 0) {  // 0 even where a score is NaN
      std::fill_n(rows.weights + at, key_len, 0.0F);
      return 0;
    }
  }
  return softmax_row(rows.masked + at, key_len, rows.weights + at);
}

}  // namespace

ScaledDotProduct scaled_dot_product_attention(const Tensor& q_heads, const Tensor& k_heads,
                                              const Tensor& v_heads, std::optional<float> divisor,
                                              const Tensor& mask) {
  const std::size_t B = q_heads.dim(0);
  const std::size_t H = q_heads.dim(1);
  const std::size_t Lq = q_heads.dim(2);
  const std::size_t Lk = k_heads.dim(2);
  const std::size_t D = q_heads.dim(3);
  const Tensor q = with_rows(q_heads);
  const Tensor hides = with_rows(mask);

  ScaledDotProduct result;
  result.scores = Tensor::uninitialized({B, H, Lq, Lk});
  result.scaled_scores = divisor ? Tensor::uninitialized({B, H, Lq, Lk}) : result.scores;
  result.masked_scores =
      mask.defined() ? Tensor::uninitialized({B, H, Lq, Lk}) : result.scaled_scores;
  result.attention_weights = Tensor::uninitialized({B, H, Lq, Lk});
  result.head_outputs = Tensor::uninitialized({B, H, Lq, D});
  Rows rows{result.scores.mutable_data(), result.scaled_scores.mutable_data(),
            result.masked_scores.mutable_data(), result.attention_weights.mutable_data()};
  float* sums = result.head_outputs.mutable_data();

  const std::size_t together = queries_together(Lk);
  PackedMatrix keys;
  PackedMatrix values;
  std::size_t at = 0;  // the first cell of the row in the tensors [B,H,Lq,Lk]
  for (std::size_t sample = 0; sample < B; ++sample) {
    for (std::size_t head = 0; head < H; ++head) {
      pack({head_of(k_heads, sample, head), D, Lk, k_heads.strides()[3], k_heads.strides()[2]},
           keys);
      pack({head_of(v_heads, sample, head), Lk, D, v_heads.strides()[2], v_heads.strides()[3]},
           values);
      const bool skip = hides.defined() && all_finite(values);
      for (std::size_t first = 0; first < Lq; first += together) {
        const std::size_t count = std::min(together, Lq - first);
        matmul({head_of(q, sample, head) + first * q.strides()[2], count, D, q.strides()[2], 1},
               keys, nullptr, rows.scores + at);
        std::size_t seen = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const float* hiding =
              hides.defined() ? head_of(hides, sample, head) + (first + i) * hides.strides()[2]
                              : nullptr;
          seen = std::max(seen, weigh(rows, at + i * Lk, divisor, hiding, Lk));
        }
        matmul({rows.weights + at, count, skip ? seen : Lk, Lk, 1}, values, nullptr, sums);
        for (std::size_t i = 0; hides.defined() && !skip && i < count; ++i) {
          const float* hiding = head_of(hides, sample, head) + (first + i) * hides.strides()[2];
          if (visible(hiding, Lk) == 0) std::fill_n(sums + i * D, D, 0.0F);
        }
        at += count * Lk;
        sums += count * D;
      }
    }
  }
  return result;
}

}  // namespace attention
