// Dear ImGui's compile-time settings (IMGUI_USER_CONFIG): what the program never shows is not
// compiled. Every file that includes imgui.h gets these through CMake's target `imgui`.
#pragma once

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT    // our own are embedded: draw_fonts.hpp
#define IMGUI_DISABLE_FILE_FUNCTIONS  // no imgui.ini, no log file: the web has no file system
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS  // nothing here opens another program
#define IMGUI_DISABLE_WIN32_FUNCTIONS          // the clipboard is the platform's
#define IMGUI_USE_WCHAR32                      // what people type goes beyond the basic plane
