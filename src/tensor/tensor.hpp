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
/// A tensor never changes once others can see it: numbers are written (`set`, `mutable_data`) only
/// while nobody else shares the storage, and an edit makes a new tensor. So the same storage always
/// means the same numbers, which is all that the memo (model/part.hpp) has to ask.
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
  /// Contiguous, the numbers still to be written: for the code that writes every one of them.
  static Tensor uninitialized(const Shape& shape);

  bool defined() const { return storage_ != nullptr; }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  std::size_t rank() const { return shape_.rank(); }
  std::size_t dim(std::size_t axis) const { return shape_[axis]; }
  /// How many cells the shape has (a repeated cell counts each time).
  std::size_t size() const { return defined() ? shape_.product() : 0; }

  float at(const Index& index) const { return *cell(index); }
  /// Where the number of that cell lies.
  const float* cell(const Index& index) const { return storage().data() + position(index); }
  /// Where in the storage the cell at `index` lies: offset + Σ index·stride.
  std::size_t position(const Index& index) const;

  /// Writes one cell of a tensor that nobody else shares.
  void set(const Index& index, float value);
  /// The first cell of a tensor that nobody else shares, for the code that fills it.
  float* mutable_data();

  /// The whole shared run, from its first float, whatever this view covers.
  std::span<const float> storage() const;
  std::size_t offset() const { return offset_; }
  /// The first cell of this view.
  const float* data() const { return storage().data() + offset_; }

  /// Unique among all storages that ever were; 0 of an undefined tensor. For caches that must not
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
  /// The largest magnitude among the finite numbers of the storage, 0 where there is none. Looked
  /// for once: a colour scale asks in every frame. Only of a tensor that is defined.
  float largest_finite_stored() const;
  /// What a kernel made of these numbers to read them faster (kernels/matmul.hpp); it lives as long
  /// as they do.
  std::shared_ptr<const void>& prepared() const;

  /// True where the cells lie one behind the other in index order. Strides of axes of length 1 do
  /// not matter.
  bool is_contiguous() const;
  /// True where the numbers of a row, along the last axis, lie side by side. Only of a tensor that
  /// has an axis.
  bool has_contiguous_rows() const { return strides_.back() == 1 || shape_.back() == 1; }
  /// The first index whose cell lies at `position` of the storage, or nothing where this view skips
  /// that float. (Of axes that are no diagonals: none steps into what another one runs over.)
  std::optional<Index> index_at(std::size_t position) const;
  /// True where every cell of `other` is a cell of this tensor too: same storage, and no float
  /// outside.
  bool covers(const Tensor& other) const;

  /// View with another shape of the same size, as torch.Tensor.view: always possible for a
  /// contiguous tensor, and for others where each new axis stays inside one evenly spaced run.
  /// Undefined where numbers would have to move.
  Tensor reshape(const Shape& shape) const;
  /// View with two axes swapped.
  Tensor transpose(std::size_t first, std::size_t second) const;
  /// View of one index along `axis`; the axis disappears.
  Tensor select(std::size_t axis, std::size_t index) const;
  /// View of `length` indices along `axis` from `start`.
  Tensor narrow(std::size_t axis, std::size_t start, std::size_t length) const;
  /// View with axes of length 1 repeated to `shape` (stride 0); missing leading axes are added.
  /// Undefined where the shapes do not fit.
  Tensor expand(const Shape& shape) const;
  /// View whose axis i is axis order[i] of this one, or an axis of length lengths[i] along which
  /// the numbers repeat (stride 0) where order[i] is not an axis.
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

/// Steps `index` to the next cell in index order; false after the last one (and for an empty shape
/// axis).
bool next_index(Index& index, const Shape& shape);

/// "[2,3,6]"; "[]" for rank 0.
std::string describe(const Extents& extents);

}  // namespace tensor
