// What is said of an attention that was found.
#include "base/text.hpp"
#include "files/layers/found_attention.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

/// "no token sees a later one, rotary positions by halves".
std::string guessed(const FoundAttention& found) {
  std::string what(base::text(found.is_cross ? "files.guess.cross"
                              : found.causal ? "files.guess.back"
                                             : "files.guess.both"));
  const std::string_view positions =
      found.is_cross                         ? ""
      : found.positions == Positions::halves ? base::text("files.guess.halves")
      : found.positions == Positions::pairs  ? base::text("files.guess.pairs")
      : found.positions == Positions::alibi  ? base::text("files.guess.alibi")
                                             : "";
  if (!positions.empty()) what.append(", ").append(positions);
  return what;
}

}  // namespace

std::vector<std::string> said_of(const FoundAttention& found) {
  std::vector<std::string> said;
  if (!found.is_known) said.push_back(base::text("files.layer.guess", {{"what", guessed(found)}}));
  for (const Saying& saying : found.sayings)
    said.push_back(base::text(saying.key, {{"name", saying.name}, {"value", saying.value}}));
  if (found.positions == Positions::relative && !found.is_cross &&
      found.variants.position_bias == model::PositionBias::none)
    said.emplace_back(base::text("files.layer.position_bias"));
  if (found.window_tokens != 0) said.emplace_back(base::text("files.layer.windows"));
  if (found.unread.empty()) return said;
  std::string names;
  for (const std::string& name : found.unread)
    names += (names.empty() ? "" : ", ") + in_quotes(name);
  if (found.unread_count > found.unread.size())
    names += ", … (" + std::to_string(found.unread_count) + ")";
  said.push_back(base::text("files.layer.unread", {{"names", names}}));
  return said;
}

}  // namespace files
