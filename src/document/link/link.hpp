// A link: everything that can be chosen, as the part of an address behind its “#”. Short, typed by
// hand where an author likes to, and read as far as it goes.
//
//   #v=1&example=you-are-welcome&step=softmax&head=1&query=2
//
// docs/links.md has the grammar and every field.
//
// What a link does not name is as the example has it. to_link writes `v`, `example`, `step` and
// what differs from the example, in the order of the state's fields.
//
// A part keeps its meaning in every later version of the program; `v` grows when one cannot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/session.hpp"

namespace document {

inline constexpr std::size_t max_link_bytes = std::size_t{64} << 10;
/// The most problems that open_link reports, and bytes in each.
inline constexpr std::size_t max_link_problems = 8;
inline constexpr std::size_t max_problem_bytes = 400;

/// "#v=1&example=…": ASCII, nothing in it that has to be quoted in a mail, a chat or Markdown.
/// `document` must be a session's. Errors: longer than max_link_bytes.
base::Result<std::string> to_link(const Document& document, const Computed& computed);

/// Replaces the session's document by that of `link`, as one undo step. Parts that cannot be read
/// or do not exist in the example are left out; for each a sentence is returned. If no part can be
/// used, the document stays.
std::vector<std::string> open_link(Session& session, std::string_view link);

/// `document` with the fields that `link` names replaced, as by a partial state (state.hpp). Edits
/// without an attention belong to the one on screen. Errors: a part that cannot be read. Session
/// checks whether everything exists in the example.
base::Result<Document> with_link(const Document& document, std::string_view link);

}  // namespace document
