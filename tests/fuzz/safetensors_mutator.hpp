// What the fuzzers of safetensors files share: a mutator that keeps the header's length true, or
// nearly every input would be turned away at its first eight bytes; and what every sentence must
// be.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <utf8/core.h>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace fuzz {

/// Ends the run, and libFuzzer keeps the input.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// An error is one line of printable UTF-8, and no file can make it long.
inline void require_sentence(std::string_view sentence) {
  require(!sentence.empty() && sentence.size() < 2000);
  require(utf8::find_invalid(sentence.begin(), sentence.end()) == sentence.end());
  require(std::none_of(sentence.begin(), sentence.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }));
}

/// Ends the run if this input takes longer than ten seconds of the processor's time, and libFuzzer
/// keeps it. libFuzzer's own limit is by the clock, which goes on while others use the processor.
inline void limit_time() {
  std::signal(SIGPROF, [](int) { std::abort(); });
  const itimerval limit{{0, 0}, {10, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

/// Bytes that lie exactly in memory of their own, so that AddressSanitizer sees one read too many.
/// Each input is copied once: its time begins here.
inline std::vector<std::byte> exact_copy(const std::uint8_t* data, std::size_t size) {
  limit_time();
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  return bytes;
}

/// Mutates prefix · length · header · data: mostly the header or the data alone, with the length
/// made true again; sometimes everything as it comes. `prefix` bytes in front do not belong to the
/// file.
inline std::size_t mutate(std::uint8_t* bytes, std::size_t size, std::size_t max_size,
                          unsigned seed, std::size_t prefix) {
  constexpr std::size_t length_bytes = 8;
  const std::size_t front = prefix + length_bytes;
  std::uint64_t header_length = 0;
  if (size >= front) std::memcpy(&header_length, bytes + prefix, length_bytes);
  if (seed % 8 == 0 || size < front || header_length > size - front) {
    return LLVMFuzzerMutate(bytes, size, max_size);
  }

  const std::size_t header_end = front + static_cast<std::size_t>(header_length);
  std::vector<std::uint8_t> header(bytes + front, bytes + header_end);
  std::vector<std::uint8_t> data(bytes + header_end, bytes + size);
  const bool mutates_header = seed % 8 < 6;
  std::vector<std::uint8_t>& part = mutates_header ? header : data;
  const std::size_t others = size - part.size();
  if (others >= max_size) return LLVMFuzzerMutate(bytes, size, max_size);
  const std::size_t part_size = part.size();
  part.resize(max_size - others);
  part.resize(LLVMFuzzerMutate(part.data(), part_size, part.size()));

  header_length = header.size();
  std::memcpy(bytes + prefix, &header_length, length_bytes);
  std::copy(header.begin(), header.end(), bytes + front);
  std::copy(data.begin(), data.end(), bytes + front + header.size());
  return front + header.size() + data.size();
}

}  // namespace fuzz
