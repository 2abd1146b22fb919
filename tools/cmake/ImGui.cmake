# Dear ImGui, compiled from source with our own settings (src/draw/imconfig.h), GLFW and OpenGL.
# Targets: `imgui` (the library; src/draw/gl/imgui_renderer.cpp draws what it makes), `imgui_glfw` (native: its GLFW input),
# `opengl` (OpenGL's functions: natively through libepoxy, on the web Emscripten has them).

set(imgui_version 1.92.2b)
set(imgui_commit 45acd5e0e82f4c954432533ae9985ff0e1aad6d5)  # upstream's tag v1.92.2b

# Where tools/imgui puts the source that it gets from a Debian mirror.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(imgui_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(imgui_cache "$ENV{HOME}/.cache")
endif()
find_path(ATTENTION_LIVE_IMGUI_DIR NAMES backends/imgui_impl_glfw.cpp
  PATHS "${imgui_cache}/attention-live/imgui-${imgui_version}" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
  DOC "The source of Dear ImGui ${imgui_version}")
if(NOT ATTENTION_LIVE_IMGUI_DIR)
  message(STATUS "Dear ImGui ${imgui_version} is not in ${imgui_cache}/attention-live: cloning it")
  include(FetchContent)
  FetchContent_Declare(imgui
    GIT_REPOSITORY https://github.com/ocornut/imgui.git
    GIT_TAG ${imgui_commit})
  FetchContent_GetProperties(imgui)
  if(NOT imgui_POPULATED)
    FetchContent_Populate(imgui)
  endif()
  set(ATTENTION_LIVE_IMGUI_DIR "${imgui_SOURCE_DIR}" CACHE PATH "The source of Dear ImGui" FORCE)
endif()

# imgui_demo.cpp is left out: src/draw/imconfig.h disables what it would define.
add_library(imgui STATIC
  "${ATTENTION_LIVE_IMGUI_DIR}/imgui.cpp"
  "${ATTENTION_LIVE_IMGUI_DIR}/imgui_draw.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/imgui_without_tables.cpp"
  "${ATTENTION_LIVE_IMGUI_DIR}/imgui_widgets.cpp"
  "${ATTENTION_LIVE_IMGUI_DIR}/misc/cpp/imgui_stdlib.cpp")
target_include_directories(imgui SYSTEM PUBLIC "${ATTENTION_LIVE_IMGUI_DIR}"
  "${ATTENTION_LIVE_IMGUI_DIR}/backends" "${ATTENTION_LIVE_IMGUI_DIR}/misc/cpp")
target_include_directories(imgui PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(imgui PRIVATE ${ATTENTION_LIVE_WHOLE})
target_compile_definitions(imgui PUBLIC IMGUI_USER_CONFIG="draw/imconfig.h")

add_library(opengl INTERFACE)
if(NOT ATTENTION_LIVE_WEB)
  find_path(GLFW_INCLUDE_DIR GLFW/glfw3.h)
  find_library(GLFW_LIBRARY NAMES glfw glfw3)
  if(NOT GLFW_INCLUDE_DIR OR NOT GLFW_LIBRARY)
    message(FATAL_ERROR "GLFW 3.3 or newer is missing: install libglfw3-dev (make native does that "
      "on Debian and Ubuntu), or set GLFW_INCLUDE_DIR and GLFW_LIBRARY.")
  endif()
  add_library(imgui_glfw STATIC "${ATTENTION_LIVE_IMGUI_DIR}/backends/imgui_impl_glfw.cpp")
  target_include_directories(imgui_glfw SYSTEM PUBLIC "${GLFW_INCLUDE_DIR}")
  target_link_libraries(imgui_glfw PUBLIC imgui "${GLFW_LIBRARY}")
  target_compile_definitions(imgui_glfw PUBLIC GLFW_INCLUDE_NONE)
  target_include_directories(imgui_glfw PRIVATE "${PROJECT_SOURCE_DIR}/src")

  find_path(EPOXY_INCLUDE_DIR epoxy/gl.h)
  find_library(EPOXY_LIBRARY epoxy)
  if(NOT EPOXY_INCLUDE_DIR OR NOT EPOXY_LIBRARY)
    message(FATAL_ERROR "libepoxy is missing: install libepoxy-dev (make native does that on Debian "
      "and Ubuntu), or set EPOXY_INCLUDE_DIR and EPOXY_LIBRARY.")
  endif()
  target_include_directories(opengl SYSTEM INTERFACE "${EPOXY_INCLUDE_DIR}")
  target_link_libraries(opengl INTERFACE "${EPOXY_LIBRARY}")
endif()
