#include "training/learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/gradients.hpp"
#include "training/initial_weights.hpp"
#include "training/parallel.hpp"

namespace training {
namespace {

using base::Result;
using model::TensorId;
using tensor::Tensor;

/// `sum` + the gradient of that name, if there is one; `sum` may be undefined.
Tensor sum_of(const Tensor& sum, const model::Weights& gradients, const std::string& name) {
  const auto found = gradients.find(name);
  if (found == gradients.end()) return sum;
  if (!sum.defined()) return found->second;
  const Tensor a = sum.contiguous();
  const Tensor b = found->second.contiguous();
  Tensor total = Tensor::uninitialized(a.shape());
  float* cell = total.mutable_data();
  for (std::size_t i = 0; i < total.size(); ++i) cell[i] = a.data()[i] + b.data()[i];
  return total;
}

/// A seed below 2^24, so that a float holds it, for each row of the model that drops numbers.
void give_seeds(model::Model& model, std::uint32_t seed) {
  for (std::size_t part = 0; part < model.size(); ++part) {
    model::Trace& trace = model[part].trace;
    for (const model::Node& row : trace.nodes) {
      if (row.operation != &ops::dropout) continue;
      const std::string place = std::to_string(part) + '.' + std::string(name_of(row.of[1]));
      const auto bits = base::Random(seed, place).below(1U << 24U);
      trace.tensors[row.of[1]] = Tensor::full({}, static_cast<float>(bits));
    }
  }
}

}  // namespace

std::size_t counted_tokens(const model::TokenBatch& batch) {
  std::size_t count = 0;
  for (const float token : batch.right.values()) count += token >= 0.0F ? 1 : 0;
  return count;
}

Result<Gradients> gradients_of(const model::Transformer& transformer, const model::Weights& weights,
                               const model::TokenBatch& batch, std::uint32_t dropout_seed,
                               float importance) {
  Result<model::Model> model = model::transformer_model(transformer, weights, batch);
  if (!model) return base::fail(model.error());
  const std::size_t last = model->size() - 1;
  give_seeds(*model, dropout_seed);
  model::add_gradients(*model, last, "loss", [&](const model::Trace& part, TensorId given) {
    return weights.contains(model::weight_name(part.name, given));
  });
  (*model)[last].trace.tensors[TensorId("loss").gradient()] = Tensor::full({}, importance);
  const std::vector<model::Trace> traces = model::compute(*model);

  Gradients made;
  made.loss = static_cast<double>(traces[last]["loss"].at({}));
  for (std::size_t part = 0; part < traces.size(); ++part) {
    // A weight that several parts read belongs to the one that it was given to.
    for (const TensorId id : (*model)[part].trace.tensors.present()) {
      if (id.is_gradient() || !traces[part].has(id.gradient())) continue;
      const std::string name = model::weight_name(traces[part].name, id);
      if (weights.contains(name)) made.of[name] = traces[part][id.gradient()];
    }
  }
  return made;
}

Learner::Learner(const model::Transformer& transformer, Method method, std::uint32_t seed)
    : transformer_(transformer), method_(method), seed_(seed) {
  for (const auto& [name, weight] : initial_weights(transformer, seed)) {
    names_.push_back(name);
    parameters_.push_back({weight});
  }
}

model::Transformer Learner::in_use() const {
  model::Transformer plain = transformer_;
  plain.dropout = plain.label_smoothing = 0.0F;
  return plain;
}

model::Weights Learner::weights() const {
  model::Weights weights;
  for (std::size_t i = 0; i < names_.size(); ++i) weights[names_[i]] = parameters_[i].value;
  return weights;
}

std::size_t Learner::parameter_count() const {
  std::size_t count = 0;
  for (const Parameter& parameter : parameters_) count += parameter.value.size();
  return count;
}

void Learner::restore(std::size_t steps, std::vector<Parameter> parameters) {
  steps_ = steps;
  parameters_ = std::move(parameters);
}

Result<Gradients> Learner::gradients_of_shard(const model::Weights& weights,
                                              std::span<const model::TokenBatch> shards,
                                              std::size_t index) const {
  std::size_t total = 0;
  for (const model::TokenBatch& shard : shards) total += counted_tokens(shard);
  const double share = static_cast<double>(counted_tokens(shards[index])) /
                       static_cast<double>(std::max<std::size_t>(total, 1));
  base::Random random(seed_, "dropout");
  const auto step_seed = static_cast<std::uint32_t>(random.bits() + steps_ * 8191 + index);
  Result<Gradients> made =
      gradients_of(transformer_, weights, shards[index], step_seed, static_cast<float>(share));
  if (made) made->loss *= share;
  return made;
}

Result<Gradients> Learner::gradients_of_shard(std::span<const model::TokenBatch> shards,
                                              std::size_t index) const {
  return gradients_of_shard(weights(), shards, index);
}

double Learner::step_along(std::span<const Gradients> shards, float learning_rate) {
  double loss = 0.0;
  for (const Gradients& each : shards) loss += each.loss;
  ++steps_;
  parallel(shards.size(), [&](std::size_t i) {  // each thread a part of the weights
    for (std::size_t place = i; place < names_.size(); place += shards.size()) {
      Tensor gradient;
      for (const Gradients& each : shards) gradient = sum_of(gradient, each.of, names_[place]);
      step(method_, {&parameters_[place], 1}, {&gradient, 1}, learning_rate, steps_);
    }
  });
  return loss;
}

Result<double> Learner::learn(std::span<const model::TokenBatch> shards, float learning_rate) {
  std::vector<Result<Gradients>> made(shards.size(), Gradients{});
  parallel(shards.size(), [&](std::size_t i) {
    model::Weights own = weights();
    // Each thread has copies of its own: a weight keeps a packed copy of itself with its numbers.
    if (shards.size() > 1) {
      for (auto& [name, weight] : own) weight = weight.clone();
    }
    made[i] = gradients_of_shard(own, shards, i);
  });
  std::vector<Gradients> gradients;
  for (Result<Gradients>& each : made) {
    if (!each) return base::fail(each.error());
    gradients.push_back(*std::move(each));
  }
  return step_along(gradients, learning_rate);
}

}  // namespace training
