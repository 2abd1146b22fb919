// The program's fonts, cut down and compiled in: the bytes of OpenType files. They live for ever.
// Copied into the build tree by tools/cmake/Embed.cmake; the bytes are made by
// tools/subset_fonts.py.
#pragma once

#include <span>

namespace draw::fonts {

std::span<const unsigned char> inter_regular();   ///< Inter, for words; digits are tabular
std::span<const unsigned char> inter_semibold();  ///< Inter SemiBold
std::span<const unsigned char> mono_regular();    ///< JetBrains Mono, for numbers
std::span<const unsigned char> mono_semibold();   ///< JetBrains Mono SemiBold

}  // namespace draw::fonts
