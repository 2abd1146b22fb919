#include "files/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <utf8/core.h>

#include "base/decimal.hpp"
#include "base/json_reader.hpp"
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
  Done numbers(const std::string& wanted, Add add) {
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
    if (std::exchange(has_metadata_, true)) return fail("The header has __metadata__ twice.");
    if (!json_.take('{')) return wrong("The header's entry \"__metadata__\" must be an object.");
    return members([this](std::string name) -> Done {
      if (!json_.at_text()) {
        return wrong("__metadata__ must hold strings only, but " + in_quotes(name) +
                     " is something else.");
      }
      std::string& value = header_.metadata.emplace_back(std::move(name), std::string()).second;
      return json_.read_text(value) ? Done() : not_json();
    });
  }

  Done read_entry(std::string name) {
    if (!json_.take('{'))
      return wrong("The header's entry " + in_quotes(name) + " must be an object.");
    HeaderEntry& entry = header_.entries.emplace_back();
    entry.name = std::move(name);
    std::array<bool, field_names.size()> seen{};
    auto read = members([&](const std::string& field) -> Done {
      const auto found = std::find(field_names.begin(), field_names.end(), field);
      if (found == field_names.end()) {
        return fail("Tensor " + in_quotes(entry.name) + " has the field " + in_quotes(field) +
                    "; allowed are dtype, shape and data_offsets.");
      }
      const auto which = static_cast<std::size_t>(found - field_names.begin());
      if (std::exchange(seen[which], true)) {
        return fail("Tensor " + in_quotes(entry.name) + " has the field " + field + " twice.");
      }
      return which == 0 ? read_dtype(entry) : which == 1 ? read_shape(entry) : read_offsets(entry);
    });
    if (!read) return read;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) {
        return fail("Tensor " + in_quotes(entry.name) + " has no " + std::string(field_names[i]) +
                    ".");
      }
    }
    return {};
  }

  Done read_dtype(HeaderEntry& entry) {
    if (!json_.at_text())
      return wrong("The dtype of tensor " + in_quotes(entry.name) + " must be a string.");
    return json_.read_text(entry.dtype) ? Done() : not_json();
  }

  Done read_shape(HeaderEntry& entry) {
    const std::string subject = "The shape of tensor " + in_quotes(entry.name);
    if (!json_.take('[')) return wrong(subject + " must be an array.");
    const std::string wanted =
        subject + " must hold whole numbers from 0 to " + std::to_string(max_axis_length) + ".";
    return numbers(wanted, [&](std::uint64_t length) -> Done {
      if (length > max_axis_length) return fail(wanted);
      if (entry.shape.rank() == tensor::Shape::max_rank) {
        return fail("Tensor " + in_quotes(entry.name) + " has more than " +
                    std::to_string(tensor::Shape::max_rank) +
                    " dimensions, the most that are read.");
      }
      entry.shape.push_back(static_cast<std::size_t>(length));
      return {};
    });
  }

  Done read_offsets(HeaderEntry& entry) {
    const std::string subject = "data_offsets of tensor " + in_quotes(entry.name);
    if (!json_.take('[')) return wrong(subject + " must be an array.");
    const std::string wanted =
        subject + " must be two whole numbers, where its data begin and end.";
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
  tl::unexpected<base::Error> wrong(const std::string& sentence) {
    return json_.at_value() ? fail(sentence) : not_json();
  }

  tl::unexpected<base::Error> not_json() const {
    return fail("The header is not valid JSON at byte " + std::to_string(json_.place()) + ".");
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
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return std::nullopt;
  return *twice;
}

}  // namespace

base::Result<Header> read_header(std::string_view text) {
  if (!text.starts_with('{')) {
    return fail("The header does not begin with a brace, as its JSON must.");
  }
  const auto valid_until = utf8::find_invalid(text.begin(), text.end());
  if (valid_until != text.end()) {
    return fail("The header is not valid UTF-8 at byte " +
                std::to_string(valid_until - text.begin()) + ".");
  }
  auto header = HeaderReader(text).read();
  if (!header) return header;
  if (const auto name = duplicate(
          header->entries, [](const HeaderEntry& e) -> std::string_view { return e.name; })) {
    return fail("The header has tensor " + in_quotes(*name) + " twice.");
  }
  if (const auto name =
          duplicate(header->metadata, [](const auto& m) -> std::string_view { return m.first; })) {
    return fail("__metadata__ has " + in_quotes(*name) + " twice.");
  }
  return header;
}

}  // namespace files
