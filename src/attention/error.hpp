// Errors as values: the wasm build has no exceptions, and a reader deserves a sentence.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace attention {

/// What went wrong, as one sentence that names what is wrong and what is allowed.
struct Error {
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail("...")` from a function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

}  // namespace attention
