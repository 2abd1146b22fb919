#include "training/optimizer.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace training {

using tensor::Tensor;

namespace {

constexpr double momentum_decay = 0.9;
constexpr double mean_decay = 0.9;
constexpr double squares_decay = 0.999;
constexpr float smallest_divisor = 1e-8F;

/// base^exponent by squaring: the same on every machine, and std::pow would make the page larger.
double power(double base, std::size_t exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) result *= base;
  }
  return result;
}

/// Zeros before the first step.
Tensor remembered(const Tensor& last, const Tensor& value) {
  return last.defined() ? last : Tensor(value.shape());
}

void sgd_step(Parameter& parameter, const Tensor& gradient, float learning_rate) {
  Tensor value = Tensor::uninitialized(parameter.value.shape());
  float* const next = value.mutable_data();
  const float* const last = parameter.value.data();
  const float* const g = gradient.data();
  for (std::size_t i = 0; i < value.size(); ++i) next[i] = last[i] - learning_rate * g[i];
  parameter.value = std::move(value);
}

void momentum_step(Parameter& parameter, const Tensor& gradient, float learning_rate) {
  const Tensor last_mean = remembered(parameter.mean, parameter.value);
  Tensor mean = Tensor::uninitialized(parameter.value.shape());
  float* const m = mean.mutable_data();
  const float* const last = last_mean.data();
  const float* const g = gradient.data();
  for (std::size_t i = 0; i < mean.size(); ++i)
    m[i] = static_cast<float>(momentum_decay) * last[i] + g[i];
  sgd_step(parameter, mean, learning_rate);
  parameter.mean = std::move(mean);
}

void adam_step(Parameter& parameter, const Tensor& gradient, float learning_rate,
               std::size_t number) {
  const double mean_correction = 1.0 - power(mean_decay, number);
  const double squares_correction = 1.0 - power(squares_decay, number);
  const auto rate = static_cast<float>(static_cast<double>(learning_rate) / mean_correction);
  const auto root = static_cast<float>(std::sqrt(squares_correction));

  const tensor::Shape& shape = parameter.value.shape();
  const Tensor last_mean = remembered(parameter.mean, parameter.value);
  const Tensor last_squares = remembered(parameter.squares, parameter.value);
  Tensor value = Tensor::uninitialized(shape);
  Tensor mean = Tensor::uninitialized(shape);
  Tensor squares = Tensor::uninitialized(shape);
  float* const next = value.mutable_data();
  float* const m = mean.mutable_data();
  float* const v = squares.mutable_data();
  const float* const last = parameter.value.data();
  const float* const last_m = last_mean.data();
  const float* const last_v = last_squares.data();
  const float* const gradients = gradient.data();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const float g = gradients[i];
    m[i] = static_cast<float>(mean_decay) * last_m[i] + static_cast<float>(1.0 - mean_decay) * g;
    v[i] = static_cast<float>(squares_decay) * last_v[i] +
           static_cast<float>(1.0 - squares_decay) * g * g;
    next[i] = last[i] - rate * m[i] / (std::sqrt(v[i]) / root + smallest_divisor);
  }
  parameter = {.value = std::move(value), .mean = std::move(mean), .squares = std::move(squares)};
}

}  // namespace

void step(Method method, std::span<Parameter> parameters, std::span<const Tensor> gradients,
          float learning_rate, std::size_t number) {
  assert(parameters.size() == gradients.size() && number > 0);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!gradients[i].defined()) continue;
    Parameter& parameter = parameters[i];
    assert(gradients[i].shape() == parameter.value.shape());
    parameter.value = parameter.value.contiguous();
    const Tensor gradient = gradients[i].contiguous();
    switch (method) {
      case Method::sgd:
        sgd_step(parameter, gradient, learning_rate);
        break;
      case Method::momentum:
        momentum_step(parameter, gradient, learning_rate);
        break;
      case Method::adam:
        adam_step(parameter, gradient, learning_rate, number);
        break;
    }
  }
}

float warmup_then_decay(std::size_t step, std::size_t embed_dim, std::size_t warmup_steps) {
  const auto now = static_cast<double>(step);
  const auto warmup = static_cast<double>(warmup_steps);
  const double factor = std::min(1.0 / std::sqrt(now), now / (warmup * std::sqrt(warmup)));
  return static_cast<float>(factor / std::sqrt(static_cast<double>(embed_dim)));
}

}  // namespace training
