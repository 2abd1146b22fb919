#include "app/command_line/command_line_io.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>

#include "files/quote.hpp"

namespace app {
namespace {

using base::fail;

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// "No such file or directory" and the like, for the last call that failed.
std::string reason() { return std::generic_category().message(errno); }

auto cannot_write(const std::string& path, const std::string& why) {
  return fail(path_in_quotes(path) + " cannot be written: " + why + ".");
}

/// Writes all bytes and closes the file; the disk may turn out to be full at either.
bool write_and_close(File file, std::span<const std::byte> bytes) {
  const bool written =
      bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  return std::fclose(file.release()) == 0 && written;
}

/// A new file beside `target`, and its path.
struct Temporary {
  fs::path path;
  File file;
};

/// Tries names until one is free: "x" makes fopen fail where the file is there already.
Temporary open_beside(const fs::path& target) {
  std::random_device random;
  Temporary temporary;
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary.path =
        target.parent_path() / (".attention-live-" + std::to_string(random()) + ".tmp");
    temporary.file.reset(std::fopen(temporary.path.c_str(), "wbx"));
    if (temporary.file != nullptr || errno != EEXIST) break;
  }
  return temporary;
}

/// A new file and the path that it is to take.
struct Replacement {
  Temporary temporary;
  fs::path target;
};

/// Whether there is something at the path that is no regular file, such as a pipe.
bool is_written_into(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// Opens the new file. Errors, with the path: a folder, not writable.
base::Result<Replacement> begin_to_replace(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  error.clear();  // a file that is not there yet is no error
  if (fs::is_directory(status)) return cannot_write(path, "it is a folder");
  Replacement begun;
  begun.target = fs::exists(status) ? fs::canonical(path, error) : fs::path(path);
  if (error) return cannot_write(path, error.message());
  begun.temporary = open_beside(begun.target);
  if (begun.temporary.file == nullptr) return cannot_write(path, reason());
  return begun;
}

}  // namespace

std::string path_in_quotes(const std::string& path) {
  constexpr std::size_t enough_to_find_it = 1000;
  return files::in_quotes(path, enough_to_find_it);
}

base::Result<std::vector<std::byte>> read_file(const std::string& path) {
  const auto cannot_read = [&](const std::string& why) {
    return fail(path_in_quotes(path) + " cannot be read: " + why + ".");
  };
  std::error_code error;
  if (fs::is_directory(path, error)) return cannot_read("it is a folder");
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return cannot_read(reason());

  // A pipe has no size: read piece by piece. The first piece of a regular file is all of it.
  std::vector<std::byte> bytes;
  std::uintmax_t expected = fs::file_size(path, error);
  if (error) expected = 0;
  const std::string too_large = "it has more than " + std::to_string(max_file_bytes) + " bytes";
  if (expected > max_file_bytes) return cannot_read(too_large);
  std::size_t piece = static_cast<std::size_t>(expected) + 1;
  while (true) {
    const std::size_t size = bytes.size();
    bytes.resize(size + piece);
    const std::size_t got = std::fread(bytes.data() + size, 1, piece, file.get());
    bytes.resize(size + got);
    if (bytes.size() > max_file_bytes) return cannot_read(too_large);
    if (got < piece) break;
    piece = bytes.size();
  }
  if (std::ferror(file.get()) != 0) return cannot_read(reason());
  return bytes;
}

base::Result<OpenFile> OpenFile::open(const std::string& path) {
  const auto cannot_read = [&](const std::string& why) {
    return fail(path_in_quotes(path) + " cannot be read: " + why + ".");
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return cannot_read("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status))
    return cannot_read("it is no regular file, and parts of it are needed");
  OpenFile opened;
  opened.path_ = path;
  opened.file_.reset(std::fopen(path.c_str(), "rb"));
  if (opened.file_ == nullptr) return cannot_read(reason());
  opened.size_ = fs::file_size(path, error);
  if (error) return cannot_read(error.message());
  return opened;
}

base::Result<std::vector<std::byte>> OpenFile::read(std::uint64_t begin, std::size_t length) const {
  std::vector<std::byte> bytes(length);
  const bool is_there = fseeko(file_.get(), static_cast<off_t>(begin), SEEK_SET) == 0 &&
                        std::fread(bytes.data(), 1, length, file_.get()) == length;
  if (is_there) return bytes;
  const std::string why = std::ferror(file_.get()) != 0 ? reason() : "it became shorter";
  return fail(path_in_quotes(path_) + " cannot be read: " + why + ".");
}

base::Result<void> write_file(const std::string& path, std::span<const std::byte> bytes) {
  if (is_written_into(path)) {
    File file(std::fopen(path.c_str(), "wb"));
    if (file == nullptr || !write_and_close(std::move(file), bytes)) {
      return cannot_write(path, reason());
    }
    return {};
  }

  auto begun = begin_to_replace(path);
  if (!begun) return fail(begun.error());
  auto& [temporary, target] = *begun;
  std::error_code error;
  if (!write_and_close(std::move(temporary.file), bytes)) {
    const std::string why = reason();
    fs::remove(temporary.path, error);
    return cannot_write(path, why);
  }
  // Who could read the old file can read the new one.
  if (const fs::file_status old = fs::status(target, error); fs::exists(old))
    fs::permissions(temporary.path, old.permissions(), error);
  fs::rename(temporary.path, target, error);
  if (error) {
    const std::string why = error.message();
    fs::remove(temporary.path, error);
    return cannot_write(path, why);
  }
  return {};
}

base::Result<void> check_writable(const std::string& path) {
  if (is_written_into(path)) return {};
  const auto begun = begin_to_replace(path);
  if (!begun) return fail(begun.error());
  std::error_code error;
  fs::remove(begun->temporary.path, error);
  return {};
}

base::Result<void> print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return {};
  }
  return fail("Standard output cannot be written: " + reason() + ".");
}

void print_error(std::string_view sentence) {
  std::fprintf(stderr, "attention-live: %.*s\n", static_cast<int>(sentence.size()),
               sentence.data());
}

}  // namespace app
