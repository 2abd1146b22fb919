#include "attention/versions.hpp"

#include <cstring>

namespace attention {

void Versions::add(const Tensor& tensor) {
  words_.push_back(tensor.storage_version());
  words_.push_back(tensor.offset());
  words_.push_back(tensor.rank());
  for (const std::size_t length : tensor.shape()) words_.push_back(length);
  for (const std::size_t stride : tensor.strides()) words_.push_back(stride);
}

void Versions::add(float number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  words_.push_back(bits);
}

void Versions::add(bool choice) { words_.push_back(choice ? 1 : 0); }

}  // namespace attention
