#include "app/window/open_layer.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/api/own_file.hpp"
#include "app/app.hpp"
#include "base/text.hpp"
#include "files/layers/config/model_config.hpp"
#include "files/layers/shards.hpp"
#include "files/quote.hpp"
#include "files/safetensors.hpp"
#include "lesson/examples/examples.hpp"
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

/// A model's file, or its shards as if they were one file, each where the one before it ends.
class PartsOfModel {
 public:
  explicit PartsOfModel(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) files_.emplace_back(path);
  }

  /// Adds the bytes from `begin` to `end`, which lie in one of them.
  Result<void> append(std::uint64_t begin, std::uint64_t end, std::vector<std::byte>& to) const {
    std::size_t number = 0;
    std::uint64_t at = 0;
    for (; number + 1 < files_.size() && begin >= at + files_[number].size(); ++number)
      at += files_[number].size();
    return files_[number].append(begin - at, end - at, to);
  }

  Result<OwnFile> read_headers() const {
    constexpr std::uint64_t length_bytes = 8;
    std::vector<OwnFile::Shard> shards;
    for (const PartsOfFile& parts : files_) {
      OwnFile::Shard& shard = shards.emplace_back(OwnFile::Shard{parts.name(), {}, parts.size()});
      const std::uint64_t first = std::min(parts.size(), length_bytes);
      if (const auto read = parts.append(0, first, shard.beginning); !read)
        return fail(read.error());
      if (const auto end = files::header_end(shard.beginning, parts.size()); end) {
        if (const auto read = parts.append(first, *end, shard.beginning); !read)
          return fail(read.error());
      }
    }
    return OwnFile::read(shards);  // which says what is wrong
  }

 private:
  std::vector<PartsOfFile> files_;
};

/// The file itself; the shards of a model, where it is one of them or their index.
Result<std::vector<std::string>> files_of_model(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string name = std::filesystem::path(path).filename().string();
  const std::string index = files::is_shard_index(name) ? name : files::index_of_shard(name);
  const PartsOfFile parts((folder / index).string());
  if (index.empty() || (parts.size() == 0 && index != name)) return std::vector{path};
  std::vector<std::byte> bytes;
  const std::uint64_t most = files::max_index_bytes + 1;  // one more is told from what is allowed
  if (const auto read = parts.append(0, std::min(parts.size(), most), bytes); !read)
    return fail(read.error());
  const auto read =
      files::read_shard_index({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!read) return fail(files::in_quotes(index) + ": " + read.error().message);
  std::vector<std::string> paths;
  for (const std::string& each : read->files) paths.push_back((folder / each).string());
  return paths;
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

/// Adds a file of a tokenizer. Errors: it cannot be read, or is too long.
Result<void> add_tokenizer_file(const std::string& path, files::TokenizerFiles& to) {
  const PartsOfFile parts(path);
  if (parts.size() > files::max_tokenizer_bytes) {
    return fail(
        base::text("files.tokenizer.long_file", {{"most", files::max_tokenizer_bytes >> 20U}}));
  }
  std::vector<std::byte> bytes;
  if (const auto read = parts.append(0, parts.size(), bytes); !read) return fail(read.error());
  to.add(parts.name(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return {};
}

/// The tokenizer that lies in the folder of a file; null where none does.
Result<std::shared_ptr<files::TokenizerFiles>> tokenizer_beside(const std::string& path) {
  auto tokenizer = std::make_shared<files::TokenizerFiles>();
  for (const std::string_view name : files::tokenizer_file_names) {
    const std::filesystem::path beside = std::filesystem::path(path).parent_path() / name;
    std::error_code error;
    if (!std::filesystem::is_regular_file(beside, error)) continue;
    if (const auto added = add_tokenizer_file(beside.string(), *tokenizer); !added)
      return fail(added.error());
    if (name == files::tokenizer_file_names.front()) break;  // all is in it
  }
  if (!tokenizer->has_vocabulary()) return nullptr;
  if (const auto read = tokenizer->read(); !read) return fail(read.error());
  return tokenizer;
}

}  // namespace

bool is_layer_file(const std::string& path) {
  return path.ends_with(".safetensors") || path.ends_with(".npy") || files::is_shard_index(path) ||
         files::is_tokenizer_file(path);
}

LayerFiles::LayerFiles(App& app) : app_(app) {
  app.when_words_are_typed([this](const std::string& text) {
    if (const auto typed = type(text); !typed) app_.refused(typed.error().message);
  });
}

LayerFiles::Source* LayerFiles::shown() {
  const document::Configuration& shown = app_.session().document().configuration;
  if (shown.example != lesson::ExampleId::own_layer) return nullptr;
  const auto found = sources_.find(shown.parameters.variant);
  return found == sources_.end() ? nullptr : &found->second;
}

Result<void> LayerFiles::type(const std::string& text) {
  const Source* source = shown();
  if (source == nullptr) return fail(base::text("lesson.own.no_embeddings"));
  const Source own = *source;
  lesson::OwnWords words{.text = text, .ids = {}, .words = {}};
  if (own.tokenizer != nullptr) {
    const auto encoding = own.tokenizer->tokenizer()->encode(text);
    if (!encoding) return fail(encoding.error());
    words = {text, encoding->ids, encoding->words};
  }
  const auto places = app_.own_words(words, std::nullopt);
  if (!places) return fail(places.error());
  const PartsOfModel parts(own.paths);
  std::vector<std::byte> rows;
  for (const auto& [begin, end] : *places) {
    if (const auto read = parts.append(begin, end, rows); !read) return fail(read.error());
  }
  if (const auto done = app_.own_words(words, rows); !done) return fail(done.error());
  sources_[app_.session().document().configuration.parameters.variant] = own;
  return {};
}

Result<void> LayerFiles::open_tokens(const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 24U;  // bytes: more than is shown
  const PartsOfFile parts(path);
  std::vector<std::byte> bytes;
  if (const auto read = parts.append(0, std::min(parts.size(), most), bytes); !read)
    return fail(read.error());
  const Source* before = shown();
  const Source own = before == nullptr ? Source() : *before;
  auto done = app_.show_own_tokens(parts.name(), bytes);
  if (done && before != nullptr)
    sources_[app_.session().document().configuration.parameters.variant] = own;
  return done;
}

Result<void> LayerFiles::open_tokenizer(const std::string& path) {
  Source* source = shown();
  if (source == nullptr) return fail(base::text("lesson.own.no_embeddings"));
  // It may have another name than the one that lies in the folder of a model.
  auto tokenizer = std::make_shared<files::TokenizerFiles>();
  if (const auto added = add_tokenizer_file(path, *tokenizer); !added) return fail(added.error());
  if (const auto read = tokenizer->read(); !read) {
    // The others of its kind come from one folder.
    auto all = tokenizer_beside(path);
    if (!all) return fail(all.error());
    if (*all == nullptr) return fail(read.error());
    tokenizer = *std::move(all);
  }
  source->tokenizer = std::move(tokenizer);
  return type(std::string(lesson::default_sentence()));
}

Result<void> LayerFiles::open(const std::string& path, const std::string& layer) {
  if (path.ends_with(".npy")) return open_tokens(path);
  if (files::is_tokenizer_file(path)) return open_tokenizer(path);
  const Result<std::vector<std::string>> paths = files_of_model(path);
  if (!paths) return fail(paths.error());
  const PartsOfModel parts(*paths);
  Result<OwnFile> file = parts.read_headers();
  if (!file) return fail(file.error());
  // What cannot be read there is passed over and told.
  if (const auto read = read_config_beside(path, *file); !read) app_.notify(read.error().message);
  const Result<std::size_t> index = chosen(*file, layer);
  if (!index) return fail(index.error());
  const files::FoundAttention& found = file->found().attentions[*index];
  if (const std::string why = lesson::why_not_shown(found); !why.empty())
    return fail(files::in_quotes(found.name) + ": " + why);
  std::vector<std::byte> bytes;
  for (const auto& [begin, end] : file->parts_of(*index)) {
    if (const auto read = parts.append(begin, end, bytes); !read) return fail(read.error());
  }
  const auto tokenizer = tokenizer_beside(path);
  if (!tokenizer) app_.notify(tokenizer.error().message);
  const bool has_tokenizer = tokenizer && *tokenizer != nullptr;
  if (has_tokenizer) static_cast<void>(file->add_beside("tokenizer.json", {}));
  const auto variant = file->add(*index, bytes);
  if (!variant) return fail(variant.error());
  if (auto done = app_.show_own_layer(*variant); !done) return done;
  sources_[*variant] = {*paths, tokenizer ? *tokenizer : nullptr};
  const lesson::OwnLayer& opened = lesson::own_layer(*variant);
  if (has_tokenizer && opened.text.embeddings && !opened.query.defined()) {
    if (const auto typed = type(std::string(lesson::default_sentence())); !typed)
      app_.notify(typed.error().message);
  }
  const std::size_t count = file->found().attentions.size();
  if (layer.empty() && count > 1) {
    app_.notify(
        base::text("app.own.first", {{"name", files::in_quotes(found.name)}, {"count", count}}));
  }
  return {};
}

}  // namespace app
