#include "platform/native/native_files.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION  // this file compiles the header's code
#include <stb_image_write.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/text.hpp"

namespace platform {

base::Result<std::string> write_new_file(const std::string& name, const std::string& bytes) {
  const std::filesystem::path wanted(name);
  const std::string stem = wanted.stem().string();
  const std::string extension = wanted.extension().string();
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::current_path(unknown);
  constexpr int most = 1000;
  for (int number = 1; number <= most; ++number) {
    const std::string suffix = number == 1 ? std::string() : "-" + std::to_string(number);
    const std::filesystem::path path = folder / (stem + suffix + extension);
    // "x": fail if the file exists.
    const File file(std::fopen(path.string().c_str(), "wbx"));
    if (!file) {
      if (std::filesystem::exists(path, unknown)) continue;
      break;
    }
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
                         std::fflush(file.get()) == 0;
    if (written) return base::text("platform.file.saved", {{"path", path.string()}});
    std::filesystem::remove(path, unknown);
    break;
  }
  return base::fail(
      base::text("platform.file.not_written", {{"name", name}, {"folder", folder.string()}}));
}

std::string png_of(int width, int height, std::span<const unsigned char> rgba) {
  std::string png;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
  };
  stbi_flip_vertically_on_write(0);
  stbi_write_png_to_func(append, &png, width, height, 4, rgba.data(), width * 4);
  return png;
}

}  // namespace platform
