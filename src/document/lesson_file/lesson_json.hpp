// Reads values of a lesson's JSON, each of which knows where it stands.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/json/json.hpp"
#include "document/document.hpp"

namespace document {

/// A value, and the names and places that lead to it (base::place_in_json).
struct JsonAt {
  const base::Json* json = nullptr;
  std::vector<std::string> path;

  std::optional<JsonAt> find(std::string_view name) const;
  JsonAt element(std::size_t place) const;
};

struct WrongAt {
  std::vector<std::string> path;
  std::string sentence;
};
template <typename T>
using ReadAt = tl::expected<T, WrongAt>;

[[nodiscard]] tl::unexpected<WrongAt> wrong(const JsonAt& at, std::string&& sentence);

/// "steps[0].text", for sentences; "the lesson" for all of it.
std::string name_of(const JsonAt& at);

/// An object with no other members than these, and none twice.
ReadAt<void> check_members(const JsonAt& at, std::span<const std::string_view> fields);
/// A member that must be there.
ReadAt<JsonAt> needed(const JsonAt& at, std::string_view name);
/// A text of 1 to `longest` bytes.
ReadAt<std::string> read_text(const JsonAt& at, std::size_t longest);
ReadAt<std::size_t> read_whole(const JsonAt& at, std::uint64_t smallest, std::uint64_t largest);
ReadAt<double> read_number(const JsonAt& at, double smallest, double largest);
/// A list of `smallest` to `largest` values.
ReadAt<std::vector<JsonAt>> read_list(const JsonAt& at, std::size_t smallest, std::size_t largest);
/// "scores[0,0,1,2]" or "cross_attention.scores[0,0,1,2]"; else it is one of `usual`. Does not
/// check that there is such a cell.
ReadAt<CellAddress> read_cell_name(const JsonAt& at, lesson::AttentionId usual);

}  // namespace document
