# GoogleTest with a main(), compiled here so that it gets the flags of this build (sanitizers,
# no exceptions, WebAssembly). Target: `googletest_main`.

find_path(GOOGLETEST_DIR NAMES googletest/src/gtest-all.cc
  PATHS /usr/src/googletest NO_CMAKE_FIND_ROOT_PATH DOC "The source of GoogleTest")
if(GOOGLETEST_DIR)
  add_library(googletest_main STATIC
    "${GOOGLETEST_DIR}/googletest/src/gtest-all.cc" "${GOOGLETEST_DIR}/googletest/src/gtest_main.cc")
  target_include_directories(googletest_main SYSTEM PUBLIC "${GOOGLETEST_DIR}/googletest/include")
  target_include_directories(googletest_main SYSTEM PRIVATE "${GOOGLETEST_DIR}/googletest")
  if(ATTENTION_LIVE_WEB)
    target_compile_definitions(googletest_main PUBLIC GTEST_HAS_PTHREAD=0 GTEST_HAS_DEATH_TEST=0)
  endif()
else()
  find_package(GTest QUIET)
  if(NOT GTest_FOUND OR ATTENTION_LIVE_WEB)
    message(FATAL_ERROR "The source of GoogleTest is missing: install googletest (make test does that "
      "on Debian and Ubuntu), or say where it is with -DGOOGLETEST_DIR=FOLDER.")
  endif()
  add_library(googletest_main INTERFACE)
  target_link_libraries(googletest_main INTERFACE GTest::gtest_main)
endif()
