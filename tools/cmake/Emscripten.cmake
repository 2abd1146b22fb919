# Toolchain of the web presets: whichever Emscripten `emcc` on PATH belongs to (emsdk's before the
# packaged one, if its environment is loaded).

find_program(ATTENTION_LIVE_EMCC NAMES emcc NO_CMAKE_FIND_ROOT_PATH)
if(NOT ATTENTION_LIVE_EMCC)
  message(FATAL_ERROR "Emscripten is missing: install the package emscripten (make web does that on "
    "Debian and Ubuntu), or put emcc of an emsdk on PATH.")
endif()

# em-config lies beside emcc. Asking it beats guessing: a distribution's emcc is a link or a wrapper.
get_filename_component(emscripten_bin "${ATTENTION_LIVE_EMCC}" DIRECTORY)
get_filename_component(emscripten_real "${ATTENTION_LIVE_EMCC}" REALPATH)
get_filename_component(emscripten_real "${emscripten_real}" DIRECTORY)
foreach(em_config "${emscripten_bin}/em-config" "${emscripten_real}/em-config"
                  "${emscripten_real}/em-config.py")
  if(NOT DEFINED ENV{ATTENTION_LIVE_EMSCRIPTEN_ROOT} AND EXISTS "${em_config}")
    execute_process(COMMAND "${em_config}" EMSCRIPTEN_ROOT
      OUTPUT_VARIABLE emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(EXISTS "${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
      # CMake reads this file again for every compiler check.
      set(ENV{ATTENTION_LIVE_EMSCRIPTEN_ROOT} "${emscripten_root}")
    endif()
  endif()
endforeach()
if(NOT DEFINED ENV{ATTENTION_LIVE_EMSCRIPTEN_ROOT})
  set(ENV{ATTENTION_LIVE_EMSCRIPTEN_ROOT} "${emscripten_real}")
endif()
set(emscripten_toolchain
  "$ENV{ATTENTION_LIVE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
if(NOT EXISTS "${emscripten_toolchain}")
  message(FATAL_ERROR "${ATTENTION_LIVE_EMCC} was found, but not the Emscripten it belongs to: put "
    "the folder that has emcc.py on PATH.")
endif()

# Debian's emcc does not find its own acorn, the parser of its JavaScript optimiser, under a Node that
# is not Debian's.
if(EXISTS /usr/share/nodejs/acorn)
  set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;NODE_PATH=/usr/share/nodejs"
    CACHE STRING "What em++ is started with")
endif()

include("${emscripten_toolchain}")
