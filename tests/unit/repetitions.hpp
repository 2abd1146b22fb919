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

/// `all` natively and as WebAssembly. The sanitizers take ten times as long for each, and look for
/// wrong accesses, not for wrong numbers: a tenth.
constexpr int repetitions(int all) {
#if defined(ATTENTION_LIVE_SANITIZED)
  return all / 10;
#else
  return all;
#endif
}
