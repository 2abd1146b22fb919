# Compiler settings. Those of our own code are in the target `own_code`; those that every object file of a build must share
# (exceptions, SIMD, sanitizers) are set for the whole folder.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# Everything but the matrix product of native programs (src/CMakeLists.txt) must round alike on every
# machine. ARM compilers fuse a·b + c into one rounding unless told not to; x86-64 and WebAssembly
# never do.
add_compile_options(-ffp-contract=off)

if(ATTENTION_LIVE_WEB)
  # 5 MB in Emscripten 3.1.6, 64 kB since 3.1.27, where the setting also got another name.
  set(ATTENTION_LIVE_STACK STACK_SIZE)
  if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.25)
    set(ATTENTION_LIVE_STACK TOTAL_STACK)
  endif()
  # Later versions export no errno unless asked.
  set(ATTENTION_LIVE_NO_ERRNO "")
  if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.40)
    set(ATTENTION_LIVE_NO_ERRNO -sSUPPORT_ERRNO=0)
  endif()
  add_compile_options(-fno-exceptions -fno-rtti -msimd128)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    # A page is downloaded before it runs: small code everywhere but in targets that are FAST. Those
    # must not be given -Os or -Oz at all: Emscripten then passes -fno-inline-functions, and a matrix
    # product took three times as long. Small code is not small without inlining either: half of
    # libc++ is functions that are shorter than a call of them, which only the compiler can see. The
    # link needs -O3: below it, Emscripten 3.1.6's own optimiser leaves matmul four times slower.
    set(ATTENTION_LIVE_SMALL "-Oz;-finline-functions")
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 17)
      # Inlines only functions that are marked so; the default inlines too much. 6 kB less until the first
      # frame; an edit takes 5 % longer.
      set(ATTENTION_LIVE_SMALL "-Oz;-finline-hint-functions")
    endif()
    # No automatic vectorising and unrolling: loops that need vectors use vector types, and elsewhere rows are too short
    # for it to pay.
    set(ATTENTION_LIVE_FAST "-O2;-fno-vectorize;-fno-slp-vectorize;-fno-unroll-loops")
    add_compile_options(
      "$<IF:$<BOOL:$<TARGET_PROPERTY:FAST>>,${ATTENTION_LIVE_FAST},${ATTENTION_LIVE_SMALL}>"
      -fno-threadsafe-statics)  # there are no threads
    # Rooms and ImGui are compiled to what the linker optimises as a whole: the program is 53 kB smaller. They have been
    # inlined by then; a threshold below 0 leaves what makes the code smaller still. The libraries of the system are not
    # made so (no -flto at the link): the code for the whole may come to need one of their functions.
    set(ATTENTION_LIVE_WHOLE -flto)
    add_link_options(-Wl,-mllvm,-inline-threshold=-40)
    # The wasm optimiser inlines only short functions: 4 kB less to download. It also shares the locals of functions once
    # more at the end: 0.5 kB.
    set(passes --flexible-inline-max-function-size=2 --one-caller-inline-max-function-size=20
      --merge-locals --coalesce-locals --reorder-locals --vacuum)
    list(JOIN passes "," passes)
    add_link_options(-O3 -sBINARYEN_EXTRA_PASSES=${passes})
  else()
    # -O1: the link then needs no JavaScript optimiser.
    add_compile_options(-O1 -g)
    add_link_options(-O1 -g -sASSERTIONS=1 -sSTACK_OVERFLOW_CHECK=2)
  endif()
endif()

if(NOT ATTENTION_LIVE_WEB AND CMAKE_BUILD_TYPE STREQUAL "Release")
  # -O3 is for FAST targets, which loop over numbers; the others compile sooner without it.
  add_compile_options("$<$<NOT:$<BOOL:$<TARGET_PROPERTY:FAST>>>:-O2>")
endif()

if(NOT ATTENTION_LIVE_WEB)
  # Many test programs are linked: LLVM's linker takes a fifth of the time.
  find_program(ATTENTION_LIVE_LLD ld.lld)
  if(ATTENTION_LIVE_LLD AND ATTENTION_LIVE_TESTS)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

if(ATTENTION_LIVE_SANITIZE)
  # object-size looks for accesses beyond an object whose size the compiler can see. AddressSanitizer finds those when
  # they happen; without it some files compile in three quarters of the time.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=object-size -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # Out-of-range standard containers abort too.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

add_library(own_code INTERFACE)
target_include_directories(own_code INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(own_code INTERFACE -Wall -Wextra -Wpedantic -Wconversion
  # -Wshadow not for joined files, in which declarations of one file are visible in the next.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC's optimiser reports these for correct uses of std::string and std::sort (its bugs 105651 and
  # 107852); the sanitizers look for the real ones.
  target_compile_options(own_code INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # Reports every reference that a function with a temporary argument returns, whatever it refers to.
    target_compile_options(own_code INTERFACE -Wno-dangling-reference)
  endif()
endif()
if(ATTENTION_LIVE_WERROR)
  target_compile_options(own_code INTERFACE -Werror)
endif()
target_compile_definitions(own_code INTERFACE ATTENTION_LIVE_VERSION="${PROJECT_VERSION}")
if(ATTENTION_LIVE_WEB)
  target_compile_definitions(own_code INTERFACE ATTENTION_LIVE_WEB=1)
endif()

# precompile(TARGET ALIKE LINK TARGET... [OPTIONS OPTION...] HEADERS HEADER...): what nearly every file of a target
# includes, compiled once for all targets that are compiled ALIKE: up to a fifth of the time. Each file still has to
# include what it uses: clang-tidy reads it without that (preset lint).
function(precompile target alike)
  cmake_parse_arguments(PARSE_ARGV 2 precompiled "" "" "LINK;OPTIONS;HEADERS")
  if(NOT TARGET precompiled_for_${alike})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "")
    add_library(precompiled_for_${alike} OBJECT "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(precompiled_for_${alike} PRIVATE ${precompiled_LINK})
    target_compile_options(precompiled_for_${alike} PRIVATE ${precompiled_OPTIONS})
    target_precompile_headers(precompiled_for_${alike} PRIVATE ${precompiled_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM precompiled_for_${alike})
endfunction()
