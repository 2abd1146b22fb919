#include "base/error.hpp"

#include <utility>

namespace base {

tl::unexpected<Error> fail(std::string&& message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

tl::unexpected<Error> fail(std::string_view message) { return fail(std::string(message)); }

tl::unexpected<Error> fail(const char* message) { return fail(std::string(message)); }

tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace base
