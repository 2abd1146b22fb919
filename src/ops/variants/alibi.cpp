// Attention with linear biases (Press et al., 2022, "Train Short, Test Long"): each head subtracts
// its slope times the distance between query and key.
#include <cmath>

#include "ops/operation.hpp"

namespace ops {
namespace {

/// 2^(−8·(h + 1)/H) where H is a power of two. Otherwise the paper's rule: the slopes of the power
/// of two below H, then every other one of twice as many heads.
double slope_of(std::size_t head, std::size_t heads) {
  std::size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  double eighths = static_cast<double>(head + 1) / static_cast<double>(power);
  if (head >= power)
    eighths = static_cast<double>(2 * (head - power) + 1) / static_cast<double>(2 * power);
  constexpr double logarithm = 0.69314718055994530942;  // of 2
  return std::exp(-8.0 * eighths * logarithm);
}

/// Tokens between the two. Where a mask hides what comes later, only j ≤ i counts, as in the paper;
/// without one the distance is the same in both directions.
double distance_of(std::size_t query, std::size_t key) {
  return static_cast<double>(query > key ? query - key : key - query);
}

/// [H,Lq,Lk] for scores [..,H,Lq,Lk]: it depends on their shape only.
tensor::Tensor forward(const Use& use) {
  tensor::Tensor bias(use.shape);
  float* cell = bias.mutable_data();
  for (std::size_t head = 0; head < use.shape[0]; ++head) {
    const double slope = slope_of(head, use.shape[0]);
    for (std::size_t query = 0; query < use.shape[1]; ++query) {
      for (std::size_t key = 0; key < use.shape[2]; ++key)
        *cell++ = static_cast<float>(0.0 - slope * distance_of(query, key));
    }
  }
  return bias;
}

void explain(const Use& use, Explanation& made) {
  const tensor::Index& at = made.cell.index;
  made.rule = Rule::distance;
  made.factor = -slope_of(at[0], use.shape[0]);
  made.distance = distance_of(at[1], at[2]);
  made.result = 0.0 + made.factor * made.distance;
}

}  // namespace

// Slopes are not learned, and do not depend on the scores.
constinit const Operation alibi{
    .name = "alibi", .needs = 1, .forward = forward, .explain = explain, .reads_shape_only = true};

}  // namespace ops
