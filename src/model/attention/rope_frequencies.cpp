#include "model/attention/rope_frequencies.hpp"

#include <algorithm>
#include <cmath>

namespace model {
namespace {

constexpr double full_turn = 6.28318530717958647692;

/// How far a pair between the two ends is on its way from `scaled` to `as_it_was`: 0 to 1.
double llama3_share(const RopeScaling& scaling, double frequency) {
  const auto low = static_cast<double>(scaling.low_freq_factor);
  const auto high = static_cast<double>(scaling.high_freq_factor);
  const double turns = static_cast<double>(scaling.original_length) * frequency / full_turn;
  return std::clamp((turns - low) / (high - low), 0.0, 1.0);
}

/// The same of yarn, which moves with the pair's number from the last pair that turns `beta_fast`
/// times to the first that turns `beta_slow` times.
double yarn_share(const Variants& variants, std::size_t pair, std::size_t dims) {
  const RopeScaling& scaling = variants.rope_scaling;
  const auto pair_turning = [&](float times) {
    return static_cast<double>(dims) *
           std::log(static_cast<double>(scaling.original_length) /
                    (static_cast<double>(times) * full_turn)) /
           (2.0 * std::log(static_cast<double>(variants.rope_base)));
  };
  double first = pair_turning(scaling.beta_fast);
  double last = pair_turning(scaling.beta_slow);
  if (scaling.from_whole_pairs) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, static_cast<double>(dims) - 1.0);
  const double span = first == last ? 0.001 : last - first;
  return 1.0 - std::clamp((static_cast<double>(pair) - first) / span, 0.0, 1.0);
}

}  // namespace

tensor::Tensor rope_frequencies(const Variants& variants, std::size_t dims) {
  const RopeScaling& scaling = variants.rope_scaling;
  tensor::Tensor frequencies({dims / 2});
  float* number = frequencies.mutable_data();
  for (std::size_t pair = 0; pair < dims / 2; ++pair) {
    const double as_it_was = std::exp(-std::log(static_cast<double>(variants.rope_base)) *
                                      static_cast<double>(2 * pair) / static_cast<double>(dims));
    double share = 0.0;
    if (scaling.kind == RopeScaling::Kind::none) share = 1.0;
    if (scaling.kind == RopeScaling::Kind::llama3) share = llama3_share(scaling, as_it_was);
    if (scaling.kind == RopeScaling::Kind::yarn) share = yarn_share(variants, pair, dims);
    *number++ = static_cast<float>(share * as_it_was +
                                   (1.0 - share) * as_it_was / static_cast<double>(scaling.factor));
  }
  return frequencies;
}

float attention_factor(const Variants& variants) {
  if (variants.rope_attention_factor != 0.0F) return variants.rope_attention_factor;
  const bool is_yarn = variants.rope_scaling.kind == RopeScaling::Kind::yarn;
  return is_yarn ? 0.1F * std::log(variants.rope_scaling.factor) + 1.0F : 1.0F;
}

}  // namespace model
