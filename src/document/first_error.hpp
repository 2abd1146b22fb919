// The first of several errors: for code that reads many values, each of which may be wrong.
#pragma once

#include <optional>
#include <utility>

#include "base/error.hpp"

namespace document {

/// Everything is read in its order, and asked once in the end whether all of it was right.
class FirstError {
 public:
  /// Puts what was read into `place`, or keeps its error.
  template <typename T, typename U>
  void store(base::Result<T> read, U& place) {
    if (read) {
      place = static_cast<U>(*std::move(read));
    } else {
      keep(std::move(read).error());
    }
  }
  void keep(base::Error error) {
    if (!error_) error_ = std::move(error);
  }

  explicit operator bool() const { return error_.has_value(); }
  /// There must be one.
  const base::Error& operator*() const { return *error_; }

 private:
  std::optional<base::Error> error_;
};

}  // namespace document
