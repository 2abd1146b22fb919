// What a file holds of the numbers of a document. In a header, as the page and the command share it
// and nothing else of this room.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"
#include "files/attention/trace_file.hpp"

namespace app {

/// What stands before the names of an attention's tensors: nothing where it is alone.
inline std::string prefix_of(const document::ComputedAttention& attention) {
  const bool alone = attention.id == lesson::AttentionId::attention;
  return alone ? "" : std::string(lesson::name_of(attention.id));
}

/// The attentions, under the names that the lesson gives them, unless there is only one; then the
/// rows around them.
inline std::vector<files::NamedTrace> named_traces(const document::Computed& computed) {
  std::vector<files::NamedTrace> traces;
  for (const document::ComputedAttention& attention : computed.attentions) {
    traces.push_back({prefix_of(attention), attention.trace});
  }
  for (const model::Trace& part : computed.parts) {
    if (!files::is_attention(part)) traces.push_back({part.name, part});
  }
  return traces;
}

}  // namespace app
