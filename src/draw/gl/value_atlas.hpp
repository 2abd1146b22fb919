// The numbers on the graphics card: every storage that is drawn, as one long run of floats in a
// texture.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "draw/gl/gl.hpp"
#include "tensor/tensor.hpp"

namespace draw {

/// Keeps storages in an R32F texture, `width` floats a row; each begins a row. What has not changed
/// is not sent again: storages are told apart by Tensor::storage_id().
class ValueAtlas {
 public:
  static constexpr int width = 2048;

  /// Makes sure the storages of all these tensors are in the texture. Needs a current context.
  void hold(std::span<const tensor::Tensor> tensors);
  /// Address of the first float of the tensor's storage. It must have been held.
  int base_of(const tensor::Tensor& tensor) const;
  /// The number that was sent to this address: what the shader reads there. NaN where nothing was
  /// sent.
  float read(int address) const;
  GLuint texture() const { return texture_; }
  /// How many floats were sent to the graphics card since the start: what an edit costs.
  std::uint64_t floats_sent() const { return floats_sent_; }

  /// The context was lost and the texture with it.
  void forget();

 private:
  /// Empties the texture, and makes it larger where these tensors do not fit into it well.
  void make_room(std::span<const tensor::Tensor> tensors);
  void send(const tensor::Tensor& tensor);

  GLuint texture_ = 0;
  int rows_ = 0;      // of the texture
  int next_row_ = 0;  // first free one
  struct Entry {
    int first_row;
    tensor::Tensor tensor;  // keeps the numbers, so that `read` can say what is drawn
  };
  std::map<std::uint64_t, Entry> entries_;  // by storage version
  std::uint64_t floats_sent_ = 0;
};

}  // namespace draw
