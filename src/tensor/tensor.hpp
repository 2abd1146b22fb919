// A tensor as PyTorch has it: a shape and strides laid over a shared run of floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensor/extents.hpp"

namespace tensor {

struct Storage;  // an xtensor container: tensor.cpp

/// A strided float32 view over shared storage. Copies of a Tensor share their numbers; `clone` does
/// not.
///
/// Numbers are written (`set`, `mutable_data`) only while no other tensor shares the storage; an
/// edit makes a new tensor. The same storage therefore always holds the same numbers, and
/// model::compute needs to compare no more than that to know what it can reuse.
class Tensor {
 public:
  /// Undefined: no storage. Used for "this optional tensor is not there".
  Tensor() = default;
  /// Contiguous zeros.
  explicit Tensor(const Shape& shape);
  /// Contiguous copy of `values`, which must hold shape.product() numbers.
  Tensor(const Shape& shape, std::span<const float> values);
  Tensor(const Shape& shape, std::initializer_list<float> values);
  /// Contiguous, every cell `value`.
  static Tensor full(const Shape& shape, float value);
  /// Contiguous, with undefined numbers: for code that writes every one of them.
  static Tensor uninitialized(const Shape& shape);

  bool defined() const { return storage_ != nullptr; }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  std::size_t rank() const { return shape_.rank(); }
  std::size_t dim(std::size_t axis) const { return shape_[axis]; }
  /// How many cells the shape has; a cell that is repeated (stride 0) counts each time.
  std::size_t size() const { return defined() ? shape_.product() : 0; }

  float at(const Index& index) const { return *cell(index); }
  /// Pointer to the number of that cell.
  const float* cell(const Index& index) const { return storage().data() + position(index); }
  /// Where in the storage the cell at `index` lies: offset + Σ index·stride.
  std::size_t position(const Index& index) const;

  /// Writes one cell. No other tensor may share the storage.
  void set(const Index& index, float value);
  /// The first cell, for code that fills the tensor. No other tensor may share the storage.
  float* mutable_data();

  /// The whole storage, from its first float, however little of it this view covers.
  std::span<const float> storage() const;
  std::size_t offset() const { return offset_; }
  /// The first cell of this view.
  const float* data() const { return storage().data() + offset_; }

  /// A number that no other storage ever had; 0 for an undefined tensor. For caches that must not
  /// keep the numbers alive.
  std::uint64_t storage_id() const;
  bool shares_storage_with(const Tensor& other) const {
    return defined() && storage_ == other.storage_;
  }
  /// True where both are the same view of the same storage, or both undefined.
  bool is_same_view(const Tensor& other) const {
    return storage_ == other.storage_ && offset_ == other.offset_ && shape_ == other.shape_ &&
           strides_ == other.strides_;
  }
  /// True where both have the same shape and the same bits in every cell: −0 is not 0.
  bool has_same_bits(const Tensor& other) const;
  /// The largest magnitude among the finite numbers of the storage, 0 if there are none. Kept after
  /// the first call, since colour scales ask in every frame. The tensor must be defined.
  float largest_finite_stored() const;
  /// A copy in a layout that a kernel reads faster (kernels/matmul.hpp), kept with the storage.
  std::shared_ptr<const void>& prepared() const;

  /// True if consecutive cells in index order are consecutive floats. Strides of axes of length 1
  /// do not matter.
  bool is_contiguous() const;
  /// True if the numbers along the last axis are consecutive floats. Needs at least one axis.
  bool has_contiguous_rows() const { return strides_.back() == 1 || shape_.back() == 1; }
  /// The first index whose cell lies at `position` of the storage, or nothing if this view skips
  /// that float. The view must not overlap itself other than by stride 0 (no diagonals).
  std::optional<Index> index_at(std::size_t position) const;
  /// True if both share storage and every float that `other` reads is a cell of this tensor too.
  bool covers(const Tensor& other) const;

  /// View with another shape of the same size, as torch.Tensor.view. Undefined where no strides can
  /// express it, which never happens to a contiguous tensor.
  Tensor reshape(const Shape& shape) const;
  /// View with two axes swapped.
  Tensor transpose(std::size_t first, std::size_t second) const;
  /// View of one index along `axis`; the axis disappears.
  Tensor select(std::size_t axis, std::size_t index) const;
  /// View of `length` indices along `axis` from `start`.
  Tensor narrow(std::size_t axis, std::size_t start, std::size_t length) const;
  /// View with axes of length 1 repeated to `shape` (stride 0) and missing leading axes added, as
  /// torch.Tensor.expand. Undefined where the shapes do not fit.
  Tensor expand(const Shape& shape) const;
  /// View of shape `lengths` whose axis i is axis order[i] of this tensor, or, where order[i] is
  /// not less than rank(), a new axis along which the numbers repeat (stride 0).
  Tensor arrange(const Extents& order, const Shape& lengths) const;
  /// This tensor if it is contiguous, else a contiguous copy.
  Tensor contiguous() const;
  /// A contiguous copy with storage of its own.
  Tensor clone() const;
  /// All cells in index order, whatever the strides.
  std::vector<float> values() const;

 private:
  std::shared_ptr<Storage> storage_;
  Shape shape_;
  Strides strides_;
  std::size_t offset_ = 0;
};

/// True where `index` names a cell of a tensor of this shape.
bool contains(const Shape& shape, const Index& index);

/// Steps `index` to the next cell in index order. False after the last one, or if there is none.
bool next_index(Index& index, const Shape& shape);

/// "[2,3,6]"; "[]" for rank 0.
std::string describe(const Extents& extents);

}  // namespace tensor
