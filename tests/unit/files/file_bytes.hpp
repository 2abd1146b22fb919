// Safetensors files put together by hand, right or wrong, without the writer under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace files::test {

inline void append(std::vector<std::byte>& to, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}

/// The numbers' bytes, as they lie in a file.
template <typename Number>
std::vector<std::byte> bytes_of_numbers(const std::vector<Number>& numbers) {
  std::vector<std::byte> bytes;
  append(bytes, numbers.data(), numbers.size() * sizeof(Number));
  return bytes;
}

/// length · header · data, with the length as claimed.
inline std::vector<std::byte> file_claiming(std::uint64_t length, std::string_view header,
                                            const std::vector<std::byte>& data) {
  std::vector<std::byte> file;
  append(file, &length, sizeof(length));
  append(file, header.data(), header.size());
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

inline std::vector<std::byte> file_of(std::string_view header, const std::vector<std::byte>& data) {
  return file_claiming(header.size(), header, data);
}

/// A file of several tensors, grown one at a time.
class FileBuilder {
 public:
  FileBuilder& add(std::string_view name, std::string_view dtype,
                   const std::vector<std::uint64_t>& shape, const std::vector<std::byte>& bytes) {
    if (!header_.empty()) header_ += ',';
    header_ += '"' + std::string(name) + R"(":{"dtype":")" + std::string(dtype) + R"(","shape":[)";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      header_ += (axis > 0 ? "," : "") + std::to_string(shape[axis]);
    }
    header_ += R"(],"data_offsets":[)" + std::to_string(data_.size()) + ',' +
               std::to_string(data_.size() + bytes.size()) + "]}";
    data_.insert(data_.end(), bytes.begin(), bytes.end());
    return *this;
  }

  FileBuilder& add(std::string_view name, const std::vector<std::uint64_t>& shape,
                   const std::vector<float>& numbers) {
    return add(name, "F32", shape, bytes_of_numbers(numbers));
  }

  std::vector<std::byte> file() const { return file_of("{" + header_ + "}", data_); }

 private:
  std::string header_;
  std::vector<std::byte> data_;
};

}  // namespace files::test
