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

}  // namespace

std::string reading(Library library) {
  std::string text(read_function);
  constexpr std::string_view stored = "tensors[name] = {numbers}";
  text.replace(text.find(stored), stored.size(),
               library == Library::numpy ? "tensors[name] = numbers"
                                         : "tensors[name] = torch.from_numpy(numbers)");
  return text;
}

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
