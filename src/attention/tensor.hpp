// A tensor as PyTorch has it: a shape and strides laid over a shared run of floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "attention/aligned.hpp"
#include "attention/extents.hpp"

namespace attention {

struct PackedMatrix;

/// A strided float32 view over shared storage. Copies of a Tensor share their numbers; `clone` does
/// not.
///
/// `reshape`, `transpose`, `select` and `expand` return views: no number moves, only shape and
/// strides change. That is not an implementation detail here but what the lesson is about.
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

  float at(const Index& index) const { return storage_->values[position(index)]; }
  /// Writes through to everything that shares this storage, and gives the storage a new version.
  void set(const Index& index, float value);

  /// Where in the storage the cell at `index` lies: offset + Σ index·stride.
  std::size_t position(const Index& index) const;

  /// The whole shared run, from its first float, whatever this view covers.
  std::span<const float> storage() const;
  std::size_t offset() const { return offset_; }
  /// The first cell of this view.
  const float* data() const { return storage_->values.get() + offset_; }
  /// The first cell, for the code that fills a tensor it has just made.
  float* mutable_data();

  /// Changes whenever the numbers in this storage may have changed; unique among all storages.
  std::uint64_t storage_version() const { return defined() ? storage_->version : 0; }
  bool shares_storage_with(const Tensor& other) const {
    return defined() && storage_ == other.storage_;
  }
  /// How many tensors read this storage, this one among them.
  std::size_t readers() const { return static_cast<std::size_t>(storage_.use_count()); }
  /// True where both are the same view of the same storage: whatever is read through one is read
  /// through the other.
  bool is_same_view(const Tensor& other) const {
    return storage_ == other.storage_ && offset_ == other.offset_ && shape_ == other.shape_ &&
           strides_ == other.strides_;
  }
  /// What matmul makes of a matrix to read it faster. It belongs to the numbers and is gone when
  /// they change.
  std::shared_ptr<PackedMatrix>& packed() const { return storage_->packed; }
  /// The positions where the two storages may hold other numbers, if that is known without looking:
  /// where both are copies (`clone`) of the same numbers, or one is of the other's, and a few were
  /// `set` since.
  std::optional<std::vector<std::size_t>> may_differ_at(const Tensor& other) const;
  /// The largest magnitude among the finite numbers of the storage, 0 where there is none. Looked
  /// for once, until numbers change that it may have been. Only of a tensor that is defined.
  float largest_finite_stored() const;
  /// True where the cells lie one behind the other in index order. Strides of axes of length 1 do
  /// not matter.
  bool is_contiguous() const;
  /// True where the numbers of a row, along the last axis, lie side by side. Only of a tensor that
  /// has an axis.
  bool has_contiguous_rows() const { return strides_.back() == 1 || shape_.back() == 1; }
  /// The first index whose cell lies at `position` of the storage, or nothing where this view skips
  /// that float.
  std::optional<Index> index_at(std::size_t position) const;
  /// True where every cell of `other` is a cell of this tensor too: same storage, and no float
  /// outside.
  bool covers(const Tensor& other) const;
  /// True where every float of the storage is surely a cell of this tensor.
  bool covers_storage() const;

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
  /// View with a new axis of length 1 before `axis` (or after the last one, for axis == rank()).
  Tensor unsqueeze(std::size_t axis) const;
  /// View with axes of length 1 repeated to `shape` (stride 0); missing leading axes are added.
  /// Undefined where the shapes do not fit.
  Tensor expand(const Shape& shape) const;
  /// This tensor if it is contiguous, else a contiguous copy.
  Tensor contiguous() const;
  /// A contiguous copy with storage of its own.
  Tensor clone() const;
  /// All cells in index order, whatever the strides.
  std::vector<float> values() const;

 private:
  struct Storage {
    std::unique_ptr<float[], AlignedDelete> values;
    std::size_t size = 0;
    std::uint64_t version = 0;
    std::shared_ptr<PackedMatrix> packed;
    std::optional<float> largest_finite;
    /// Of a copy: the version that it is one of, and where it was written since, number by number.
    /// 0: of none, or other things were done to it.
    std::uint64_t copied_from = 0;
    std::vector<std::size_t> written;

    /// The numbers are others from now on.
    void change();
    /// One number is.
    void set(std::size_t position, float value);
  };
  /// Room for `size` floats, nothing in it yet.
  static std::shared_ptr<Storage> make_storage(std::size_t size);
  /// All cells in index order.
  void copy_to(float* cells) const;

  std::shared_ptr<Storage> storage_;
  Shape shape_;
  Strides strides_;
  std::size_t offset_ = 0;
};

/// Strides, in floats, of a contiguous tensor of this shape.
Strides contiguous_strides(const Shape& shape);

/// The cells as a matrix [rows, length of the last axis], contiguous: a view where that is
/// possible. What works along the last axis needs to know no more.
Tensor as_rows(const Tensor& tensor);

/// Steps `index` to the next cell in index order; false after the last one (and for an empty shape
/// axis).
bool next_index(Index& index, const Shape& shape);

}  // namespace attention
