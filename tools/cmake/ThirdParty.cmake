# Header-only libraries, natively and for em++.
#
# The system's own include folder cannot be given to a cross compiler (it would find the host's C
# library), and em++ does not search it. So the few header folders we use are linked into a private
# folder of the build tree, and only that folder is searched. The libraries know nothing of the target.

set(third_party_include "${PROJECT_BINARY_DIR}/third_party/include")
file(MAKE_DIRECTORY "${third_party_include}")

# third_party_header(NAME HEADER PACKAGE ENTRY...): finds HEADER, then links each ENTRY beside it.
# Entries that do not exist are left out: some libraries lie a little differently in each release.
function(third_party_header name header package)
  find_path(${name}_INCLUDE_DIR NAMES ${header}
    HINTS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH
    DOC "The folder that has ${header}")
  if(NOT ${name}_INCLUDE_DIR)
    message(FATAL_ERROR
      "The header <${header}> is missing: install ${package} (make native and make web do that on "
      "Debian and Ubuntu), or say where it is with -D${name}_INCLUDE_DIR=FOLDER.")
  endif()
  foreach(entry IN LISTS ARGN)
    if(EXISTS "${${name}_INCLUDE_DIR}/${entry}")
      file(CREATE_LINK "${${name}_INCLUDE_DIR}/${entry}" "${third_party_include}/${entry}"
        COPY_ON_ERROR SYMBOLIC)
    endif()
  endforeach()
endfunction()

third_party_header(xtensor "xtensor/xtensor_config.hpp;xtensor/core/xtensor_config.hpp" libxtensor-dev xtensor)
third_party_header(xtl "xtl/xtl_config.hpp" xtl-dev xtl)
third_party_header(tl_expected "tl/expected.hpp" libexpected-dev tl)
third_party_header(nlohmann_json "nlohmann/json.hpp" nlohmann-json3-dev nlohmann)
# Its own build files put utf8cpp/ on the search path: <utf8/core.h>.
find_path(utfcpp_INCLUDE_DIR NAMES utf8/core.h HINTS /usr/include/utf8cpp /usr/local/include/utf8cpp
  NO_CMAKE_FIND_ROOT_PATH)
third_party_header(utfcpp "utf8/core.h" libutfcpp-dev utf8)

add_library(third_party_headers INTERFACE)
target_include_directories(third_party_headers SYSTEM INTERFACE "${third_party_include}")

# CLI11 reads the command line of the native program; it lies in a folder of its own so that no room
# that the web build has too can come to depend on it.
if(NOT ATTENTION_LIVE_WEB)
  set(rooms_include "${third_party_include}")
  set(third_party_include "${PROJECT_BINARY_DIR}/third_party/command_line")
  file(MAKE_DIRECTORY "${third_party_include}")
  third_party_header(CLI11 "CLI/CLI.hpp" libcli11-dev CLI)
  add_library(cli11 INTERFACE)
  target_include_directories(cli11 SYSTEM INTERFACE "${third_party_include}")
  set(third_party_include "${rooms_include}")

  # stb_image_write makes the window's screenshots; natively only, from the system's own folder.
  find_path(stb_INCLUDE_DIR NAMES stb_image_write.h PATH_SUFFIXES stb DOC "The folder that has stb_image_write.h")
  if(NOT stb_INCLUDE_DIR)
    message(FATAL_ERROR "The header <stb_image_write.h> is missing: install libstb-dev (make native does that on "
      "Debian and Ubuntu), or say where it is with -Dstb_INCLUDE_DIR=FOLDER.")
  endif()
  add_library(stb INTERFACE)
  target_include_directories(stb SYSTEM INTERFACE "${stb_INCLUDE_DIR}")

  # Text of every script in the fonts of the system: fontconfig finds them, FriBidi orders, HarfBuzz
  # joins and places, FreeType draws. The page has the browser for that.
  find_package(Freetype REQUIRED)
  find_package(Fontconfig REQUIRED)
  find_path(HARFBUZZ_INCLUDE_DIR hb-ft.h PATH_SUFFIXES harfbuzz)
  find_library(HARFBUZZ_LIBRARY harfbuzz)
  find_path(FRIBIDI_INCLUDE_DIR fribidi.h PATH_SUFFIXES fribidi)
  find_library(FRIBIDI_LIBRARY fribidi)
  if(NOT HARFBUZZ_INCLUDE_DIR OR NOT HARFBUZZ_LIBRARY OR NOT FRIBIDI_INCLUDE_DIR OR NOT FRIBIDI_LIBRARY)
    message(FATAL_ERROR "HarfBuzz or FriBidi is missing: install libharfbuzz-dev and libfribidi-dev (make native does "
      "that on Debian and Ubuntu), or set HARFBUZZ_INCLUDE_DIR, HARFBUZZ_LIBRARY, FRIBIDI_INCLUDE_DIR and FRIBIDI_LIBRARY.")
  endif()
  add_library(system_fonts INTERFACE)
  target_include_directories(system_fonts SYSTEM INTERFACE "${HARFBUZZ_INCLUDE_DIR}" "${FRIBIDI_INCLUDE_DIR}")
  target_link_libraries(system_fonts INTERFACE "${HARFBUZZ_LIBRARY}" "${FRIBIDI_LIBRARY}" Freetype::Freetype
    Fontconfig::Fontconfig)
endif()
