// The program's fonts as bytes of OpenType files, reduced to the characters in use.
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
