#include "document/edits/positions.hpp"

#include <array>
#include <utility>

#include "attention/elementwise.hpp"
#include "attention/embedding.hpp"

namespace document {
namespace {

struct Made {
  attention::Tensor encoding;
  std::uint64_t version = 0;

  bool is_for(const attention::Shape& shape) const {
    return encoding.defined() && encoding.shape() == shape && encoding.storage_version() == version;
  }
};

/// Larger ones are not kept: 1 MB.
constexpr std::size_t most_kept = std::size_t{1} << 18;

}  // namespace

attention::Tensor positions_of(const attention::Tensor& embedding) {
  static thread_local std::array<Made, 2> kept;
  const attention::Shape shape{embedding.dim(1), embedding.dim(2)};
  if (!kept[0].is_for(shape)) {
    std::swap(kept[0], kept[1]);
    if (!kept[0].is_for(shape)) {
      attention::Tensor encoding = attention::position_encoding(shape[0], shape[1]);
      if (encoding.size() > most_kept) return encoding;
      const std::uint64_t version = encoding.storage_version();
      kept[0] = {std::move(encoding), version};
    }
  }
  return kept[0].encoding;
}

attention::Tensor with_positions(const attention::Tensor& embedding) {
  return attention::add(embedding, positions_of(embedding));
}

}  // namespace document
