// What a file holds of the numbers of a document. In a header, as the page and the command share it
// and nothing else of this room.
#pragma once

#include <string>
#include <vector>

#include "document/computed.hpp"
#include "files/trace_file.hpp"

namespace app {

/// The attentions, under the names that the lesson gives them, unless there is only one; then the
/// rows around them.
inline std::vector<files::NamedTrace> named_traces(const document::Computed& computed) {
  std::vector<files::NamedTrace> traces;
  for (const document::ComputedAttention& attention : computed.attentions) {
    const bool alone = attention.id == lesson::AttentionId::attention;
    traces.push_back({alone ? "" : std::string(lesson::name_of(attention.id)), attention.trace});
  }
  for (const model::Trace& part : computed.parts) {
    if (!files::is_attention(part)) traces.push_back({part.name, part});
  }
  return traces;
}

}  // namespace app
