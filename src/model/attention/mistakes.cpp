#include "model/attention/mistakes.hpp"

#include "model/tables/mistaken_rows.hpp"
#include "tensor/describe.hpp"

namespace model {

std::span<const Node> rows_of(Mistake mistake) {
  switch (mistake) {
    case Mistake::none:
      break;
    case Mistake::no_transpose:
      return nodes_of<tables::no_transpose>;
    case Mistake::no_scale:
      return nodes_of<tables::no_scale>;
    case Mistake::softmax_over_queries:
      return nodes_of<tables::over_queries>;
    case Mistake::mask_after_softmax:
      return nodes_of<tables::mask_after_softmax>;
    case Mistake::mask_with_zero:
      return nodes_of<tables::zero_mask>;
    case Mistake::keys_not_transposed:
      return nodes_of<tables::keys_not_transposed>;
  }
  return {};
}

std::optional<std::string> complaint_about(Mistake mistake, const Config& config) {
  const std::size_t D = config.head_dim();
  if (mistake != Mistake::keys_not_transposed || config.key_len == D) return std::nullopt;
  const std::string columns = std::to_string(D);
  const std::string rows = std::to_string(config.key_len);
  return "Without transposing K the shapes do not fit: q_heads is [Lq,D] = " +
         tensor::describe({config.query_len, D}) +
         " and k_heads is [Lk,D] = " + tensor::describe({config.key_len, D}) + ", so rows of " +
         columns + " would meet columns of " + rows +
         "; a matrix product needs both equal, here head_dim and the number of keys.";
}

}  // namespace model
