#include "tensor/tensor.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "tensor/storage.hpp"

namespace tensor {
namespace {

std::uint64_t next_id() {
  static std::uint64_t last = 0;
  return ++last;
}

/// An evenly spaced run of cells: what is left of axes once those that continue one another are
/// joined.
struct Run {
  std::size_t length = 1;
  std::size_t stride = 1;
};

/// The runs of a layout, innermost first. Axes of length 1 are nowhere to be seen in it.
struct Runs {
  std::array<Run, Extents::max_rank> runs{};
  std::size_t count = 0;
};

Runs runs_of(const Shape& shape, const Strides& strides) {
  Runs result;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    if (shape[axis] == 1) continue;
    if (result.count > 0) {
      Run& inner = result.runs[result.count - 1];
      if (strides[axis] == inner.length * inner.stride) {
        inner.length *= shape[axis];
        continue;
      }
    }
    result.runs[result.count++] = {shape[axis], strides[axis]};
  }
  return result;
}

/// True where the axes that are not repeated (stride 0) fill their range of the storage without a
/// gap: one axis has stride 1, and each further one steps over exactly what is already filled.
bool is_dense(const Shape& shape, const Strides& strides) {
  std::size_t filled = 1;
  std::size_t found = 0;
  std::size_t wanted = 0;
  for (std::size_t round = 0; round < shape.rank(); ++round) {
    if (shape[round] > 1 && strides[round] > 0) ++wanted;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] <= 1 || strides[axis] != filled) continue;
      filled *= shape[axis];
      ++found;
      break;
    }
  }
  return found == wanted;
}

/// Distance from the first cell of a view to its last one.
std::size_t reach(const Shape& shape, const Strides& strides) {
  std::size_t distance = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    distance += (shape[axis] - 1) * strides[axis];
  }
  return distance;
}

/// Finds the first index, in index order from `axis` on, that lies `distance` from the first cell.
bool find_index(const Shape& shape, const Strides& strides, std::size_t axis, std::size_t distance,
                Index& index) {
  if (axis == shape.rank()) return distance == 0;
  std::size_t rest = 0;  // how far the axes behind this one reach
  for (std::size_t inner = axis + 1; inner < shape.rank(); ++inner) {
    rest += (shape[inner] - 1) * strides[inner];
  }
  const std::size_t stride = strides[axis];
  if (stride == 0) {
    index[axis] = 0;
    return find_index(shape, strides, axis + 1, distance, index);
  }
  std::size_t first = distance > rest ? (distance - rest + stride - 1) / stride : 0;
  const std::size_t last = std::min(distance / stride, shape[axis] - 1);
  for (; first <= last; ++first) {
    index[axis] = first;
    if (find_index(shape, strides, axis + 1, distance - first * stride, index)) return true;
  }
  return false;
}

/// All cells in index order.
void copy_to(const Tensor& tensor, float* cells) {
  if (tensor.size() == 0) return;
  if (tensor.is_contiguous()) {
    std::copy_n(tensor.data(), tensor.size(), cells);
    return;
  }
  const std::size_t row_length = tensor.shape().back();
  const std::size_t step = tensor.strides().back();
  Shape rows = tensor.shape();  // one index per row: the last axis is walked by the inner loop
  rows[tensor.rank() - 1] = 1;
  Index index = Extents::filled(tensor.rank(), 0);
  do {
    const float* cell = tensor.storage().data() + tensor.position(index);
    for (std::size_t i = 0; i < row_length; ++i) *cells++ = cell[i * step];
  } while (next_index(index, rows));
}

}  // namespace

Strides contiguous_strides(const Shape& shape) {
  Strides strides = Extents::filled(shape.rank(), 1);
  for (std::size_t axis = shape.rank(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

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

Tensor Tensor::uninitialized(const Shape& shape) {
  Tensor result;
  result.storage_ = std::make_shared<Storage>();
  result.storage_->values.resize(shape.product());
  result.storage_->id = next_id();
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
  for (std::size_t axis = 0; axis < rank(); ++axis) {  // repeated by both: once is enough
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
  if (!defined()) return false;
  std::size_t expected = 1;
  bool one_behind_the_other = true;
  for (std::size_t axis = rank(); axis-- > 0;) {
    if (shape_[axis] == 0) return true;
    if (shape_[axis] == 1) continue;
    if (strides_[axis] != expected) one_behind_the_other = false;
    expected *= shape_[axis];
  }
  return one_behind_the_other;
}

std::optional<Index> Tensor::index_at(std::size_t position) const {
  if (!defined() || position < offset_ || shape_.product() == 0) return std::nullopt;
  const std::size_t distance = position - offset_;
  if (distance > reach(shape_, strides_)) return std::nullopt;
  Index index = Extents::filled(rank(), 0);
  if (!find_index(shape_, strides_, 0, distance, index)) return std::nullopt;
  return index;
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
  // Each new axis, innermost first, takes its cells from the run that the axes before it have not
  // used up.
  const Runs old = runs_of(shape_, strides_);
  view.strides_ = Extents::filled(shape.rank(), 1);
  std::size_t next_run = 0;
  Run run;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    if (shape[axis] > 1 && run.length == 1) run = old.runs[next_run++];
    if (run.length % shape[axis] != 0) return {};
    view.strides_[axis] = run.stride;
    run.stride *= shape[axis];
    run.length /= shape[axis];
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
  assert(index < shape_[axis]);
  Tensor view = *this;
  view.offset_ += index * strides_[axis];
  view.shape_ = {};
  view.strides_ = {};
  for (std::size_t kept = 0; kept < rank(); ++kept) {
    if (kept == axis) continue;
    view.shape_.push_back(shape_[kept]);
    view.strides_.push_back(strides_[kept]);
  }
  return view;
}

Tensor Tensor::narrow(std::size_t axis, std::size_t start, std::size_t length) const {
  assert(start + length <= shape_[axis]);
  Tensor view = *this;
  view.offset_ += start * strides_[axis];
  view.shape_[axis] = length;
  return view;
}

Tensor Tensor::unsqueeze(std::size_t axis) const {
  assert(axis <= rank());
  Tensor view = *this;
  view.shape_ = {};
  view.strides_ = {};
  for (std::size_t old = 0; old <= rank(); ++old) {
    if (old == axis) {
      view.shape_.push_back(1);
      view.strides_.push_back(old < rank() ? shape_[old] * strides_[old] : 1);
    }
    if (old == rank()) break;
    view.shape_.push_back(shape_[old]);
    view.strides_.push_back(strides_[old]);
  }
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
  copy_to(*this, copy.mutable_data());
  return copy;
}

std::vector<float> Tensor::values() const {
  std::vector<float> result(size());
  copy_to(*this, result.data());
  return result;
}

}  // namespace tensor
