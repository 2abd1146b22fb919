#include "files/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <utf8/core.h>

#include "base/decimal.hpp"
#include "base/json/json_reader.hpp"
#include "base/order.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

using base::fail;
using Done = base::Result<void>;

constexpr std::array<std::string_view, 3> field_names = {"dtype", "shape", "data_offsets"};

/// Reads a header directly from its text, which has exactly three levels; deeper values are errors.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : json_(text) {}

  /// Reads a text that begins with a brace.
  base::Result<Header> read() {
    json_.take('{');
    const auto read = members([this](std::string name) {
      return name == "__metadata__" ? read_metadata() : read_entry(std::move(name));
    });
    if (!read) return fail(read.error());
    if (!json_.at_end()) return not_json();
    return std::move(header_);
  }

 private:
  /// After the brace of an object: calls `member` with each name to read its value.
  template <typename Member>
  Done members(Member member) {
    if (json_.take('}')) return {};
    do {
      std::string name;
      if (!json_.read_text(name) || !json_.take(':')) return not_json();
      if (auto read = member(std::move(name)); !read) return read;
    } while (json_.take(','));
    return json_.take('}') ? Done() : not_json();
  }

  /// After the bracket of a list: calls `add` with each number. `wanted` is for the error.
  template <typename Add>
  Done numbers(std::string_view wanted, Add add) {
    if (json_.take(']')) return {};
    do {
      const std::string_view digits = json_.read_number();
      if (digits.empty()) return wrong(wanted);
      const auto number = base::read_whole<std::uint64_t>(digits);
      if (!number) return fail(wanted);
      if (auto added = add(*number); !added) return added;
    } while (json_.take(','));
    return json_.take(']') ? Done() : not_json();
  }

  Done read_metadata() {
    if (std::exchange(has_metadata_, true)) return fail(base::text("files.metadata.twice"));
    if (!json_.take('{')) return wrong(base::text("files.metadata.no_object"));
    return members([this](std::string name) -> Done {
      if (!json_.at_text()) {
        return wrong(base::text("files.metadata.no_string", {{"name", in_quotes(name)}}));
      }
      std::string& value = header_.metadata.emplace_back(std::move(name), std::string()).second;
      return json_.read_text(value) ? Done() : not_json();
    });
  }

  Done read_entry(std::string name) {
    if (!json_.take('{'))
      return wrong(base::text("files.entry.no_object", {{"name", in_quotes(name)}}));
    HeaderEntry& entry = header_.entries.emplace_back();
    entry.name = std::move(name);
    std::array<bool, field_names.size()> seen{};
    auto read = members([&](const std::string& field) -> Done {
      const auto found = std::find(field_names.begin(), field_names.end(), field);
      if (found == field_names.end()) {
        return fail(base::text("files.entry.unknown_field",
                               {{"name", in_quotes(entry.name)}, {"field", in_quotes(field)}}));
      }
      const auto which = static_cast<std::size_t>(found - field_names.begin());
      if (std::exchange(seen[which], true)) {
        return fail(base::text("files.entry.field_twice",
                               {{"name", in_quotes(entry.name)}, {"field", field}}));
      }
      return which == 0 ? read_dtype(entry) : which == 1 ? read_shape(entry) : read_offsets(entry);
    });
    if (!read) return read;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) {
        return fail(base::text("files.entry.no_field",
                               {{"name", in_quotes(entry.name)}, {"field", field_names[i]}}));
      }
    }
    return {};
  }

  Done read_dtype(HeaderEntry& entry) {
    if (!json_.at_text())
      return wrong(base::text("files.entry.dtype", {{"name", in_quotes(entry.name)}}));
    return json_.read_text(entry.dtype) ? Done() : not_json();
  }

  Done read_shape(HeaderEntry& entry) {
    const std::string name = in_quotes(entry.name);
    if (!json_.take('[')) return wrong(base::text("files.entry.shape", {{"name", name}}));
    const std::string wanted =
        base::text("files.entry.shape_numbers", {{"name", name}, {"most", max_axis_length}});
    return numbers(wanted, [&](std::uint64_t length) -> Done {
      if (length > max_axis_length) return fail(wanted);
      if (entry.shape.rank() == tensor::Shape::max_rank) {
        return fail(base::text("files.entry.dimensions",
                               {{"name", name}, {"most", tensor::Shape::max_rank}}));
      }
      entry.shape.push_back(static_cast<std::size_t>(length));
      return {};
    });
  }

  Done read_offsets(HeaderEntry& entry) {
    const std::string name = in_quotes(entry.name);
    if (!json_.take('[')) return wrong(base::text("files.entry.offsets", {{"name", name}}));
    const std::string wanted = base::text("files.entry.offset_numbers", {{"name", name}});
    std::size_t count = 0;
    auto read = numbers(wanted, [&](std::uint64_t offset) -> Done {
      if (count == 2) return fail(wanted);
      (count == 0 ? entry.begin : entry.end) = offset;
      ++count;
      return {};
    });
    return read && count != 2 ? Done(fail(wanted)) : read;
  }

  /// The error if the next value has the wrong type, or if there is none.
  tl::unexpected<base::Error> wrong(std::string_view sentence) {
    return json_.at_value() ? fail(sentence) : not_json();
  }

  tl::unexpected<base::Error> not_json() const {
    return fail(base::text("files.header.not_json", {{"byte", json_.place()}}));
  }

  base::JsonReader json_;
  Header header_;
  bool has_metadata_ = false;
};

/// A name that occurs twice, or nothing.
template <typename Things, typename Name>
std::optional<std::string_view> duplicate(const Things& things, Name name) {
  std::vector<std::string_view> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(name(thing));
  base::sort(names);
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return std::nullopt;
  return *twice;
}

}  // namespace

base::Result<Header> read_header(std::string_view text) {
  if (!text.starts_with('{')) return fail(base::text("files.header.no_brace"));
  const auto valid_until = utf8::find_invalid(text.begin(), text.end());
  if (valid_until != text.end()) {
    return fail(base::text("files.header.not_utf8", {{"byte", valid_until - text.begin()}}));
  }
  auto header = HeaderReader(text).read();
  if (!header) return header;
  if (const auto name = duplicate(
          header->entries, [](const HeaderEntry& e) -> std::string_view { return e.name; })) {
    return fail(base::text("files.header.tensor_twice", {{"name", in_quotes(*name)}}));
  }
  if (const auto name =
          duplicate(header->metadata, [](const auto& m) -> std::string_view { return m.first; })) {
    return fail(base::text("files.metadata.name_twice", {{"name", in_quotes(*name)}}));
  }
  return header;
}

}  // namespace files
