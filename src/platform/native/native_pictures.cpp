#include "platform/native/native_pictures.hpp"

#define STB_IMAGE_IMPLEMENTATION  // this file compiles the header's code
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#include <stb_image.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/text.hpp"
#include "platform/native/native_files.hpp"

namespace platform {

using base::fail;
using base::Result;

namespace {

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

std::string too_large(const std::string& name) {
  return base::text("platform.picture.too_large",
                    {{"name", name}, {"most", largest_picture_file >> 20}});
}

}  // namespace

Result<DecodedPicture> decode_picture(std::span<const std::uint8_t> bytes,
                                      const std::string& name) {
  if (bytes.size() > largest_picture_file) return fail(too_large(name));
  const int length = static_cast<int>(bytes.size());
  int width = 0;
  int height = 0;
  int channels = 0;
  if (stbi_info_from_memory(bytes.data(), length, &width, &height, &channels) == 0 || width <= 0 ||
      height <= 0) {
    return fail(base::text("platform.picture.unknown", {{"name", name}}));
  }
  if (width > largest_picture_side || height > largest_picture_side) {
    return fail(base::text(
        "platform.picture.pixels",
        {{"name", name}, {"width", width}, {"height", height}, {"most", largest_picture_side}}));
  }
  constexpr int rgba = 4;
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(bytes.data(), length, &width, &height, &channels, rgba));
  if (!pixels) return fail(base::text("platform.picture.damaged", {{"name", name}}));
  DecodedPicture picture;
  picture.width = static_cast<std::size_t>(width);
  picture.height = static_cast<std::size_t>(height);
  picture.rgba.assign(pixels.get(), pixels.get() + picture.width * picture.height * rgba);
  return picture;
}

Result<DecodedPicture> read_picture_file(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  // No folder, and no device or pipe that may never end.
  std::error_code unknown;
  const File file(std::filesystem::is_regular_file(path, unknown) ? std::fopen(path.c_str(), "rb")
                                                                  : nullptr);
  if (!file) return fail(base::text("platform.picture.not_opened", {{"name", name}}));
  std::vector<std::uint8_t> bytes;
  std::array<std::uint8_t, 65536> piece{};
  for (std::size_t read = 1; read > 0;) {
    read = std::fread(piece.data(), 1, piece.size(), file.get());
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(read));
    if (bytes.size() > largest_picture_file) return fail(too_large(name));
  }
  return decode_picture(bytes, name);
}

}  // namespace platform
