// libFuzzer: whatever the bytes, read_safetensors ends with tensors that are true of the file or
// with one sentence.
#include <cmath>
#include <cstring>
#include <vector>

#include "files/safetensors.hpp"
#include "safetensors_mutator.hpp"

using fuzz::require;

namespace {

/// What can be converted must survive being written and read again, bit for bit.
void check_round_trip(const files::Safetensors& read) {
  std::vector<files::NamedTensor> tensors;
  for (const files::StoredTensor& stored : read.tensors) {
    const auto tensor = files::to_float32(stored);
    if (!tensor) {
      fuzz::require_sentence(tensor.error().message);
      continue;
    }
    require(tensor->shape() == stored.shape);
    tensors.push_back({stored.name, *tensor});
  }
  const auto file = files::write_safetensors(tensors, read.metadata);
  require(file.has_value());
  const auto again = files::read_safetensors(*file);
  require(again.has_value());
  require(again->metadata == read.metadata);
  require(again->tensors.size() == tensors.size());
  for (const files::NamedTensor& written : tensors) {
    const files::StoredTensor* stored = again->find(written.name);
    require(stored != nullptr && stored->shape == written.tensor.shape());
    require(stored->bytes.size() == written.tensor.size() * sizeof(float));
    require(stored->bytes.empty() ||
            std::memcmp(stored->bytes.data(), written.tensor.data(), stored->bytes.size()) == 0);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate(data, size, max_size, seed, 0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> file = fuzz::exact_copy(data, size);
  const auto read = files::read_safetensors(file);
  if (!read) {
    fuzz::require_sentence(read.error().message);
    return 0;
  }
  std::size_t bytes = 0;
  for (const files::StoredTensor& stored : read->tensors) {
    bytes += stored.bytes.size();
    require(stored.bytes.empty() ||
            (stored.bytes.data() >= file.data() &&
             stored.bytes.data() + stored.bytes.size() <= file.data() + size));
  }
  require(bytes < size);
  check_round_trip(*read);
  return 0;
}
