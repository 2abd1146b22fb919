// Files that the desktop program leaves in the working directory.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "base/error.hpp"

namespace platform {

/// A file of the C library that is closed with its handle.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Writes `bytes` to a file of that name in the working directory, or, where there is one already,
/// "name-2.png", "name-3.png" and so on. Returns the sentence that says where it is. Errors: the
/// folder cannot be written to.
base::Result<std::string> write_new_file(const std::string& name, const std::string& bytes);

/// A picture as PNG; `rgba`: width · height · 4 bytes, row after row from the top.
std::string png_of(int width, int height, std::span<const unsigned char> rgba);

}  // namespace platform
