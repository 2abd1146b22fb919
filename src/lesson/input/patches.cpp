#include "lesson/input/patches.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace lesson {
namespace {

/// The range that output pixel `place` of `count` covers on a line of `side` input pixels, in units
/// of 1/count of an input pixel, so that it is integers.
struct Cover {
  Cover(std::size_t place, std::size_t side, std::size_t count)
      : begin(place * side), end((place + 1) * side), parts(count) {}
  std::size_t first() const { return begin / parts; }
  std::size_t last() const { return (end - 1) / parts; }
  std::uint64_t of(std::size_t pixel) const {
    return std::min(end, (pixel + 1) * parts) - std::max(begin, pixel * parts);
  }
  std::size_t begin, end, parts;
};

/// n / 100: −1 is a byte of 0 and 1 a byte of 255, rounded to two decimals. (2·byte − 255) · 100 /
/// 255 is never half-way between two whole numbers.
float number_of(std::uint8_t byte) {
  const int hundredths = (200 * int{byte} + 127) / 255 - 100;
  return static_cast<float>(hundredths) / 100.0F;
}

}  // namespace

base::Result<std::vector<std::uint8_t>> picture_from_rgba(std::span<const std::uint8_t> rgba,
                                                          std::size_t width, std::size_t height) {
  if (width == 0 || height == 0 || width > largest_picture_side || height > largest_picture_side) {
    return base::fail(
        base::text("lesson.picture.side",
                   {{"width", width}, {"height", height}, {"largest", largest_picture_side}}));
  }
  if (rgba.size() != width * height * 4) {
    return base::fail(base::text("lesson.picture.bytes", {{"bytes", rgba.size()},
                                                          {"width", width},
                                                          {"height", height},
                                                          {"wanted", width * height * 4}}));
  }
  const std::size_t side = std::min(width, height);
  const std::size_t left = (width - side) / 2;
  const std::size_t top = (height - side) / 2;
  // 8192² pixels × 255 × 255 stay far below 2^64.
  const std::uint64_t all = std::uint64_t{side} * side * 255;

  std::vector<std::uint8_t> rgb;
  rgb.reserve(picture_bytes);
  for (std::size_t row = 0; row < picture_height; ++row) {
    const Cover rows(row, side, picture_height);
    for (std::size_t column = 0; column < picture_width; ++column) {
      const Cover columns(column, side, picture_width);
      std::array<std::uint64_t, 3> sums{};
      for (std::size_t y = rows.first(); y <= rows.last(); ++y) {
        for (std::size_t x = columns.first(); x <= columns.last(); ++x) {
          const std::uint64_t area = rows.of(y) * columns.of(x);
          const std::uint8_t* const pixel = &rgba[((top + y) * width + left + x) * 4];
          const std::uint64_t alpha = pixel[3];
          for (std::size_t colour = 0; colour < 3; ++colour)
            sums[colour] += area * (pixel[colour] * alpha + 255 * (255 - alpha));
        }
      }
      for (const std::uint64_t sum : sums)
        rgb.push_back(static_cast<std::uint8_t>((sum + all / 2) / all));
    }
  }
  return rgb;
}

base::Result<Picture> picture_of(std::vector<std::uint8_t> rgb) {
  if (rgb.size() != picture_bytes) {
    return base::fail(base::text("lesson.picture.rgb_bytes", {{"bytes", rgb.size()},
                                                              {"wanted", picture_bytes},
                                                              {"width", picture_width},
                                                              {"height", picture_height}}));
  }
  Picture picture;
  picture.width = picture_width;
  picture.height = picture_height;
  picture.rgb = std::move(rgb);
  picture.patch_size = patch_size;
  return picture;
}

tensor::Tensor patches_of(const Picture& picture) {
  const std::size_t side = picture.patch_size;
  const std::size_t patches = picture.patches_per_row() * picture.patches_per_column();
  tensor::Tensor tensor({1, patches, side * side * 3});
  float* cell = tensor.mutable_data();
  for (std::size_t patch = 0; patch < patches; ++patch) {
    const std::size_t top = patch / picture.patches_per_row() * side;
    const std::size_t left = patch % picture.patches_per_row() * side;
    for (std::size_t colour = 0; colour < 3; ++colour) {
      for (std::size_t y = top; y < top + side; ++y) {
        for (std::size_t x = left; x < left + side; ++x)
          *cell++ = number_of(picture.rgb[(y * picture.width + x) * 3 + colour]);
      }
    }
  }
  return tensor;
}

std::vector<std::string> patch_names(const Picture& picture) {
  std::vector<std::string> names;
  for (std::size_t row = 0; row < picture.patches_per_column(); ++row) {
    for (std::size_t column = 0; column < picture.patches_per_row(); ++column)
      names.push_back("r" + std::to_string(row) + "c" + std::to_string(column));
  }
  return names;
}

}  // namespace lesson
