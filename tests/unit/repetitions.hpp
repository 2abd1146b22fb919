// How often a test with random numbers repeats itself.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTENTION_LIVE_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ATTENTION_LIVE_SANITIZED 1
#endif

/// `all` natively. Under the sanitizers and as WebAssembly, compiled quickly, each takes five to
/// ten times as long, and what is looked for there does not need thousands of them: a tenth.
constexpr int repetitions(int all) {
#if defined(ATTENTION_LIVE_SANITIZED) || defined(__EMSCRIPTEN__)
  return all / 10;
#else
  return all;
#endif
}
