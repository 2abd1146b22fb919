# GoogleTest with a main(), compiled here so that it gets the flags of this build (sanitizers,
# no exceptions, WebAssembly). Target: `googletest_main`; without GoogleTest there is none, and no tests:
# whoever only wants the program need not have it.

find_path(GOOGLETEST_DIR NAMES googletest/src/gtest-all.cc
  PATHS /usr/src/googletest NO_CMAKE_FIND_ROOT_PATH DOC "The source of GoogleTest")
if(GOOGLETEST_DIR)
  add_library(googletest_main STATIC
    "${GOOGLETEST_DIR}/googletest/src/gtest-all.cc" "${GOOGLETEST_DIR}/googletest/src/gtest_main.cc")
  # GoogleTest itself need not be fast or checked by sanitizers.
  target_compile_options(googletest_main PRIVATE -O0 $<$<BOOL:${ATTENTION_LIVE_SANITIZE}>:-fno-sanitize=all>)
  target_include_directories(googletest_main SYSTEM PUBLIC "${GOOGLETEST_DIR}/googletest/include")
  target_include_directories(googletest_main SYSTEM PRIVATE "${GOOGLETEST_DIR}/googletest")
  if(ATTENTION_LIVE_WEB)
    target_compile_definitions(googletest_main PUBLIC GTEST_HAS_PTHREAD=0 GTEST_HAS_DEATH_TEST=0)
  endif()
else()
  if(NOT ATTENTION_LIVE_WEB)
    find_package(GTest QUIET)
  endif()
  if(GTest_FOUND)
    add_library(googletest_main INTERFACE)
    target_link_libraries(googletest_main INTERFACE GTest::gtest_main)
  else()
    message(STATUS "The source of GoogleTest is missing, so the tests are not built: install googletest "
      "(make test does that on Debian and Ubuntu), or say where it is with -DGOOGLETEST_DIR=FOLDER")
  endif()
endif()
