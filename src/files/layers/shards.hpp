// Models whose tensors lie in several files, their shards: model-00001-of-00002.safetensors and so
// on, with model.safetensors.index.json, which says in which of them each tensor lies. The shards
// are read as if they were one file, one behind the other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors.hpp"

namespace files {

/// The most that is read of an index, and the most shards.
inline constexpr std::size_t max_index_bytes = std::size_t{1} << 24U;
inline constexpr std::size_t max_shards = 512;

/// Whether a file's name is that of an index: "model.safetensors.index.json", also with another
/// word before its end ("….index.fp16.json").
bool is_shard_index(std::string_view name);
/// The index that belongs to a shard by its name: "model.safetensors.index.json" to
/// "model-00001-of-00002.safetensors"; empty for other names.
std::string index_of_shard(std::string_view name);

struct ShardIndex {
  std::vector<std::string> files;  ///< in the index's own folder, each once, in ascending order
  std::vector<std::pair<std::string, std::size_t>> tensors;  ///< by name, and which of the files
};

/// Errors: more than max_index_bytes; no JSON object with a weight_map of names; a file that would
/// not lie in the same folder, or that is no .safetensors file; more than max_shards of them.
base::Result<ShardIndex> read_shard_index(std::string_view json);

/// Adds what the header of a shard lists to that of all: as it lies in a file that begins `at`
/// bytes behind the beginning of the first one. With an index, only what this says of the shard.
void join_shard(Layout shard, std::uint64_t at, Header& all, const ShardIndex* index = nullptr,
                std::size_t number = 0);

/// Errors: two shards have a tensor of the same name.
base::Result<void> check_joined(const Header& all);

}  // namespace files
