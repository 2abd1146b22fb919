// Pictures that are dropped onto the desktop's window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace platform {

inline constexpr std::size_t largest_picture_file = std::size_t{32} << 20;  ///< bytes
inline constexpr int largest_picture_side = 8192;                           ///< pixels

struct DecodedPicture {
  std::size_t width = 0;           ///< pixels
  std::size_t height = 0;          ///< pixels
  std::vector<std::uint8_t> rgba;  ///< [height,width,4], rows from the top, alpha not premultiplied
};

/// A PNG, JPEG, BMP or GIF (its first frame); `name` is the file's, for the sentence. Errors: more
/// bytes or pixels than allowed, told before anything is decoded; none of these formats; damaged.
base::Result<DecodedPicture> decode_picture(std::span<const std::uint8_t> bytes,
                                            const std::string& name);

/// The same from a file; `path` as UTF-8. Errors: also that it cannot be read.
base::Result<DecodedPicture> read_picture_file(const std::string& path);

}  // namespace platform
