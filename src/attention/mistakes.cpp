#include "attention/mistakes.hpp"

#include "attention/describe.hpp"
#include "attention/mask.hpp"
#include "attention/softmax.hpp"

namespace attention {
namespace {

/// scores + mask, but `instead(score)` where the mask hides.
template <typename Instead>
Tensor add_mask(const Tensor& scaled_scores, const Tensor& mask, Instead instead) {
  Tensor result(scaled_scores.shape());
  float* cell = result.mutable_data();
  Index index = Extents::filled(4, 0);
  do {
    const float score = scaled_scores.at(index);
    const float addend = mask.at(index);
    *cell++ = addend == hidden ? instead(score) : score + addend;
  } while (next_index(index, scaled_scores.shape()));
  return result;
}

/// Every number of the mask is 0 or −∞.
bool only_hides(const Tensor& mask) {
  Index index = Extents::filled(4, 0);
  do {
    const float addend = mask.at(index);
    if (addend != 0.0F && addend != hidden) return false;
  } while (next_index(index, mask.shape()));
  return true;
}

}  // namespace

std::optional<std::string> complaint_about(Mistake mistake, const Config& config) {
  const std::size_t D = config.head_dim();
  if (mistake != Mistake::keys_not_transposed || config.key_len == D) return std::nullopt;
  const std::string columns = std::to_string(D);
  const std::string rows = std::to_string(config.key_len);
  return "Without transposing K the shapes do not fit: q_heads is [Lq,D] = " +
         describe({config.query_len, D}) +
         " and k_heads is [Lk,D] = " + describe({config.key_len, D}) + ", so rows of " + columns +
         " would meet columns of " + rows +
         "; a matrix product needs both equal, here head_dim and the number of keys.";
}

Tensor heads_without_transpose(const Tensor& split) {
  const Shape& shape = split.shape();
  return split.contiguous().reshape({shape[0], shape[2], shape[1], shape[3]});
}

Tensor merged_without_transpose(const Tensor& head_outputs) {
  const Shape& shape = head_outputs.shape();
  return head_outputs.reshape({shape[0], shape[2], shape[1], shape[3]});
}

Tensor softmax_over_queries(const Tensor& masked_scores) {
  return softmax(masked_scores.transpose(2, 3)).transpose(2, 3).contiguous();
}

Tensor mask_with_zero(const Tensor& scaled_scores, const Tensor& mask) {
  return add_mask(scaled_scores, mask, [](float) { return 0.0F; });
}

Tensor without_hiding(const Tensor& scaled_scores, const Tensor& mask) {
  if (only_hides(mask)) return scaled_scores;
  return add_mask(scaled_scores, mask, [](float score) { return score; });
}

void hide_weights(Tensor& weights, const Tensor& mask) {
  float* cell = weights.mutable_data();
  Index index = Extents::filled(4, 0);
  do {
    if (mask.at(index) == hidden) *cell = 0.0F;
    ++cell;
  } while (next_index(index, weights.shape()));
}

}  // namespace attention
