// The document as JSON, for the API; link.hpp has it as a link.
#pragma once

#include <string_view>

#include "base/json/json.hpp"
#include "document/computed.hpp"

namespace document {

/// All fields, in the order of state_fields(). docs/links.md says what each means and may be. These
/// are written in another way in JSON than in a link:
///   cell           {"tensor", "index": […]}, or null
///   framing        [x, y, zoom], or null
///   masks          {"cross_attention": "padding", …}: of every attention
///   edits          [{"attention", "tensor", "index": […], "value"}]; −∞ is "-Infinity"
///   ablated_heads  {"attention": [0, 2], …}
/// A length is 0 where there is no such sequence, or as many tokens as are typed; sentence and
/// picture are "" where they are not the reader's own. The example's own given_weights are not
/// told.
base::Json state_json(const Document& document, const Computed& computed);

inline constexpr std::size_t max_json_bytes = std::size_t{1} << 20;

/// `document` with the fields that `json` names replaced, in the order above whatever their order
/// in the text. Choices remove edits as their commands do (commands.hpp); after that `edits`, if it
/// is named, replaces all edits. Errors: not JSON, not an object, an unknown field or
/// value (named, with what is allowed), wrong type, too long (over 1 MiB), `mask` and `masks` that
/// contradict each other. Nothing is computed; Session::replace computes and checks the rest.
base::Result<Document> with_json(const Document& document, std::string_view json);

}  // namespace document
