// Dear ImGui's compile-time settings (IMGUI_USER_CONFIG), which leave out what the program never
// uses. Every file that includes imgui.h gets them through CMake's target `imgui`.
#pragma once

#include <stdio.h>

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT             // ours are embedded: draw_fonts.hpp
#define IMGUI_DISABLE_FILE_FUNCTIONS           // no imgui.ini or log: the web has no files
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS  // the program starts no others
#define IMGUI_DISABLE_WIN32_FUNCTIONS          // the clipboard is the platform's
#define IMGUI_USE_WCHAR32                      // typed text goes beyond the basic plane

// ImGui scans settings files and text typed into sliders. The program has neither, and the C
// library's scanner would add 5 kB to the page.
#define sscanf(...) 0

// Builds with assertions report misuse of ImGui; release builds leave the check out.
#if defined(NDEBUG)
#define IM_ASSERT_USER_ERROR(CORRECT, MESSAGE) ((void)(CORRECT))
#endif
