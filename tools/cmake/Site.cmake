# The web program, and the site it is served from, build/web/site: the files of web/, and the program beside its
# modules, program/attention-live.mjs and .wasm.

set(site "${PROJECT_BINARY_DIR}/site")
set(program "program/attention-live")

file(GLOB_RECURSE site_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/web"
  "${PROJECT_SOURCE_DIR}/web/*.html" "${PROJECT_SOURCE_DIR}/web/*.css"
  "${PROJECT_SOURCE_DIR}/web/*.mjs" "${PROJECT_SOURCE_DIR}/web/*.svg"
  "${PROJECT_SOURCE_DIR}/web/*.json" "${PROJECT_SOURCE_DIR}/web/*.d.ts"
  "${PROJECT_SOURCE_DIR}/web/*.js" "${PROJECT_SOURCE_DIR}/web/*.py"
  "${PROJECT_SOURCE_DIR}/web/*.webp")
# Remove files that are no longer in web/.
file(GLOB_RECURSE present RELATIVE "${site}" "${site}/*")
set(languages de es)
list(TRANSFORM languages REPLACE "(.+)" "program/texts/\\1.mjs" OUTPUT_VARIABLE language_files)
foreach(page IN ITEMS index lesson authors)
  list(TRANSFORM languages REPLACE "(.+)" "${page}.\\1.html" OUTPUT_VARIABLE page_files)
  list(APPEND language_files ${page_files})
endforeach()
list(REMOVE_ITEM present ${site_files} "${program}.mjs" "${program}.wasm"
  "program/translator.safetensors" "program/tokenizer.wasm" engine.wasm ${language_files})
foreach(stale IN LISTS present)
  file(REMOVE "${site}/${stale}")
endforeach()
set(site_outputs "")
foreach(site_file IN LISTS site_files)
  add_custom_command(OUTPUT "${site}/${site_file}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/web/${site_file}" "${site}/${site_file}"
    DEPENDS "${PROJECT_SOURCE_DIR}/web/${site_file}"
    COMMENT "Copying web/${site_file}" VERBATIM)
  list(APPEND site_outputs "${site}/${site_file}")
endforeach()

add_custom_command(OUTPUT "${site}/program/translator.safetensors"
  COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/tools/translator/translator.safetensors" "${site}/program"
  DEPENDS "${PROJECT_SOURCE_DIR}/tools/translator/translator.safetensors"
  COMMENT "Copying the translator's weights" VERBATIM)
list(APPEND site_outputs "${site}/program/translator.safetensors")

# The texts of other languages (src/base/text.hpp), a module each, which web/program/language.mjs imports.
foreach(language IN LISTS languages)
  file(GLOB texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/texts/${language}/*.json")
  add_custom_command(OUTPUT "${site}/program/texts/${language}.mjs"
    COMMAND "${CMAKE_COMMAND}" "-Doutput=${site}/program/texts/${language}.mjs" "-Dtexts=${texts}"
      -P "${CMAKE_CURRENT_LIST_DIR}/texts_module.cmake"
    DEPENDS "${CMAKE_CURRENT_LIST_DIR}/texts_module.cmake" ${texts}
    COMMENT "Making texts/${language}.mjs" VERBATIM)
  list(APPEND site_outputs "${site}/program/texts/${language}.mjs")
endforeach()

# The pages in other languages: the English ones with the texts of web/texts/LANGUAGE/pages.
foreach(language IN LISTS languages)
  foreach(page IN ITEMS index lesson authors)
    set(words "${PROJECT_SOURCE_DIR}/web/texts/${language}/pages/${page}.txt")
    add_custom_command(OUTPUT "${site}/${page}.${language}.html"
      COMMAND "${ATTENTION_LIVE_PYTHON}" "${PROJECT_SOURCE_DIR}/tools/translate_page.py"
        "${PROJECT_SOURCE_DIR}/web/${page}.html" "${words}" ${language} "${site}/${page}.${language}.html"
      DEPENDS "${PROJECT_SOURCE_DIR}/tools/translate_page.py" "${PROJECT_SOURCE_DIR}/web/${page}.html" "${words}"
      COMMENT "Translating ${page}.html" VERBATIM)
    list(APPEND site_outputs "${site}/${page}.${language}.html")
  endforeach()
endforeach()

add_executable(attention-live "${PROJECT_SOURCE_DIR}/src/main_web.cpp")
target_link_libraries(attention-live PRIVATE own_code app)
set_target_properties(attention-live PROPERTIES SUFFIX ".mjs" RUNTIME_OUTPUT_DIRECTORY "${site}/program")

# The engine by itself: web/engine.mjs calls the module's own exports, without JavaScript of Emscripten's around it.
# It has the texts of its own rooms alone, in the place of the program's, and not those of what it leaves out of them:
# files, tables and arrays, and the layers around attention.
set(engine_texts "")
foreach(room IN ITEMS base files model)
  list(APPEND engine_texts "${PROJECT_SOURCE_DIR}/src/texts/en/${room}.json")
endforeach()
add_custom_command(OUTPUT "${embedded_dir}/engine_texts.cpp"
  COMMAND "${ATTENTION_LIVE_PYTHON}" "${PROJECT_SOURCE_DIR}/tools/embed_texts.py"
    --without files.config. --without files.layer. --without files.npy. --without files.table. --without files.trace.
    --without files.tokenizer. --without model.layer. --without model.problem_in. --without model.tokens.
    "${embedded_dir}/engine_texts.cpp" ${engine_texts}
  DEPENDS "${PROJECT_SOURCE_DIR}/tools/embed_texts.py" ${engine_texts}
  COMMENT "Embedding the engine's texts" VERBATIM)
add_executable(engine "${PROJECT_SOURCE_DIR}/src/main_engine.cpp" "${embedded_dir}/engine_texts.cpp"
  "${PROJECT_SOURCE_DIR}/src/platform/web/web_numbers.cpp")
target_link_libraries(engine PRIVATE own_code files)
# Small: what is computed often has been compiled for speed by then.
set(by_itself -Oz --no-entry -sSTANDALONE_WASM -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH
  -sINITIAL_MEMORY=1048576 -sMALLOC=emmalloc ${ATTENTION_LIVE_NO_ERRNO} -s${ATTENTION_LIVE_STACK}=262144)
target_link_options(engine PRIVATE ${by_itself} -Wl,--wrap=strtod)  # strtod is platform/web/web_numbers.cpp
set_target_properties(engine PROPERTIES SUFFIX ".wasm" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/linked")
add_custom_command(OUTPUT "${site}/engine.wasm"
  COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_BINARY_DIR}/linked/engine.wasm" "${site}/engine.wasm"
  DEPENDS engine COMMENT "Copying engine.wasm" VERBATIM)
list(APPEND site_outputs "${site}/engine.wasm")

# Tokenizers by themselves, in the same way: web/program/own_layer/tokenizer.mjs loads them when a reader opens one.
set(tokenizer_texts "${PROJECT_SOURCE_DIR}/src/texts/en/files.json")
add_custom_command(OUTPUT "${embedded_dir}/tokenizer_texts.cpp"
  COMMAND "${ATTENTION_LIVE_PYTHON}" "${PROJECT_SOURCE_DIR}/tools/embed_texts.py" --only files.tokenizer.
    "${embedded_dir}/tokenizer_texts.cpp" "${tokenizer_texts}"
  DEPENDS "${PROJECT_SOURCE_DIR}/tools/embed_texts.py" "${tokenizer_texts}"
  COMMENT "Embedding the tokenizer's texts" VERBATIM)
add_executable(tokenizer "${PROJECT_SOURCE_DIR}/src/main_tokenizer.cpp" "${embedded_dir}/tokenizer_texts.cpp")
target_link_libraries(tokenizer PRIVATE own_code files)
target_link_options(tokenizer PRIVATE ${by_itself})
set_target_properties(tokenizer PROPERTIES SUFFIX ".wasm" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/linked")
add_custom_command(OUTPUT "${site}/program/tokenizer.wasm"
  COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_BINARY_DIR}/linked/tokenizer.wasm" "${site}/program/tokenizer.wasm"
  DEPENDS tokenizer COMMENT "Copying tokenizer.wasm" VERBATIM)
list(APPEND site_outputs "${site}/program/tokenizer.wasm")

add_custom_target(site ALL DEPENDS attention-live ${site_outputs})

target_link_options(attention-live PRIVATE
  # strtod is platform/web/web_numbers.cpp
  -Wl,--wrap=strtod
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web
  -sDYNAMIC_EXECUTION=0  # no eval: the page's content security policy forbids it
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  # No extensions are needed, and enabling all of them takes a browser longer than a frame.
  -sGL_SUPPORT_AUTOMATIC_ENABLE_EXTENSIONS=0
  -sINCOMING_MODULE_JS_API=[canvas,instantiateWasm,noExitRuntime,onAbort]  # web/program/program.mjs gives these
  # Memory grows by what is asked for, and no more: the room above a matrix of one mebibyte is not
  # used by the next. Most of the initial memory is used at once.
  # All unit tests pass natively with a stack of 448 KiB, where frames are larger than here.
  -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=8388608 -sMEMORY_GROWTH_LINEAR_STEP=65536
  -sMALLOC=emmalloc  # 2 kB less to download than the usual one; an edit took as long
  ${ATTENTION_LIVE_NO_ERRNO} -sFILESYSTEM=0 -s${ATTENTION_LIVE_STACK}=458752)

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
