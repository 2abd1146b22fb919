#include "attention/tensor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "attention/scan.hpp"

namespace attention {
namespace {

/// Versions are unique among all storages, so that a version alone says "these very numbers".
std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
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

}  // namespace

Strides contiguous_strides(const Shape& shape) {
  Strides strides = Extents::filled(shape.rank(), 1);
  for (std::size_t axis = shape.rank(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

Tensor as_rows(const Tensor& tensor) {
  const std::size_t length = tensor.shape().back();
  return tensor.contiguous().reshape({length == 0 ? 0 : tensor.size() / length, length});
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

void Tensor::Storage::change() {
  version = next_version();
  if (packed) packed.reset();
  largest_finite.reset();
  copied_from = 0;
  written.clear();
}

void Tensor::Storage::set(std::size_t position, float value) {
  constexpr std::size_t most_written = 64;
  const float last = std::exchange(values[position], value);
  std::optional<float> largest = largest_finite;
  if (largest && std::abs(last) == *largest) largest.reset();  // who knows which is the next
  if (largest && std::isfinite(value)) largest = std::max(*largest, std::abs(value));
  const std::uint64_t from = written.size() < most_written ? copied_from : 0;
  std::vector<std::size_t> places = std::move(written);
  change();
  largest_finite = largest;
  copied_from = from;
  if (from != 0) {
    places.push_back(position);
    written = std::move(places);
  }
}

std::shared_ptr<Tensor::Storage> Tensor::make_storage(std::size_t size) {
  auto storage = std::make_shared<Storage>();
  // Not make_unique, which writes zeros.
  storage->values.reset(AlignedAllocator<float>().allocate(size));
  storage->size = size;
  storage->version = next_version();
  return storage;
}

Tensor Tensor::uninitialized(const Shape& shape) {
  Tensor result;
  result.storage_ = make_storage(shape.product());
  result.shape_ = shape;
  result.strides_ = contiguous_strides(shape);
  return result;
}

Tensor::Tensor(const Shape& shape) : Tensor(full(shape, 0.0F)) {}

Tensor::Tensor(const Shape& shape, std::span<const float> values) : Tensor(uninitialized(shape)) {
  assert(values.size() == shape.product());
  std::copy(values.begin(), values.end(), storage_->values.get());
}

Tensor::Tensor(const Shape& shape, std::initializer_list<float> values)
    : Tensor(shape, std::span<const float>(values.begin(), values.size())) {}

Tensor Tensor::full(const Shape& shape, float value) {
  Tensor result = uninitialized(shape);
  std::fill_n(result.storage_->values.get(), result.storage_->size, value);
  return result;
}

void Tensor::set(const Index& index, float value) { storage_->set(position(index), value); }

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
  return {storage_->values.get(), storage_->size};
}

std::optional<std::vector<std::size_t>> Tensor::may_differ_at(const Tensor& other) const {
  if (!defined() || !other.defined() || storage_->size != other.storage_->size) return std::nullopt;
  const auto from = [](const Storage& storage) {
    return storage.copied_from == 0 ? storage.version : storage.copied_from;
  };
  const Storage& a = *storage_;
  const Storage& b = *other.storage_;
  if (from(a) != from(b) && from(a) != b.version && a.version != from(b)) return std::nullopt;
  std::vector<std::size_t> places;
  if (a.version == b.version) return places;
  // Of a copy of the other one's numbers, what was written into the other has no part in it.
  if (b.copied_from != a.version) places = a.written;
  if (a.copied_from != b.version) places.insert(places.end(), b.written.begin(), b.written.end());
  return places;
}

float Tensor::largest_finite_stored() const {
  if (!storage_->largest_finite) {
    storage_->largest_finite = largest_finite(storage_->values.get(), storage_->size);
  }
  return *storage_->largest_finite;
}

float* Tensor::mutable_data() {
  storage_->change();
  return storage_->values.get() + offset_;
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

bool Tensor::covers_storage() const {
  return size() > 0 && offset_ == 0 && reach(shape_, strides_) + 1 == storage_->size &&
         is_dense(shape_, strides_);
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

Tensor Tensor::contiguous() const { return is_contiguous() ? *this : clone(); }

Tensor Tensor::clone() const {
  if (!defined()) return {};
  Tensor copy = uninitialized(shape_);
  copy_to(copy.storage_->values.get());
  if (is_contiguous() && covers_storage()) {  // every number is where it was
    copy.storage_->copied_from = storage_->version;
    copy.storage_->largest_finite = storage_->largest_finite;
  }
  return copy;
}

std::vector<float> Tensor::values() const {
  std::vector<float> result(size());
  copy_to(result.data());
  return result;
}

void Tensor::copy_to(float* cells) const {
  if (size() == 0) return;
  if (is_contiguous()) {
    std::copy_n(data(), size(), cells);
    return;
  }
  const std::size_t row_length = shape_.back();
  const std::size_t step = strides_.back();
  Shape rows = shape_;  // one index per row: the last axis is walked by the inner loop
  rows[rank() - 1] = 1;
  Index index = Extents::filled(rank(), 0);
  do {
    const float* row = storage_->values.get() + position(index);
    if (step == 1) {
      cells = std::copy_n(row, row_length, cells);
    } else {
      for (std::size_t i = 0; i < row_length; ++i) *cells++ = row[i * step];
    }
  } while (next_index(index, rows));
}

}  // namespace attention
