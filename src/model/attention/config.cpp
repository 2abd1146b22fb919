#include "model/attention/config.hpp"

#include <cmath>

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

std::optional<float> Config::divisor() const {
  if (scale.kind == Scale::Kind::none) return std::nullopt;
  return scale.divisor(head_dim(), key_len);
}

}  // namespace model
