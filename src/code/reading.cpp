#include "code/reading.hpp"

#include <array>
#include <cstdio>

namespace code {
namespace {

constexpr std::string_view read_function =
    R"(TYPES = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "BF16": "<u2", "BOOL": "?"}


def read(path):
    """The tensors of a .safetensors file by name, as float32; masks of booleans as they are."""
    with open(path, "rb") as file:
        data = file.read()
    first = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:first]).items():
        if name == "__metadata__" or entry["dtype"] not in TYPES:
            continue
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(data[first + begin:first + end], TYPES[entry["dtype"]])
        if entry["dtype"] == "BF16":  # the upper half of a float32
            numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
        numbers = numbers.astype(bool if entry["dtype"] == "BOOL" else np.float32).reshape(entry["shape"])
        tensors[name] = {numbers}
    return tensors
)";

constexpr std::string_view read_some_function =
    R"(TYPES = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "BF16": "<u2"}


def read(paths):
    """The tensors of NAMES in .safetensors files, as float32."""
    tensors = {}
    for path in paths:
        with open(path, "rb") as file:
            first = 8 + struct.unpack("<Q", file.read(8))[0]
            header = json.loads(file.read(first - 8))
            for name in NAMES:
                if name not in header:
                    continue
                entry = header[name]
                begin, end = entry["data_offsets"]
                file.seek(first + begin)
                numbers = np.frombuffer(file.read(end - begin), TYPES[entry["dtype"]])
                if entry["dtype"] == "BF16":  # the upper half of a float32
                    numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
                numbers = numbers.astype(np.float32).reshape(entry["shape"])
                tensors[name] = {numbers}
    return tensors
)";

std::string of_library(std::string_view function, Library library) {
  std::string text(function);
  constexpr std::string_view stored = "tensors[name] = {numbers}";
  text.replace(text.find(stored), stored.size(),
               library == Library::numpy ? "tensors[name] = numbers"
                                         : "tensors[name] = torch.from_numpy(numbers)");
  return text;
}

}  // namespace

std::string reading(Library library) { return of_library(read_function, library); }

std::string reading_of_some(Library library) { return of_library(read_some_function, library); }

std::string path_literal(std::string_view path) {
  std::string text = "\"";
  bool plain = true;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
      continue;
    }
    plain = false;
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned>(byte));
    text += escape.data();
  }
  text += '"';
  return plain ? text : "__import__(\"os\").fsdecode(b" + text + ")";
}

}  // namespace code
