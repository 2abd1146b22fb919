// A file of a model, or the shards that an index of a model names, of which parts are read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/command_line/command_line_io.hpp"
#include "files/layers/found_attention.hpp"
#include "files/layers/shards.hpp"

namespace app {

/// Their headers have been read.
class ModelFile {
 public:
  /// Opens a .safetensors file with config.json beside it; of a shard by its name, or of an index,
  /// all shards that the index names and that are there. What is passed over, standard error says.
  /// Errors, with the path: a file that is not there or none of these; no shard at all.
  static base::Result<ModelFile> open(const std::string& path);

  const std::string& path() const { return path_; }  ///< as it was given
  const files::Header& header() const { return header_; }
  const files::FoundAttentions& found() const { return found_; }
  /// The bytes at the places of an entry of the header. Errors: as OpenFile::read.
  base::Result<std::vector<std::byte>> read(std::uint64_t begin, std::uint64_t end) const;
  /// The path of the file that these lie in.
  const std::string& path_of(const files::HeaderEntry& entry) const;

 private:
  struct Shard {
    OpenFile file;
    std::uint64_t begin = 0;  ///< behind the beginning of the first
  };
  base::Result<void> add(const std::string& path, const files::ShardIndex* index,
                         std::size_t number);
  base::Result<void> open_shards(const std::string& index_path);
  void take_config_beside();
  const Shard& shard_at(std::uint64_t begin) const;

  std::string path_;
  std::vector<Shard> shards_;
  std::uint64_t end_ = 0;  ///< of the last one
  files::Header header_;
  files::FoundAttentions found_;
};

}  // namespace app
