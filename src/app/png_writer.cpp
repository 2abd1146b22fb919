// The one file that compiles stb_image_write: it is a header that becomes code where this is
// defined.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
