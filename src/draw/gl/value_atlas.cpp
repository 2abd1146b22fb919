#include "draw/gl/value_atlas.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>

namespace draw {

namespace {

int rows_for(const tensor::Tensor& tensor) {
  return static_cast<int>((tensor.storage().size() + ValueAtlas::width - 1) / ValueAtlas::width);
}

}  // namespace

void ValueAtlas::hold(std::span<const tensor::Tensor> tensors) {
  int needed = 0;
  for (const tensor::Tensor& tensor : tensors) {
    if (!entries_.contains(tensor.storage_id())) needed += rows_for(tensor);
  }
  if (texture_ == 0 || next_row_ + needed > rows_) make_room(tensors);
  glBindTexture(GL_TEXTURE_2D, texture_);
  for (const tensor::Tensor& tensor : tensors) {
    if (!entries_.contains(tensor.storage_id())) send(tensor);
  }
}

int ValueAtlas::base_of(const tensor::Tensor& tensor) const {
  const auto found = entries_.find(tensor.storage_id());
  assert(found != entries_.end());
  return found == entries_.end() ? 0 : found->second.first_row * width;
}

float ValueAtlas::read(int address) const {
  for (const auto& [version, entry] : entries_) {
    const std::span<const float> run = entry.tensor.storage();
    const int first = entry.first_row * width;
    if (address >= first && address < first + static_cast<int>(run.size())) {
      return run[static_cast<std::size_t>(address - first)];
    }
  }
  return std::numeric_limits<float>::quiet_NaN();
}

void ValueAtlas::make_room(std::span<const tensor::Tensor> tensors) {
  entries_.clear();
  next_row_ = 0;
  int needed = 0;
  std::set<std::uint64_t> counted;
  for (const tensor::Tensor& tensor : tensors) {
    if (counted.insert(tensor.storage_id()).second) needed += rows_for(tensor);
  }
  // Twice what is needed leaves room for edits to append. Only when it is full is everything sent
  // again.
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  const int wanted = std::max(needed, std::min(std::max(64, 2 * needed), most));
  if (texture_ != 0 && wanted <= rows_) return;
  if (texture_ != 0) glDeleteTextures(1, &texture_);
  texture_ = new_texture(GL_NEAREST);
  rows_ = wanted;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, rows_, 0, GL_RED, GL_FLOAT, nullptr);
}

void ValueAtlas::send(const tensor::Tensor& tensor) {
  const std::span<const float> run = tensor.storage();
  const int full = static_cast<int>(run.size()) / width;
  const std::size_t sent = static_cast<std::size_t>(full) * width;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (full > 0)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, next_row_, width, full, GL_RED, GL_FLOAT, run.data());
  if (sent < run.size()) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, next_row_ + full, static_cast<GLsizei>(run.size() - sent),
                    1, GL_RED, GL_FLOAT, run.data() + sent);
  }
  floats_sent_ += run.size();
  entries_[tensor.storage_id()] = {next_row_, tensor};
  next_row_ += rows_for(tensor);
}

void ValueAtlas::forget() {
  texture_ = 0;
  rows_ = 0;
  next_row_ = 0;
  entries_.clear();
}

}  // namespace draw
