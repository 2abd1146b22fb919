// The document as JSON, for the API; link.hpp has it as a link.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "document/computed.hpp"

namespace document {

/// Every field, always, in this order:
///   example            "you-are-welcome"
///   variant            "scaled": its name
///   step               "softmax"
///   attention          "cross_attention": the one that is looked at
///   head, query, key, sample, counted from 0; all_heads true | false comes after head
///   all_samples        true | false: the other samples of a batch lie under the chosen one
///   shared_scale       true | false: one colour scale for all matrices
///   projection         "q" | "k" | "v": the one that is followed where one stands for all
///   scrub              0 … 1: how far the step has come
///   cell               {"tensor", "index": […]}: the chosen cell, or null
///   framing            [x, y, zoom]: what is in the middle, as fractions of the stage, and how
///                      large (1: the whole step fits), or null
///   show               "auto" | "matrices" | "figure": where there is no room for both
///   compare            true | false: differences to the unedited example
///   guessing           true | false: which mistake is made is not told
///   scale              "sqrt-head-dim" | "sqrt-keys" | "none" | a number
///   mask               "none" | "padding" | "look-ahead" | "both": of the attention looked at
///   masks              {"cross_attention": "padding", …}: of every attention
///   position_encoding  true | false
///   seed               a whole number below 2^32
///   sentence           what is typed in your-sentence, "" elsewhere
///   picture            RGB bytes in base64 where it is not the example's own, "" elsewhere
///   embed_dim, num_heads
///   num_kv_heads       heads of keys and values: of your-sentence any divisor of num_heads, else
///   as
///                      many as num_heads, which it is again when another num_heads is chosen
///   source_len, target_len: tokens of each sequence; 0 where there is none, or as many as typed
///   theme              "auto" | "light" | "dark"
///   edits              [{"attention", "tensor", "index": […], "value"}]; −∞ is "-Infinity"
///   mistake            "none" | "no-transpose" | "no-scale" | "softmax-over-queries" |
///                      "mask-after-softmax" | "mask-with-zero" | "keys-not-transposed";
///                      a link tells it as a riddle while it is to be guessed (riddle.hpp)
///   ablated_heads      {"attention": [0, 2], …}: heads that are switched off
///   given_weights      [{"attention", "sample", "head", "query", "weights": […]}]: rows of
///                      attention_weights set by the person; the example's own are not told
base::Json state_json(const Document& document, const Computed& computed);

inline constexpr std::size_t max_json_bytes = std::size_t{1} << 20;

/// `document` with the fields that `json` names replaced, in the order above whatever their order
/// in the text. What a choice takes along goes as it does with the command: another example starts
/// fresh, another sentence loses the edits of the old one's cells, and so on; `edits`, where it is
/// named, is then all the edits there are. Errors: not JSON, not an object, an unknown field or
/// value (named, with what is allowed), wrong type, too long (over 1 MiB), `mask` and `masks` that
/// contradict each other. Does not compute: Session::replace does, and judges the rest.
base::Result<Document> with_json(const Document& document, std::string_view json);

}  // namespace document
