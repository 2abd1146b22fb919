// Errors as return values: the wasm build has no exceptions.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace base {

/// What went wrong, as one sentence that names what is wrong and what is allowed.
struct Error {
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail("...")` from a function that returns a Result. Not inline, for a small download.
[[nodiscard]] tl::unexpected<Error> fail(std::string&& message);
[[nodiscard]] tl::unexpected<Error> fail(std::string_view message);
[[nodiscard]] tl::unexpected<Error> fail(const char* message);
/// Hands an error on to the caller: `if (!made) return fail(made.error());`.
[[nodiscard]] tl::unexpected<Error> fail(Error error);

}  // namespace base
