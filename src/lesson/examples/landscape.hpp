// The picture that image-patches shows before the reader brings one: made by code, so that it is
// ours and costs no file.
#pragma once

#include <cstdint>
#include <vector>

namespace lesson {

/// A house between hills under a sunny sky: `picture_bytes` bytes as Picture::rgb.
std::vector<std::uint8_t> landscape();

}  // namespace lesson
