// Pictures as tokens: the size of the picture, its patches as numbers, and any other picture made
// small enough.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lesson/examples/example.hpp"

namespace lesson {

inline constexpr std::size_t picture_width = 24;   ///< pixels
inline constexpr std::size_t picture_height = 24;  ///< pixels
inline constexpr std::size_t patch_size = 4;       ///< pixels along each side of a patch
inline constexpr std::size_t picture_bytes = picture_width * picture_height * 3;
inline constexpr std::size_t picture_patches =
    (picture_width / patch_size) * (picture_height / patch_size);
/// The numbers of one patch: all of its red, then all of its green, then all of its blue.
inline constexpr std::size_t patch_numbers = patch_size * patch_size * 3;
/// Of a picture that is made smaller, along each side.
inline constexpr std::size_t largest_picture_side = 8192;

/// A picture of any size cut to the square in its middle and averaged down (or stretched) to
/// `picture_width` × `picture_height`: RGB bytes as Picture::rgb. Each pixel is the mean of the
/// area it covers, in the bytes' own (sRGB) scale; what is transparent lets white through. rgba:
/// [height,width,4], rows from the top, alpha not multiplied in. Errors: a side of 0 or more than
/// `largest_picture_side` pixels, a number of bytes that does not fit the sides.
base::Result<std::vector<std::uint8_t>> picture_from_rgba(std::span<const std::uint8_t> rgba,
                                                          std::size_t width, std::size_t height);

/// The picture with these bytes. Error: not `picture_bytes` of them.
base::Result<Picture> picture_of(std::vector<std::uint8_t> rgb);

/// One row for each patch, [1,patches,numbers of a patch]: −1 is a byte of 0 and 1 a byte of 255,
/// with two decimals. Within a colour the pixels of a patch stand row by row, from the upper left.
tensor::Tensor patches_of(const Picture& picture);

/// "r0c0", "r0c1", …: row and column of each patch, counted from 0.
std::vector<std::string> patch_names(const Picture& picture);

}  // namespace lesson
