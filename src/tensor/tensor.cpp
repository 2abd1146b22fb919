#include "tensor/tensor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "tensor/xtensor.hpp"

namespace tensor {

struct Storage {
  /// xt::uvector does not initialise its floats.
  xt::uvector<float> values;
  std::uint64_t id = 0;
  std::optional<float> largest_finite = {};   ///< after the first call that asks for it
  std::shared_ptr<const void> prepared = {};  ///< Tensor::prepared
};

namespace {

/// Distance from the first cell of a view to its last one.
std::size_t reach(const Shape& shape, const Strides& strides) {
  std::size_t distance = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    distance += (shape[axis] - 1) * strides[axis];
  }
  return distance;
}

/// True if the view reads every float from its first cell to its last.
bool is_dense(const Shape& shape, const Strides& strides) {
  std::size_t cells = 1;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (strides[axis] > 0) cells *= shape[axis];
  }
  return cells == reach(shape, strides) + 1;
}

/// Strides of a contiguous tensor of this shape.
Strides contiguous_strides(const Shape& shape) {
  Strides strides = Extents::filled(shape.rank(), 1);
  for (std::size_t axis = shape.rank(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

}  // namespace

bool contains(const Shape& shape, const Index& index) {
  if (shape.rank() != index.rank()) return false;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (index[axis] >= shape[axis]) return false;
  }
  return true;
}

bool next_index(Index& index, const Shape& shape) {
  assert(index.rank() == shape.rank());
  if (shape.product() == 0) return false;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

std::string describe(const Extents& extents) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < extents.rank(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(extents[axis]);
  }
  return text + ']';
}

Tensor Tensor::uninitialized(const Shape& shape) {
  static std::atomic<std::uint64_t> last_id = 0;  // training computes on several threads
  Tensor result;
  result.storage_ = std::make_shared<Storage>();
  result.storage_->values.resize(shape.product());
  result.storage_->id = ++last_id;
  result.shape_ = shape;
  result.strides_ = contiguous_strides(shape);
  return result;
}

Tensor::Tensor(const Shape& shape) : Tensor(full(shape, 0.0F)) {}

Tensor::Tensor(const Shape& shape, std::span<const float> values) : Tensor(uninitialized(shape)) {
  assert(values.size() == shape.product());
  std::copy(values.begin(), values.end(), storage_->values.begin());
}

Tensor::Tensor(const Shape& shape, std::initializer_list<float> values)
    : Tensor(shape, std::span<const float>(values.begin(), values.size())) {}

Tensor Tensor::full(const Shape& shape, float value) {
  Tensor result = uninitialized(shape);
  std::fill(result.storage_->values.begin(), result.storage_->values.end(), value);
  return result;
}

void Tensor::set(const Index& index, float value) {
  mutable_data()[position(index) - offset_] = value;
}

std::size_t Tensor::position(const Index& index) const {
  assert(index.rank() == rank());
  std::size_t position = offset_;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    assert(index[axis] < shape_[axis]);
    position += index[axis] * strides_[axis];
  }
  return position;
}

std::span<const float> Tensor::storage() const {
  if (!defined()) return {};
  return {storage_->values.data(), storage_->values.size()};
}

std::uint64_t Tensor::storage_id() const { return defined() ? storage_->id : 0; }

std::shared_ptr<const void>& Tensor::prepared() const { return storage_->prepared; }

bool Tensor::has_same_bits(const Tensor& other) const {
  if (defined() != other.defined() || shape_ != other.shape_) return false;
  if (!defined() || size() == 0 || is_same_view(other)) return true;
  Tensor a = *this;
  Tensor b = other;
  // An axis that both repeat needs to be compared only once.
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (strides_[axis] == 0 && other.strides_[axis] == 0) a.shape_[axis] = b.shape_[axis] = 1;
  }
  a = a.contiguous();
  b = b.contiguous();
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

float Tensor::largest_finite_stored() const {
  if (!storage_->largest_finite) {
    float largest = 0.0F;
    for (const float value : storage()) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    storage_->largest_finite = largest;
  }
  return *storage_->largest_finite;
}

float* Tensor::mutable_data() {
  assert(storage_.use_count() == 1);
  return storage_->values.data() + offset_;
}

bool Tensor::is_contiguous() const {
  if (size() == 0) return defined();
  const Strides contiguous = contiguous_strides(shape_);
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (shape_[axis] > 1 && strides_[axis] != contiguous[axis]) return false;
  }
  return true;
}

std::optional<Index> Tensor::index_at(std::size_t position) const {
  if (size() == 0 || position < offset_) return std::nullopt;
  // The view does not overlap itself, so, largest stride first, each axis takes as many steps as
  // fit into the distance that is left.
  std::size_t left = position - offset_;
  std::array<std::size_t, Extents::max_rank> axes{};
  const auto last = axes.begin() + static_cast<std::ptrdiff_t>(rank());
  std::iota(axes.begin(), last, std::size_t{0});
  const auto is_longer = [&](auto a, auto b) { return strides_[a] > strides_[b]; };
  std::make_heap(axes.begin(), last, is_longer);  // less code than std::sort
  std::sort_heap(axes.begin(), last, is_longer);
  Index index = Extents::filled(rank(), 0);
  for (const std::size_t axis : std::span(axes.begin(), last)) {
    if (strides_[axis] == 0) continue;
    index[axis] = std::min(left / strides_[axis], shape_[axis] - 1);
    left -= index[axis] * strides_[axis];
  }
  return left == 0 ? std::optional(index) : std::nullopt;
}

bool Tensor::covers(const Tensor& other) const {
  if (!shares_storage_with(other)) return false;
  if (other.size() == 0) return true;
  if (size() == 0) return false;
  const std::size_t last = offset_ + reach(shape_, strides_);
  const std::size_t other_last = other.offset_ + reach(other.shape_, other.strides_);
  if (other.offset_ < offset_ || other_last > last) return false;
  if (is_dense(shape_, strides_)) return true;
  Index index = Extents::filled(other.rank(), 0);
  do {
    if (!index_at(other.position(index)).has_value()) return false;
  } while (next_index(index, other.shape_));
  return true;
}

Tensor Tensor::reshape(const Shape& shape) const {
  if (!defined() || shape.product() != size()) return {};
  Tensor view = *this;
  view.shape_ = shape;
  if (size() == 0) {
    view.strides_ = contiguous_strides(shape);
    return view;
  }
  // Innermost first, each new axis is cut from a run of evenly spaced cells. Old axes are merged
  // into the run until the new axis divides its length.
  view.strides_ = Extents::filled(shape.rank(), 1);
  std::size_t run = 1;
  std::size_t stride = 1;
  std::size_t old = rank();
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    while (run % shape[axis] != 0) {
      if (old-- == 0) return {};
      if (shape_[old] == 1) continue;
      if (run == 1) stride = strides_[old];
      if (strides_[old] != run * stride) return {};
      run *= shape_[old];
    }
    view.strides_[axis] = stride;
    stride *= shape[axis];
    run /= shape[axis];
  }
  return view;
}

Tensor Tensor::transpose(std::size_t first, std::size_t second) const {
  Tensor view = *this;
  std::swap(view.shape_[first], view.shape_[second]);
  std::swap(view.strides_[first], view.strides_[second]);
  return view;
}

Tensor Tensor::select(std::size_t axis, std::size_t index) const {
  Extents kept;
  Shape lengths;
  for (std::size_t other = 0; other < rank(); ++other) {
    if (other == axis) continue;
    kept.push_back(other);
    lengths.push_back(shape_[other]);
  }
  return narrow(axis, index, 1).arrange(kept, lengths);
}

Tensor Tensor::narrow(std::size_t axis, std::size_t start, std::size_t length) const {
  assert(start + length <= shape_[axis]);
  Tensor view = *this;
  view.offset_ += start * strides_[axis];
  view.shape_[axis] = length;
  return view;
}

Tensor Tensor::expand(const Shape& shape) const {
  if (!defined() || shape.rank() < rank()) return {};
  const std::size_t added = shape.rank() - rank();
  Tensor view = *this;
  view.shape_ = shape;
  view.strides_ = Extents::filled(shape.rank(), 0);
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (shape_[axis] == shape[axis + added]) {
      view.strides_[axis + added] = strides_[axis];
    } else if (shape_[axis] != 1) {
      return {};
    }
  }
  return view;
}

Tensor Tensor::arrange(const Extents& order, const Shape& lengths) const {
  Tensor view = *this;
  view.shape_ = lengths;
  view.strides_ = Extents::filled(lengths.rank(), 0);
  for (std::size_t axis = 0; axis < lengths.rank(); ++axis) {
    if (order[axis] < rank()) view.strides_[axis] = strides_[order[axis]];
  }
  return view;
}

Tensor Tensor::contiguous() const { return is_contiguous() ? *this : clone(); }

Tensor Tensor::clone() const {
  if (!defined()) return {};
  Tensor copy = uninitialized(shape_);
  float* to = copy.mutable_data();
  if (is_contiguous()) {
    std::copy_n(data(), size(), to);
    return copy;
  }
  Shape rows = shape_;  // the inner loop walks the last axis
  rows[rank() - 1] = 1;
  Index index = Extents::filled(rank(), 0);
  do {
    const float* from = cell(index);
    for (std::size_t i = 0; i < shape_.back(); ++i) *to++ = from[i * strides_.back()];
  } while (next_index(index, rows));
  return copy;
}

std::vector<float> Tensor::values() const {
  const Tensor run = contiguous();
  return {run.data(), run.data() + run.size()};
}

}  // namespace tensor
