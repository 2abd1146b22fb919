#include "files/numbers/npy.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "files/dtype.hpp"
#include "files/quote.hpp"
#include "files/safetensors_header.hpp"
#include "model/attention/config.hpp"

namespace files {
namespace {

using base::fail;
using tensor::Extents;
using tensor::Shape;
using tensor::Tensor;

constexpr std::string_view magic = "\x93NUMPY";

/// What stands behind 'key': in the header, a dict as Python writes it; empty where it is not
/// there.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size());
  const std::size_t first = header.find_first_not_of(": ");
  return first == std::string_view::npos ? std::string_view() : header.substr(first);
}

/// "(3, 4)", "(3,)" or "()".
std::optional<Shape> shape_from(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return std::nullopt;
  text = text.substr(1, close - 1);
  Shape shape;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto length = base::read_whole<std::uint64_t>(text.substr(0, comma));
    if (!length || *length > max_axis_length || shape.rank() == Shape::max_rank)
      return std::nullopt;
    shape.push_back(static_cast<std::size_t>(*length));
    text.remove_prefix(std::min(comma + 1, text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return shape;
}

std::optional<Dtype> dtype_from(std::string_view text) {
  if (text.starts_with("'<f2'")) return Dtype::f16;
  if (text.starts_with("'<f4'")) return Dtype::f32;
  if (text.starts_with("'<f8'")) return Dtype::f64;
  return std::nullopt;
}

/// An array whose first axis runs fastest, as Fortran stores it.
Tensor from_fortran(const Tensor& stored, const Shape& shape) {
  Extents order;
  for (std::size_t axis = shape.rank(); axis-- > 0;) order.push_back(axis);
  return stored.arrange(order, shape).contiguous();
}

}  // namespace

bool is_npy(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.starts_with(magic);
}

base::Result<Tensor> read_npy(std::span<const std::byte> file) {
  const auto byte_at = [&](std::size_t place) { return std::to_integer<std::size_t>(file[place]); };
  constexpr std::size_t version_at = 6;
  const bool has_version = is_npy(file) && file.size() > version_at + 5;
  const std::size_t length_bytes = has_version && byte_at(version_at) == 1 ? 2 : 4;
  const std::size_t header_at = version_at + 2 + length_bytes;
  if (!has_version || file.size() < header_at) return fail(base::text("files.npy.no_array"));
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte_at(version_at + 2 + i) << (8 * i);
  if (length > file.size() - header_at) return fail(base::text("files.npy.no_array"));
  const std::string_view header(reinterpret_cast<const char*>(file.data()) + header_at, length);

  const std::string_view description = value_of(header, "'descr'");
  const auto dtype = dtype_from(description);
  if (!dtype) {
    const std::size_t end = std::min(description.find(','), description.size());
    return fail(base::text("files.npy.dtype", {{"dtype", in_quotes(description.substr(0, end))}}));
  }
  const auto shape = shape_from(value_of(header, "'shape'"));
  if (!shape) return fail(base::text("files.npy.no_array"));
  if (auto complaint = model::complaint_about_size("array", *shape))
    return fail(*std::move(complaint));
  const std::span<const std::byte> data = file.subspan(header_at + length);
  if (data.size() != shape->product() * bytes_of(*dtype)) {
    return fail(base::text("files.npy.length", {{"shape", tensor::describe(*shape)},
                                                {"wanted", shape->product() * bytes_of(*dtype)},
                                                {"bytes", data.size()}}));
  }
  const bool is_fortran = value_of(header, "'fortran_order'").starts_with("True");
  Shape stored = *shape;
  for (std::size_t axis = 0; is_fortran && axis < shape->rank(); ++axis)
    stored[axis] = (*shape)[shape->rank() - 1 - axis];
  Tensor tensor(stored);
  convert(*dtype, data, {tensor.mutable_data(), tensor.size()});  // true: no dtype here is BOOL
  return is_fortran ? from_fortran(tensor, *shape) : tensor;
}

}  // namespace files
