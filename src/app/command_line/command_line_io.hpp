// Files and standard output for the command line. Everything else in the program works on memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace app {

/// Larger files are not read: they would not fit into memory together with what is computed from
/// them.
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 31U;

/// A path as sentences have it: see files::in_quotes; long ones whole.
std::string path_in_quotes(const std::string& path);

/// The whole file (a pipe will do). Errors, with the path: not there, a folder, not readable, too
/// large.
base::Result<std::vector<std::byte>> read_file(const std::string& path);

/// A file of which parts are read, so that its size does not matter.
class OpenFile {
 public:
  /// Errors, with the path: not there, no regular file, not readable.
  static base::Result<OpenFile> open(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// The bytes from `begin` on. Errors, with the path: they are not there or cannot be read.
  base::Result<std::vector<std::byte>> read(std::uint64_t begin, std::size_t length) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::uint64_t size_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
};

/// Replaces the file as a whole: the bytes go to a new file beside it, which then takes its name,
/// so that nobody ever finds half a file and a failure leaves the old one. A symbolic link stays
/// one; what is no regular file (a pipe, /dev/stdout) is written into. Errors, with the path: a
/// folder, not writable, disk full.
base::Result<void> write_file(const std::string& path, std::span<const std::byte> bytes);

/// Whether write_file can begin, to be asked before long work; changes nothing. Errors: as
/// write_file, apart from a full disk.
base::Result<void> check_writable(const std::string& path);

/// Errors: standard output cannot take it all.
base::Result<void> print(std::string_view text);

/// One line on standard error: "attention-live: " and the sentence.
void print_error(std::string_view sentence);

}  // namespace app
