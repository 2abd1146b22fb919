// The methods of the API for lessons that authors wrote.
#pragma once

#include <optional>
#include <string_view>

#include "app/api/api_json.hpp"

namespace app {

/// The answer to a method about lessons; nothing where it is none of them.
///
/// lesson {"text"} reads a lesson's file and opens its example → {title, language, steps: [{text,
/// begins, question: null or {kind, text}}], words}; `begins` says that the step has a state of its
/// own, and words are those of the buttons, in the reader's language. Or {wrong: {line, column,
/// message}}, and the lesson before stays. lesson_step {"step", "keep"?} → the state; keep: the
/// figure stays as it is, and only what can be changed is as the step says. lesson_answer {"step",
/// "typed"?} → {right, value, distance, said, hint}. lesson_end {} allows everything again.
std::optional<base::Result<Json>> lesson_answers(App& app, std::string_view method,
                                                 Arguments& given);

}  // namespace app
