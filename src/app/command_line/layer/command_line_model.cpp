#include "app/command_line/layer/command_line_model.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/text.hpp"
#include "files/layers/config/model_config.hpp"
#include "files/quote.hpp"

namespace app {

using base::fail;
using base::Result;
namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

std::string beside(const std::string& path, const std::string& name) {
  return (fs::path(path).parent_path() / name).string();
}

}  // namespace

Result<void> ModelFile::add(const std::string& path, const files::ShardIndex* index,
                            std::size_t number) {
  const auto in_file = [&](const base::Error& error) {
    return fail(path_in_quotes(path) + ": " + error.message);
  };
  Result<OpenFile> file = OpenFile::open(path);
  if (!file) return fail(file.error());
  constexpr std::uint64_t length_bytes = 8;
  auto beginning = file->read(0, static_cast<std::size_t>(std::min(file->size(), length_bytes)));
  if (!beginning) return fail(beginning.error());
  const auto end = files::header_end(*beginning, file->size());
  if (!end) return in_file(end.error());
  beginning = file->read(0, static_cast<std::size_t>(*end));
  if (!beginning) return fail(beginning.error());
  auto layout = files::read_layout(*beginning, file->size());
  if (!layout) return in_file(layout.error());
  files::join_shard(*std::move(layout), end_, header_, index, number);
  const std::uint64_t size = file->size();
  shards_.push_back({*std::move(file), end_});
  end_ += size;
  return {};
}

Result<void> ModelFile::open_shards(const std::string& index_path) {
  const auto in_file = [&](const base::Error& error) {
    return fail(path_in_quotes(index_path) + ": " + error.message);
  };
  const Result<OpenFile> file = OpenFile::open(index_path);
  if (!file) return fail(file.error());
  const std::uint64_t most = files::max_index_bytes + 1;  // one more is told from what is allowed
  const auto bytes = file->read(0, static_cast<std::size_t>(std::min(file->size(), most)));
  if (!bytes) return fail(bytes.error());
  const auto index =
      files::read_shard_index({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!index) return in_file(index.error());
  for (std::size_t number = 0; number < index->files.size(); ++number) {
    const std::string shard = beside(index_path, index->files[number]);
    if (!is_file(shard)) {
      print_error(base::text("files.shards.missing",
                             {{"name", files::in_quotes(index->files[number])},
                              {"index", fs::path(index_path).filename().string()}}));
      continue;
    }
    if (const auto added = add(shard, &*index, number); !added) return added;
  }
  if (!shards_.empty()) return {};
  return in_file({std::string(base::text("files.shards.none"))});
}

/// Takes over what config.json says, where one lies in the same folder. One that cannot be read is
/// passed over, and standard error says so.
void ModelFile::take_config_beside() {
  const std::string path = beside(path_, "config.json");
  if (!is_file(path)) return;
  const auto pass_over = [&](const std::string& why) {
    print_error(path_in_quotes(path) + " is passed over: " + why);
  };
  std::error_code none;
  if (fs::file_size(path, none) > files::max_config_bytes)
    return pass_over("it is longer than 1 MiB.");
  const auto bytes = read_file(path);
  if (!bytes) return pass_over(bytes.error().message);
  const auto config =
      files::read_model_config({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!config) return pass_over(config.error().message);
  files::take_config(*config, found_);
}

Result<ModelFile> ModelFile::open(const std::string& path) {
  ModelFile model;
  model.path_ = path;
  std::string index = files::is_shard_index(path) ? path : "";
  if (index.empty()) {
    const std::string name = files::index_of_shard(fs::path(path).filename().string());
    if (!name.empty() && is_file(path) && is_file(beside(path, name))) index = beside(path, name);
  }
  const auto opened = index.empty() ? model.add(path, nullptr, 0) : model.open_shards(index);
  if (!opened) return fail(opened.error());
  model.found_ = files::find_attentions(model.header_);
  model.take_config_beside();
  return model;
}

const ModelFile::Shard& ModelFile::shard_at(std::uint64_t begin) const {
  const auto behind =
      std::upper_bound(shards_.begin(), shards_.end(), begin,
                       [](std::uint64_t place, const Shard& shard) { return place < shard.begin; });
  return *(behind - 1);
}

Result<std::vector<std::byte>> ModelFile::read(std::uint64_t begin, std::uint64_t end) const {
  const Shard& shard = shard_at(begin);
  return shard.file.read(begin - shard.begin, static_cast<std::size_t>(end - begin));
}

const std::string& ModelFile::path_of(const files::HeaderEntry& entry) const {
  return shard_at(entry.begin).file.path();
}

}  // namespace app
