// Weights that learn: the gradients of a batch, and the step that they lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/transformer.hpp"
#include "training/optimizer.hpp"

namespace training {

/// A loss and the gradients of all weights that it depends on.
struct Gradients {
  double loss = 0.0;  ///< the mean over the tokens that count
  model::Weights of;
};

/// Computes the model for the batch, and goes back from its loss. `dropout_seed` decides which
/// numbers dropout drops, where transformer.dropout > 0. The gradients are multiplied by
/// `importance`. Errors: as model::transformer_model.
base::Result<Gradients> gradients_of(const model::Transformer& transformer,
                                     const model::Weights& weights, const model::TokenBatch& batch,
                                     std::uint32_t dropout_seed = 0, float importance = 1.0F);

/// How many tokens of the batch count in its loss.
std::size_t counted_tokens(const model::TokenBatch& batch);

/// The weights of a model, and what the optimiser remembers of their gradients. A copy is cheap,
/// and later steps leave it as it is.
class Learner {
 public:
  /// Weights that begin evenly spread (Glorot and Bengio, 2010), embeddings normal (with deviation
  /// 1/√E if they are multiplied by √E), norms as the identity, biases as 0.
  Learner(const model::Transformer& transformer, Method method, std::uint32_t seed);

  const model::Transformer& transformer() const { return transformer_; }
  /// The same without dropout and label smoothing: for every use but learning.
  model::Transformer in_use() const;
  model::Weights weights() const;
  std::size_t steps() const { return steps_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  /// How many numbers are learned.
  std::size_t parameter_count() const;
  /// Goes on from what was stored. Each name must be one of names(), with the shape of its weight.
  void restore(std::size_t steps, std::vector<Parameter> parameters);

  /// Learns from the shards of one batch, each on a thread of its own where there are threads.
  /// Returns the loss before the step: the mean over all tokens that count.
  base::Result<double> learn(std::span<const model::TokenBatch> shards, float learning_rate);

  /// The same with time in between: what shard `index` has to say, to be collected of all shards
  /// in their order, and the step that they lead to. Returns the loss as `learn` does.
  base::Result<Gradients> gradients_of_shard(std::span<const model::TokenBatch> shards,
                                             std::size_t index) const;
  double step_along(std::span<const Gradients> shards, float learning_rate);

 private:
  base::Result<Gradients> gradients_of_shard(const model::Weights& weights,
                                             std::span<const model::TokenBatch> shards,
                                             std::size_t index) const;

  model::Transformer transformer_;
  Method method_;
  std::uint32_t seed_;
  std::size_t steps_ = 0;
  std::vector<std::string> names_;
  std::vector<Parameter> parameters_;  ///< one per name
};

}  // namespace training
