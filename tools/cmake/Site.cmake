# The web program, and the site it is served from: the files of web/ beside attention-live-VARIANT.mjs
# and the two parts of the program, attention-live-VARIANT.wasm and attention-live-VARIANT-rest.wasm.
# The SIMD and the baseline build put theirs into the same site.

if(ATTENTION_LIVE_SIMD)
  set(variant simd)
else()
  set(variant baseline)
endif()

file(GLOB_RECURSE site_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/web"
  "${PROJECT_SOURCE_DIR}/web/*.html" "${PROJECT_SOURCE_DIR}/web/*.css"
  "${PROJECT_SOURCE_DIR}/web/*.mjs" "${PROJECT_SOURCE_DIR}/web/*.svg"
  "${PROJECT_SOURCE_DIR}/web/*.json" "${PROJECT_SOURCE_DIR}/web/*.d.ts"
  "${PROJECT_SOURCE_DIR}/web/*.js" "${PROJECT_SOURCE_DIR}/web/*.py"
  "${PROJECT_SOURCE_DIR}/web/*.webp")
# The two builds share the site: one of them copies the page, and takes away what web/ has no more.
if(NOT ATTENTION_LIVE_SIMD)
  set(site_files "")
else()
  file(GLOB_RECURSE present RELATIVE "${ATTENTION_LIVE_SITE_DIR}" "${ATTENTION_LIVE_SITE_DIR}/*")
  list(FILTER present EXCLUDE REGEX "^attention-live-(simd|baseline)(-rest)?\\.(mjs|wasm)$")
  list(REMOVE_ITEM present ${site_files})
  foreach(stale IN LISTS present)
    file(REMOVE "${ATTENTION_LIVE_SITE_DIR}/${stale}")
  endforeach()
endif()
set(site_outputs "")
foreach(site_file IN LISTS site_files)
  add_custom_command(OUTPUT "${ATTENTION_LIVE_SITE_DIR}/${site_file}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/web/${site_file}"
            "${ATTENTION_LIVE_SITE_DIR}/${site_file}"
    DEPENDS "${PROJECT_SOURCE_DIR}/web/${site_file}"
    COMMENT "Copying web/${site_file}" VERBATIM)
  list(APPEND site_outputs "${ATTENTION_LIVE_SITE_DIR}/${site_file}")
endforeach()

# Linked in one piece, and then taken apart.
add_executable(attention-live "${PROJECT_SOURCE_DIR}/src/main_web.cpp")
target_link_libraries(attention-live PRIVATE own_code app)
set(program "${PROJECT_BINARY_DIR}/program/attention-live-${variant}")
set_target_properties(attention-live PROPERTIES
  OUTPUT_NAME "attention-live-${variant}" SUFFIX ".mjs"
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/program")
find_program(ATTENTION_LIVE_NODE NAMES node nodejs REQUIRED NO_CMAKE_FIND_ROOT_PATH)
# Of the Binaryen that Emscripten comes with: an emsdk's is in bin/ beside emscripten/, Debian's on PATH.
find_program(ATTENTION_LIVE_WASM_SPLIT NAMES wasm-split REQUIRED NO_CMAKE_FIND_ROOT_PATH
  HINTS "$ENV{ATTENTION_LIVE_EMSCRIPTEN_ROOT}/../bin")
file(GLOB split_scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/split/*.mjs")
set(split_outputs "${ATTENTION_LIVE_SITE_DIR}/attention-live-${variant}.mjs"
  "${ATTENTION_LIVE_SITE_DIR}/attention-live-${variant}.wasm"
  "${ATTENTION_LIVE_SITE_DIR}/attention-live-${variant}-rest.wasm")
file(MAKE_DIRECTORY "${ATTENTION_LIVE_SITE_DIR}")
add_custom_command(OUTPUT ${split_outputs}
  COMMAND "${ATTENTION_LIVE_NODE}" "${PROJECT_SOURCE_DIR}/tools/split/split.mjs"
          "${ATTENTION_LIVE_WASM_SPLIT}" "${program}.mjs" "${program}.wasm" "${ATTENTION_LIVE_SITE_DIR}"
  DEPENDS attention-live ${split_scripts}
  COMMENT "Splitting attention-live-${variant}.wasm" VERBATIM)
add_custom_target(site ALL DEPENDS ${site_outputs} ${split_outputs})

target_link_options(attention-live PRIVATE
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web
  -sDYNAMIC_EXECUTION=0  # no eval: the page's content security policy forbids it
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  # WebGL2 as it is will do; asking for every extension there is takes a browser longer than a frame.
  -sGL_SUPPORT_AUTOMATIC_ENABLE_EXTENSIONS=0
  -sINCOMING_MODULE_JS_API=[canvas,instantiateWasm,noExitRuntime,onAbort]  # web/program/program.mjs gives these
  # As much memory as it takes, a mebibyte at a time; most of what it begins with is used at once.
  -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=8388608 -sMEMORY_GROWTH_LINEAR_STEP=1048576
  -sMALLOC=emmalloc  # 2 kB less to download than the usual one; an edit took as long
  -sSUPPORT_ERRNO=0 -sFILESYSTEM=0 -s${ATTENTION_LIVE_STACK}=1048576)

# The same objects linked again with the names of functions, for `make size`. Emscripten keeps them in the .wasm.
add_executable(attention-live-names EXCLUDE_FROM_ALL $<TARGET_OBJECTS:attention-live>)
target_link_libraries(attention-live-names PRIVATE app)
set_target_properties(attention-live-names PROPERTIES OUTPUT_NAME names SUFFIX ".mjs"
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_link_options(attention-live-names PRIVATE $<TARGET_PROPERTY:attention-live,LINK_OPTIONS> --profiling-funcs)

# JavaScript that C++ in the platform calls.
set(glfw "${PROJECT_SOURCE_DIR}/src/platform/web/web_glfw.js")
target_link_options(attention-live PRIVATE "SHELL:--js-library \"${glfw}\"")
set_property(TARGET attention-live APPEND PROPERTY LINK_DEPENDS "${glfw}")
