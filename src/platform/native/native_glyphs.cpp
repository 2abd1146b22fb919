// The desktop has the program's own fonts only.
#include "platform/glyphs.hpp"

namespace platform {

bool draw_letter(char32_t /*letter*/, float /*size*/, LetterBitmap& /*bitmap*/) { return false; }

}  // namespace platform
