// Dear ImGui's compile-time settings (IMGUI_USER_CONFIG): what the program never shows is not
// compiled. Every file that includes imgui.h gets these through CMake's target `imgui`.
#pragma once

#include <stdio.h>

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT    // our own are embedded: draw_fonts.hpp
#define IMGUI_DISABLE_FILE_FUNCTIONS  // no imgui.ini, no log file: the web has no file system
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS  // nothing here opens another program
#define IMGUI_DISABLE_WIN32_FUNCTIONS          // the clipboard is the platform's
#define IMGUI_USE_WCHAR32                      // what people type goes beyond the basic plane

// ImGui scans settings files, which it has not, and what is typed into its sliders, of which the
// program has none. The C library's scanner is 5 kB of what a page downloads.
#define sscanf(...) 0

// Mistakes in how ImGui is called are found by the builds that assert.
#if defined(NDEBUG)
#define IM_ASSERT_USER_ERROR(CORRECT, MESSAGE) ((void)(CORRECT))
#endif
