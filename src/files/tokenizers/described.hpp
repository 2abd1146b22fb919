// The parts of a tokenizer.json that are described as {"type": NAME, …}.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/json/json.hpp"

namespace files {

/// A member that is true or false; `usual` where it is absent or null.
bool flag(const base::Json& described, std::string_view name, bool usual);
/// A member that is a text; empty where it is something else.
std::string text_of(const base::Json& described, std::string_view name);

/// The longest text by which something in a text is replaced, in bytes.
inline constexpr std::size_t longest_replacement = 64;

/// Calls `take` with the type of what is described, and where that is a Sequence, with those of its
/// member `list` one after another. Errors: that of `take`; no type; more parts than any model has.
base::Result<void> for_each_part(
    const base::Json& described, std::string_view part, std::string_view list,
    const std::function<base::Result<void>(std::string_view type, const base::Json&)>& take);

/// What is wrong, as a sentence.
tl::unexpected<base::Error> unknown_part(std::string_view part, std::string_view name);
tl::unexpected<base::Error> not_as_it_should_be(std::string_view name);
/// What is named is above a limit: so many bytes, or entries of a list.
tl::unexpected<base::Error> too_long(std::string_view name, std::size_t most_bytes);
tl::unexpected<base::Error> too_many(std::string_view name, std::size_t most_entries);

}  // namespace files
