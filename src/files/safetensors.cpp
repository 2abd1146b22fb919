#include "files/safetensors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include <utf8/core.h>

#include "base/json/json.hpp"
#include "base/order.hpp"
#include "base/text.hpp"
#include "files/dtype.hpp"
#include "files/quote.hpp"
#include "tensor/tensor.hpp"

namespace files {
namespace {

using base::fail;

constexpr std::size_t length_bytes = 8;

/// The product of the shape, or nothing where it does not fit into 64 bits.
std::optional<std::uint64_t> cell_count(const tensor::Shape& shape) {
  std::uint64_t count = 1;
  for (const std::size_t length : shape) {
    if (length == 0) return 0;
  }
  for (const std::size_t length : shape) {
    if (count > std::numeric_limits<std::uint64_t>::max() / length) return std::nullopt;
    count *= length;
  }
  return count;
}

/// Checks one entry by itself: its offsets against `data_size` and against its dtype and shape.
base::Result<void> check_entry(const HeaderEntry& entry, std::uint64_t data_size) {
  const std::string name = in_quotes(entry.name);
  if (entry.begin > entry.end) {
    return fail(base::text("files.data.end_first",
                           {{"name", name}, {"end", entry.end}, {"begin", entry.begin}}));
  }
  if (entry.end > data_size) {
    return fail(base::text("files.data.beyond_file",
                           {{"name", name}, {"end", entry.end}, {"bytes", data_size}}));
  }
  const std::optional<std::uint64_t> count = cell_count(entry.shape);
  if (!count) {
    return fail(base::text("files.tensor.too_many_numbers",
                           {{"name", name}, {"shape", tensor::describe(entry.shape)}}));
  }
  // An unknown format: its size cannot be checked, and to_float32 refuses it.
  const std::optional<std::size_t> bytes_each = bytes_of_dtype(entry.dtype);
  if (!bytes_each) return {};
  const std::uint64_t bytes = entry.end - entry.begin;
  if (bytes % *bytes_each != 0 || bytes / *bytes_each != *count) {
    return fail(base::text("files.tensor.wrong_length", {{"name", name},
                                                         {"shape", tensor::describe(entry.shape)},
                                                         {"dtype", entry.dtype},
                                                         {"numbers", *count},
                                                         {"bytes_each", *bytes_each},
                                                         {"bytes", bytes}}));
  }
  return {};
}

/// Checks that the entries, sorted by offset, cover the data without gaps or overlaps.
base::Result<void> check_layout(std::span<const HeaderEntry> entries, std::uint64_t data_size) {
  std::uint64_t covered = 0;
  const HeaderEntry* previous = nullptr;
  for (const HeaderEntry& entry : entries) {
    if (entry.begin < covered) {
      return fail(base::text("files.data.overlap", {{"first", in_quotes(previous->name)},
                                                    {"second", in_quotes(entry.name)}}));
    }
    if (entry.begin > covered) {
      return fail(base::text("files.data.gap",
                             {{"bytes", entry.begin - covered}, {"name", in_quotes(entry.name)}}));
    }
    covered = entry.end;
    previous = &entry;
  }
  if (covered != data_size) {
    return fail(base::text("files.data.left_over", {{"bytes", data_size - covered}}));
  }
  return {};
}

/// Text as a JSON string, quotes included.
std::string json_string(std::string_view text) { return base::Json(text).dump(); }

/// Whether a file begins as those of torch.save: a ZIP archive, as which numpy.savez writes too, or
/// a pickle of protocol 2 to 5.
bool is_archive_or_pickle(std::span<const std::byte> beginning) {
  const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(beginning[i]); };
  const bool archive = byte(0) == 'P' && byte(1) == 'K' && byte(2) == 3 && byte(3) == 4;
  return archive || (byte(0) == 0x80 && byte(1) >= 2 && byte(1) <= 5);
}

/// Files of other kinds that are given for models, by their first bytes.
struct OtherKind {
  std::string_view begins;
  std::string_view key;
};
constexpr std::array other_kinds = {
    OtherKind{"version ", "files.kind.git_lfs"}, OtherKind{"GGUF", "files.kind.gguf"},
    OtherKind{"GGML", "files.kind.gguf"},        OtherKind{"\x89HDF", "files.kind.hdf5"},
    OtherKind{"\x93NUMPY", "files.kind.npy"},    OtherKind{"\x1F\x8B", "files.kind.gzip"},
    OtherKind{"<", "files.kind.html"},           OtherKind{"{", "files.kind.json"},
    OtherKind{"[", "files.kind.json"},
};

/// What it is, where it begins as a file of a known kind that is not safetensors.
std::optional<std::string> other_kind(std::span<const std::byte> beginning) {
  if (is_archive_or_pickle(beginning)) return std::string(base::text("files.header.archive"));
  std::string_view text(reinterpret_cast<const char*>(beginning.data()), length_bytes);
  std::string_view key;
  // ONNX: a message whose first field is the version of the format, and the next one a text or
  // another message.
  if (text[0] == 8 && text[1] > 0 && text[1] < 32 && (text[2] & 7) == 2) key = "files.kind.onnx";
  if (text.substr(4) == "TFL3") key = "files.kind.tflite";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \r\n\t"), text.size()));
  for (const OtherKind& kind : other_kinds) {
    if (key.empty() && text.starts_with(kind.begins)) key = kind.key;
  }
  if (key.empty()) return std::nullopt;
  return base::text("files.header.other_kind", {{"kind", base::text(key)}});
}

}  // namespace

const StoredTensor* Safetensors::find(std::string_view name) const {
  for (const StoredTensor& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

base::Result<std::uint64_t> header_end(std::span<const std::byte> beginning,
                                       std::uint64_t file_size) {
  if (file_size < length_bytes || beginning.size() < length_bytes) {
    return fail(base::text("files.header.no_length", {{"bytes", file_size}}));
  }
  std::uint64_t header_length = 0;
  std::memcpy(&header_length, beginning.data(), length_bytes);  // little-endian: see dtype.cpp
  // Files of other kinds begin with text or a magic number, which is an absurd length.
  const bool is_absurd =
      header_length > file_size - length_bytes || header_length > max_header_bytes;
  if (is_absurd) {
    if (auto kind = other_kind(beginning)) return fail(*std::move(kind));
  }
  if (header_length > file_size - length_bytes) {
    return fail(base::text("files.header.cut_short",
                           {{"bytes", header_length}, {"bytes_left", file_size - length_bytes}}));
  }
  if (header_length > max_header_bytes) {
    return fail(base::text("files.header.too_long",
                           {{"bytes", header_length}, {"most", max_header_bytes}}));
  }
  return length_bytes + header_length;
}

base::Result<Layout> read_layout(std::span<const std::byte> beginning, std::uint64_t file_size) {
  const auto data_begin = header_end(beginning, file_size);
  if (!data_begin) return fail(data_begin.error());
  if (beginning.size() < *data_begin) {  // the file became shorter while it was read
    return fail(base::text(
        "files.header.cut_short",
        {{"bytes", *data_begin - length_bytes}, {"bytes_left", beginning.size() - length_bytes}}));
  }
  const auto header_bytes =
      beginning.first(static_cast<std::size_t>(*data_begin)).subspan(length_bytes);
  base::Result<Header> header =
      read_header({reinterpret_cast<const char*>(header_bytes.data()), header_bytes.size()});
  if (!header) return fail(header.error());

  const std::uint64_t data_size = file_size - *data_begin;
  for (const HeaderEntry& entry : header->entries) {
    if (const auto checked = check_entry(entry, data_size); !checked) return fail(checked.error());
  }
  base::sort(header->entries, [](const HeaderEntry& a, const HeaderEntry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  if (const auto checked = check_layout(header->entries, data_size); !checked)
    return fail(checked.error());
  return Layout{*std::move(header), *data_begin};
}

base::Result<Safetensors> read_safetensors(std::span<const std::byte> file) {
  base::Result<Layout> layout = read_layout(file, file.size());
  if (!layout) return fail(layout.error());
  const std::span<const std::byte> data =
      file.subspan(static_cast<std::size_t>(layout->data_begin));
  Safetensors result;
  result.metadata = std::move(layout->header.metadata);
  result.tensors.reserve(layout->header.entries.size());
  for (HeaderEntry& entry : layout->header.entries) {
    const auto bytes = data.subspan(static_cast<std::size_t>(entry.begin),
                                    static_cast<std::size_t>(entry.end - entry.begin));
    result.tensors.push_back({std::move(entry.name), std::move(entry.dtype), entry.shape, bytes});
  }
  return result;
}

base::Result<tensor::Tensor> to_float32(const StoredTensor& stored) {
  const std::optional<Dtype> dtype = dtype_named(stored.dtype);
  if (!dtype) {
    return fail(base::text("files.tensor.dtype",
                           {{"name", in_quotes(stored.name)}, {"dtype", in_quotes(stored.dtype)}}));
  }
  tensor::Tensor tensor(stored.shape);
  const std::span<float> cells(tensor.mutable_data(), tensor.size());
  if (!convert(*dtype, stored.bytes, cells)) {
    return fail(base::text("files.tensor.not_bool", {{"name", in_quotes(stored.name)}}));
  }
  return tensor;
}

base::Result<std::vector<std::byte>> write_safetensors(std::span<const NamedTensor> tensors,
                                                       const Metadata& metadata) {
  std::set<std::string_view> names;
  std::string header = "{";
  std::uint64_t data_size = 0;
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      if (header.back() != '{') header += ',';
      header += json_string(key) + ":" + json_string(value);
    }
    header += '}';
  }
  for (const auto& [name, tensor, as_int8] : tensors) {
    if (name == "__metadata__" || utf8::find_invalid(name.begin(), name.end()) != name.end()) {
      return fail(base::text("files.write.name", {{"name", in_quotes(name)}}));
    }
    if (!names.insert(name).second)
      return fail(base::text("files.write.name_twice", {{"name", in_quotes(name)}}));
    if (!tensor.defined())
      return fail(base::text("files.write.not_there", {{"name", in_quotes(name)}}));
    const std::uint64_t begin = data_size;
    data_size += std::uint64_t{tensor.size()} * (as_int8 ? 1 : sizeof(float));
    if (header.size() > 1) header += ',';
    header += json_string(name) + R"(:{"dtype":")" + (as_int8 ? "I8" : "F32") + R"(","shape":)" +
              tensor::describe(tensor.shape()) + R"(,"data_offsets":[)" + std::to_string(begin) +
              "," + std::to_string(data_size) + "]}";
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');

  const std::uint64_t total = length_bytes + header.size() + data_size;
  if (total > std::numeric_limits<std::size_t>::max() / 2) {
    return fail(base::text("files.write.too_long", {{"bytes", total}}));
  }
  std::vector<std::byte> file(static_cast<std::size_t>(total));
  const std::uint64_t header_length = header.size();
  std::memcpy(file.data(), &header_length, length_bytes);
  std::memcpy(file.data() + length_bytes, header.data(), header.size());
  std::byte* to = file.data() + length_bytes + header.size();
  for (const auto& [name, tensor, as_int8] : tensors) {
    if (tensor.size() == 0) continue;
    const tensor::Tensor run = tensor.contiguous();
    if (as_int8) {
      for (std::size_t i = 0; i < run.size(); ++i)
        *to++ = static_cast<std::byte>(static_cast<std::int8_t>(run.data()[i]));
      continue;
    }
    std::memcpy(to, run.data(), run.size() * sizeof(float));
    to += run.size() * sizeof(float);
  }
  return file;
}

}  // namespace files
