#include "attention/intervene.hpp"

#include <algorithm>

#include "attention/matmul.hpp"

namespace attention {

void intervene(const Marks* queries, bool weights_stand, Trace& trace) {
  const Config& config = trace.config;
  const Tensor& weights = trace[TensorId::attention_weights];
  const Tensor& head_outputs = trace[TensorId::head_outputs];
  for (std::size_t i = 0; i < config.batch * config.num_heads * config.query_len; ++i) {
    if (queries != nullptr && !(*queries)[i]) continue;
    const std::size_t query = i % config.query_len;
    const std::size_t head = i / config.query_len % config.num_heads;
    const std::size_t sample = i / config.query_len / config.num_heads;
    const std::size_t output =
        head_outputs.position({sample, head, query, 0}) - head_outputs.offset();
    const GivenWeights* given = trace.interventions.given_for(sample, head, query);
    if (given != nullptr && !weights_stand) {
      std::copy(given->weights.begin(), given->weights.end(),
                trace.write(TensorId::attention_weights) + i * config.key_len);
    }
    if (given != nullptr) {
      const Tensor row = weights.select(0, sample).select(0, head).narrow(0, query, 1);  // [1,Lk]
      const Tensor sum = matmul(row, trace[TensorId::v_heads].select(0, sample).select(0, head));
      std::copy_n(sum.data(), config.head_dim(), trace.write(TensorId::head_outputs) + output);
    }
    if (trace.interventions.ablates(head)) {
      std::fill_n(trace.write(TensorId::head_outputs) + output, config.head_dim(), 0.0F);
    }
  }
}

}  // namespace attention
