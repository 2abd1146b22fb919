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
/// Sentences that open_link answers with, and bytes in each.
inline constexpr std::size_t max_link_problems = 8;
inline constexpr std::size_t max_problem_bytes = 400;

/// "#v=1&example=…": ASCII, nothing in it that has to be quoted in a mail, a chat or Markdown.
/// `document` must be a session's. Errors: longer than max_link_bytes.
base::Result<std::string> to_link(const Document& document, const Computed& computed);

/// Makes the session's document the one that `link` says, one undo step. What cannot be read, and
/// what is not there in this example, is left out and told: a sentence each, in the order of the
/// parts. Where nothing at all can be used the document stays.
std::vector<std::string> open_link(Session& session, std::string_view link);

/// `document` with what `link` names put into it, like a part of a state (state.hpp). Edits without
/// an attention are those of the one that is looked at then. Errors: something in the link cannot
/// be read. Whether all of it is there in this example, the session says.
base::Result<Document> with_link(const Document& document, std::string_view link);

}  // namespace document
