#include "files/numbers/npy.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// What stands behind a key in the header, a dict as Python writes it, in quotes of either kind;
/// empty where the key is not there.
std::string_view value_of(std::string_view header, const std::string& key) {
  std::size_t at = header.find('\'' + key + '\'');
  if (at == std::string_view::npos) at = header.find('"' + key + '"');
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size() + 2);
  const std::size_t first = header.find_first_not_of(": ");
  return first == std::string_view::npos ? std::string_view() : header.substr(first);
}

std::string_view without_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// "(3, 4)", "(3,)" or "()", with spaces anywhere; "(3L, 4L)" as Python 2 wrote it.
std::optional<Shape> shape_from(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return std::nullopt;
  text = without_spaces(text.substr(1, close - 1));
  Shape shape;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view digits = without_spaces(text.substr(0, comma));
    if (digits.ends_with('L')) digits.remove_suffix(1);
    const auto length = base::read_whole<std::uint64_t>(digits);
    if (!length || *length > max_axis_length || shape.rank() == Shape::max_rank)
      return std::nullopt;
    shape.push_back(static_cast<std::size_t>(*length));
    text.remove_prefix(std::min(comma + 1, text.size()));
    text = without_spaces(text);
  }
  return shape;
}

/// How each number is stored.
struct Stored {
  Dtype dtype = Dtype::f32;
  bool is_big_endian = false;
};
/// '<f4', or ">f4".
std::optional<Stored> stored_as(std::string_view text) {
  constexpr std::string_view orders = "<>=";
  if (text.size() < 5 || (text[0] != '\'' && text[0] != '"') || text[4] != text[0] ||
      orders.find(text[1]) == std::string_view::npos || text[2] != 'f')
    return std::nullopt;
  const bool is_big_endian = text[1] == '>';
  if (text[3] == '2') return Stored{Dtype::f16, is_big_endian};
  if (text[3] == '4') return Stored{Dtype::f32, is_big_endian};
  if (text[3] == '8') return Stored{Dtype::f64, is_big_endian};
  return std::nullopt;
}

/// The bytes of each number in the opposite order.
std::vector<std::byte> turned_around(std::span<const std::byte> data, std::size_t bytes_each) {
  std::vector<std::byte> turned(data.begin(), data.end());
  for (auto number = turned.begin(); number != turned.end();
       number += static_cast<std::ptrdiff_t>(bytes_each))
    std::reverse(number, number + static_cast<std::ptrdiff_t>(bytes_each));
  return turned;
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

  const std::string_view description = value_of(header, "descr");
  const auto stored_numbers = stored_as(description);
  if (!stored_numbers) {
    const std::size_t end = std::min(description.find(','), description.size());
    return fail(base::text("files.npy.dtype", {{"dtype", in_quotes(description.substr(0, end))}}));
  }
  const auto shape = shape_from(value_of(header, "shape"));
  if (!shape) return fail(base::text("files.npy.no_array"));
  if (auto complaint = model::complaint_about_size("array", *shape))
    return fail(*std::move(complaint));
  const auto [dtype, is_big_endian] = *stored_numbers;
  std::span<const std::byte> data = file.subspan(header_at + length);
  if (data.size() != shape->product() * bytes_of(dtype)) {
    return fail(base::text("files.npy.length", {{"shape", tensor::describe(*shape)},
                                                {"wanted", shape->product() * bytes_of(dtype)},
                                                {"bytes", data.size()}}));
  }
  const bool is_fortran = value_of(header, "fortran_order").starts_with("True");
  Shape stored = *shape;
  for (std::size_t axis = 0; is_fortran && axis < shape->rank(); ++axis)
    stored[axis] = (*shape)[shape->rank() - 1 - axis];
  std::vector<std::byte> turned;
  if (is_big_endian) data = turned = turned_around(data, bytes_of(dtype));
  Tensor tensor(stored);
  convert(dtype, data, {tensor.mutable_data(), tensor.size()});  // true: no dtype here is BOOL
  return is_fortran ? from_fortran(tensor, *shape) : tensor;
}

}  // namespace files
