#include "attention/trace.hpp"

#include <algorithm>
#include <cmath>

#include "attention/mask.hpp"

namespace attention {
namespace {

/// What is known of a tensor before anything is computed.
struct Description {
  std::string_view name;
  std::array<std::string_view, Extents::max_rank> axes;
  std::size_t rank;
  bool given;
};

constexpr bool given = true;
constexpr bool computed = false;

// In the order of TensorId.
constexpr std::array<Description, tensor_count> descriptions{{
    {"token_embedding", {"B", "Lq", "E"}, 3, given},
    {"position_encoding", {"Lq", "E"}, 2, given},
    {"query_input", {"B", "Lq", "E"}, 3, given},
    {"key_input", {"B", "Lk", "kdim"}, 3, given},
    {"value_input", {"B", "Lk", "vdim"}, 3, given},
    {"q_proj_weight", {"E", "E"}, 2, given},
    {"k_proj_weight", {"E", "kdim"}, 2, given},
    {"v_proj_weight", {"E", "vdim"}, 2, given},
    {"q_proj_bias", {"E"}, 1, given},
    {"k_proj_bias", {"E"}, 1, given},
    {"v_proj_bias", {"E"}, 1, given},
    {"out_proj_weight", {"E", "E"}, 2, given},
    {"out_proj_bias", {"E"}, 1, given},
    {"q", {"B", "Lq", "E"}, 3, computed},
    {"k", {"B", "Lk", "E"}, 3, computed},
    {"v", {"B", "Lk", "E"}, 3, computed},
    {"q_split", {"B", "Lq", "H", "D"}, 4, computed},
    {"k_split", {"B", "Lk", "H", "D"}, 4, computed},
    {"v_split", {"B", "Lk", "H", "D"}, 4, computed},
    {"q_heads", {"B", "H", "Lq", "D"}, 4, computed},
    {"k_heads", {"B", "H", "Lk", "D"}, 4, computed},
    {"v_heads", {"B", "H", "Lk", "D"}, 4, computed},
    {"scores", {"B", "H", "Lq", "Lk"}, 4, computed},
    {"scaled_scores", {"B", "H", "Lq", "Lk"}, 4, computed},
    {"mask", {"B", "H", "Lq", "Lk"}, 4, given},
    {"masked_scores", {"B", "H", "Lq", "Lk"}, 4, computed},
    {"attention_weights", {"B", "H", "Lq", "Lk"}, 4, computed},
    {"weighted_values", {"B", "H", "Lq", "Lk", "D"}, 5, computed},
    {"head_outputs", {"B", "H", "Lq", "D"}, 4, computed},
    {"merged_split", {"B", "Lq", "H", "D"}, 4, computed},
    {"merged", {"B", "Lq", "E"}, 3, computed},
    {"output", {"B", "Lq", "E"}, 3, computed},
}};

const Description& describe(TensorId id) { return descriptions[static_cast<std::size_t>(id)]; }

}  // namespace

std::string_view name_of(TensorId id) { return describe(id).name; }

std::optional<TensorId> tensor_named(std::string_view name) {
  for (std::size_t slot = 0; slot < tensor_count; ++slot) {
    if (descriptions[slot].name == name) return static_cast<TensorId>(slot);
  }
  return std::nullopt;
}

std::span<const std::string_view> axes_of(TensorId id) {
  return {describe(id).axes.data(), describe(id).rank};
}

bool is_given(TensorId id) { return describe(id).given; }

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

std::vector<TensorId> Trace::present() const {
  std::vector<TensorId> ids;
  for (std::size_t slot = 0; slot < tensor_count; ++slot) {
    if (tensors_[slot].defined()) ids.push_back(static_cast<TensorId>(slot));
  }
  return ids;
}

std::optional<TensorId> Trace::view_of(TensorId id) const {
  const Tensor& tensor = tensors_[slot(id)];
  if (!tensor.defined()) return std::nullopt;
  for (std::size_t earlier = 0; earlier < slot(id); ++earlier) {
    // Sharing is not enough: two weights may be two slices of one run of numbers, neither a view of
    // the other.
    if (tensors_[earlier].covers(tensor)) return static_cast<TensorId>(earlier);
  }
  return std::nullopt;
}

bool Trace::fully_masked(std::size_t sample, std::size_t head, std::size_t query) const {
  const Tensor& mask = (*this)[TensorId::mask];
  if (!mask.defined() || interventions.mistake == Mistake::mask_with_zero) return false;
  for (std::size_t key = 0; key < config.key_len; ++key) {
    if (mask.at({sample, head, query, key}) != hidden) return false;
  }
  return true;
}

void Trace::remember() {
  for (std::size_t i = 0; i < tensor_count; ++i) versions_[i] = tensors_[i].storage_version();
}

bool Trace::is_sole_reader(TensorId id) const {
  if (!counted_) {
    for (std::size_t i = 0; i < tensor_count; ++i) {
      readers_[i] = static_cast<std::uint8_t>(std::count_if(
          tensors_.begin(), tensors_.end(),
          [this, i](const Tensor& other) { return tensors_[i].shares_storage_with(other); }));
    }
    counted_ = true;
  }
  return tensors_[slot(id)].readers() == readers_[slot(id)];
}

Tensor Trace::weighted_values(std::size_t query) const {
  const Tensor& attention_weights = (*this)[TensorId::attention_weights];  // [B,H,Lq,Lk]
  const Tensor& v_heads = (*this)[TensorId::v_heads];                      // [B,H,Lk,D]
  if (!attention_weights.defined() || !v_heads.defined() || query >= config.query_len) return {};
  Tensor result =
      Tensor::uninitialized({config.batch, config.num_heads, 1, config.key_len, config.head_dim()});
  float* cell = result.mutable_data();
  const Strides& of_weights = attention_weights.strides();
  const Strides& of_values = v_heads.strides();
  for (std::size_t sample = 0; sample < config.batch; ++sample) {
    for (std::size_t head = 0; head < config.num_heads; ++head) {
      const float* weights = attention_weights.data() + sample * of_weights[0] +
                             head * of_weights[1] + query * of_weights[2];
      const float* values = v_heads.data() + sample * of_values[0] + head * of_values[1];
      for (std::size_t key = 0; key < config.key_len; ++key, values += of_values[2]) {
        const float weight = weights[key * of_weights[3]];
        for (std::size_t d = 0; d < config.head_dim(); ++d)
          *cell++ = weight * values[d * of_values[3]];
      }
    }
  }
  return result;
}

}  // namespace attention
