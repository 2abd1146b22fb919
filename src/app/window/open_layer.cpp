#include "app/window/open_layer.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/api/own_file.hpp"
#include "app/app.hpp"
#include "base/text.hpp"
#include "files/layers/model_config.hpp"
#include "files/quote.hpp"
#include "files/safetensors.hpp"
#include "lesson/input/own_layers.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;

/// A file of which parts are read, so that its size does not matter.
class PartsOfFile {
 public:
  explicit PartsOfFile(const std::string& path)
      : name_(std::filesystem::path(path).filename().string()) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    size_ = std::filesystem::file_size(path, error);
    if (!error) file_.reset(std::fopen(path.c_str(), "rb"));
  }

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Adds the bytes from `begin` to `end`. Errors: they cannot be read.
  Result<void> append(std::uint64_t begin, std::uint64_t end, std::vector<std::byte>& to) const {
    const auto length = static_cast<std::size_t>(end - begin);
    const std::size_t before = to.size();
    to.resize(before + length);
    const bool is_read = file_ != nullptr &&
                         fseeko(file_.get(), static_cast<off_t>(begin), SEEK_SET) == 0 &&
                         std::fread(to.data() + before, 1, length, file_.get()) == length;
    if (is_read) return {};
    return fail(base::text("app.own.not_read", {{"file", files::in_quotes(name_)}}));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::uint64_t size_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
};

Result<OwnFile> read_header(const PartsOfFile& parts) {
  constexpr std::uint64_t length_bytes = 8;
  std::vector<std::byte> beginning;
  const std::uint64_t first = std::min(parts.size(), length_bytes);
  if (const auto read = parts.append(0, first, beginning); !read) return fail(read.error());
  if (const auto end = files::header_end(beginning, parts.size()); end) {
    if (const auto read = parts.append(first, *end, beginning); !read) return fail(read.error());
  }
  return OwnFile::read(parts.name(), beginning, parts.size());  // which says what is wrong
}

/// Takes over what config.json says, where one lies in the same folder.
Result<void> read_config_beside(const std::string& path, OwnFile& file) {
  const PartsOfFile parts((std::filesystem::path(path).parent_path() / "config.json").string());
  std::vector<std::byte> bytes;
  if (parts.size() == 0 || parts.size() > files::max_config_bytes) return {};
  if (const auto read = parts.append(0, parts.size(), bytes); !read) return fail(read.error());
  return file.add_beside(parts.name(), bytes);
}

/// The attention of that name; without one the first that can be shown, or that says why not.
Result<std::size_t> chosen(const OwnFile& file, const std::string& layer) {
  const auto& all = file.found().attentions;
  const auto place = std::find_if(all.begin(), all.end(), [&](const files::FoundAttention& found) {
    return layer.empty() ? lesson::why_not_shown(found).empty() : found.name == layer;
  });
  if (place != all.end()) return static_cast<std::size_t>(place - all.begin());
  if (layer.empty()) return 0;
  return fail(base::text("app.own.no_such", {{"name", files::in_quotes(layer)}}));
}

}  // namespace

bool is_layer_file(const std::string& path) {
  return path.ends_with(".safetensors") || path.ends_with(".npy");
}

Result<void> open_tokens(App& app, const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 24U;  // bytes: more than is shown
  const PartsOfFile parts(path);
  std::vector<std::byte> bytes;
  if (const auto read = parts.append(0, std::min(parts.size(), most), bytes); !read)
    return fail(read.error());
  return app.show_own_tokens(parts.name(), bytes);
}

Result<void> open_layer(App& app, const std::string& path, const std::string& layer) {
  if (path.ends_with(".npy")) return open_tokens(app, path);
  const PartsOfFile parts(path);
  Result<OwnFile> file = read_header(parts);
  if (!file) return fail(file.error());
  // What cannot be read there is passed over and told.
  if (const auto read = read_config_beside(path, *file); !read) app.notify(read.error().message);
  const Result<std::size_t> index = chosen(*file, layer);
  if (!index) return fail(index.error());
  const files::FoundAttention& found = file->found().attentions[*index];
  if (const std::string why = lesson::why_not_shown(found); !why.empty())
    return fail(files::in_quotes(found.name) + ": " + why);
  std::vector<std::byte> bytes;
  for (const auto& [begin, end] : file->parts_of(*index)) {
    if (const auto read = parts.append(begin, end, bytes); !read) return fail(read.error());
  }
  const auto variant = file->add(*index, bytes);
  if (!variant) return fail(variant.error());
  auto shown = app.show_own_layer(*variant);
  const std::size_t count = file->found().attentions.size();
  if (shown && layer.empty() && count > 1) {
    app.notify(
        base::text("app.own.first", {{"name", files::in_quotes(found.name)}, {"count", count}}));
  }
  return shown;
}

}  // namespace app
