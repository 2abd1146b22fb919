// The numbers on the graphics card: every storage that is drawn, as one run of floats in a texture.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "draw/gl/gl.hpp"
#include "tensor/tensor.hpp"

namespace draw {

/// Keeps storages in an R32F texture, `width` floats per row; each storage begins a new row.
/// Unchanged storages, which Tensor::storage_id() identifies, are not sent again.
class ValueAtlas {
 public:
  static constexpr int width = 2048;

  /// Makes sure that the storages of all these tensors are in the texture. Needs a current GL
  /// context.
  void hold(std::span<const tensor::Tensor> tensors);
  /// The address of the first float of the tensor's storage, which must have been held.
  int base_of(const tensor::Tensor& tensor) const;
  /// The number at an address of the texture, where the shader reads it. NaN if nothing was sent
  /// there.
  float read(int address) const;
  GLuint texture() const { return texture_; }
  /// How many floats have been sent to the graphics card so far, which shows what an edit costs.
  std::uint64_t floats_sent() const { return floats_sent_; }

  /// Forgets the texture, because its context was lost.
  void forget();

 private:
  /// Empties the texture and replaces it by a larger one if these tensors need that.
  void make_room(std::span<const tensor::Tensor> tensors);
  void send(const tensor::Tensor& tensor);

  GLuint texture_ = 0;
  int rows_ = 0;      // of the texture
  int next_row_ = 0;  // first free one
  struct Entry {
    int first_row;
    tensor::Tensor tensor;  // keeps the storage alive for `read`
  };
  std::map<std::uint64_t, Entry> entries_;  // by storage id
  std::uint64_t floats_sent_ = 0;
};

}  // namespace draw
