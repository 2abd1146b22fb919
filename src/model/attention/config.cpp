#include "model/attention/config.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "tensor/tensor.hpp"

namespace model {

float Scale::divisor(std::size_t head_dim, std::size_t key_len) const {
  switch (kind) {
    case Kind::none:
      return 1.0F;
    case Kind::sqrt_head_dim:
      return std::sqrt(static_cast<float>(head_dim));
    case Kind::sqrt_keys:
      return std::sqrt(static_cast<float>(key_len));
    case Kind::number:
      return number;
  }
  return 1.0F;
}

ops::Lengths lengths_of(const Config& config) {
  using enum ops::Axis;
  ops::Lengths lengths;
  lengths[B] = config.batch;
  lengths[Lq] = config.query_len;
  lengths[Lk] = config.key_len;
  lengths[E] = config.embed_dim;
  lengths[A] = config.inner_dim();
  lengths[H] = config.num_heads;
  lengths[D] = config.head_dim();
  lengths[G] = config.num_kv_heads;
  lengths[R] = config.num_kv_heads == 0 ? 0 : config.num_heads / config.num_kv_heads;
  lengths[K] = config.num_kv_heads * config.head_dim();
  lengths[kdim] = config.kdim;
  lengths[vdim] = config.vdim;
  lengths[P] = config.rope_dims() / 2;
  return lengths;
}

std::string describe_divisors(std::size_t number, std::size_t limit) {
  std::string text;
  for (std::size_t divisor = 1; divisor <= std::min(number, limit); ++divisor) {
    if (number % divisor != 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(divisor);
  }
  return text;
}

bool within_limits(const tensor::Shape& shape) {
  std::size_t product = 1;
  for (const std::size_t length : shape) {
    if (length == 0) return true;
    // Multiplied only while the product stays within the limit.
    if (length > Limits::floats / product) return false;
    product *= length;
  }
  return true;
}

std::optional<std::string> complaint_about_size(const std::string& name,
                                                const tensor::Shape& shape) {
  if (within_limits(shape)) return std::nullopt;
  return base::text("model.limit.numbers",
                    {{"name", name}, {"shape", tensor::describe(shape)}, {"most", Limits::floats}});
}

}  // namespace model
