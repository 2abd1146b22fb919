#include "files/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <utf8/core.h>
#include <nlohmann/json.hpp>

#include "files/quote.hpp"

namespace files {
namespace {

using base::fail;

/// Receives the parser's events. Every event is checked against the place where it came, so nothing
/// deeper or other than a header's three levels is ever walked into.
class HeaderReader {
 public:
  Header take_header() { return std::move(header_); }
  const std::string& error() const { return error_; }

  // The interface that nlohmann::json::sax_parse asks for.
  // -----------------------------------------

  bool null() { return unexpected(); }
  bool boolean(bool /*value*/) { return unexpected(); }
  bool number_integer(std::int64_t /*value*/) {
    return unexpected();
  }  // only negative numbers come here
  bool number_float(double /*value*/, const std::string& /*text*/) { return unexpected(); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return unexpected(); }

  bool number_unsigned(std::uint64_t value) {
    if (place_ == Place::shape) return add_axis(value);
    if (place_ == Place::offsets) return add_offset(value);
    return unexpected();
  }

  bool string(std::string& value) {
    if (place_ == Place::metadata) {
      header_.metadata.back().second = std::move(value);
      return true;
    }
    if (place_ == Place::entry && field_ == Field::dtype) {
      header_.entries.back().dtype = std::move(value);
      return true;
    }
    return unexpected();
  }

  bool start_object(std::size_t /*size*/) {
    if (place_ == Place::before) {
      place_ = Place::root;
      return true;
    }
    if (place_ != Place::root) return unexpected();
    if (key_ == "__metadata__") {
      if (std::exchange(has_metadata_, true)) return give_up("The header has __metadata__ twice.");
      place_ = Place::metadata;
      return true;
    }
    header_.entries.emplace_back().name = std::move(key_);
    fields_seen_ = {};
    place_ = Place::entry;
    return true;
  }

  bool key(std::string& name) {
    if (place_ == Place::root) {
      key_ = std::move(name);
      return true;
    }
    if (place_ == Place::metadata) {
      header_.metadata.emplace_back(std::move(name), std::string());
      return true;
    }
    const auto found = std::find(field_names.begin(), field_names.end(), name);
    if (found == field_names.end()) {
      return give_up("Tensor " + tensor_name() + " has the field " + in_quotes(name) +
                     "; allowed are dtype, shape and data_offsets.");
    }
    field_ = static_cast<Field>(found - field_names.begin());
    if (std::exchange(fields_seen_[static_cast<std::size_t>(field_)], true)) {
      return give_up("Tensor " + tensor_name() + " has the field " + name + " twice.");
    }
    return true;
  }

  bool end_object() {
    if (place_ == Place::entry) {
      for (std::size_t i = 0; i < field_names.size(); ++i) {
        if (!fields_seen_[i]) {
          return give_up("Tensor " + tensor_name() + " has no " + std::string(field_names[i]) +
                         ".");
        }
      }
    }
    place_ = place_ == Place::root ? Place::after : Place::root;
    return true;
  }

  bool start_array(std::size_t /*size*/) {
    if (place_ != Place::entry || field_ == Field::dtype) return unexpected();
    place_ = field_ == Field::shape ? Place::shape : Place::offsets;
    offsets_seen_ = 0;
    return true;
  }

  bool end_array() {
    if (place_ == Place::offsets && offsets_seen_ != 2) return unexpected();
    place_ = Place::entry;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) {
    return give_up("The header is not valid JSON at its byte " + std::to_string(position) + ".");
  }

 private:
  enum class Place : unsigned char { before, root, metadata, entry, shape, offsets, after };
  enum class Field : unsigned char { dtype, shape, data_offsets };
  static constexpr std::array<std::string_view, 3> field_names = {"dtype", "shape", "data_offsets"};

  std::string tensor_name() const { return in_quotes(header_.entries.back().name); }

  bool give_up(std::string sentence) {
    error_ = std::move(sentence);
    return false;
  }

  /// A value of a kind that has no business where it stands.
  bool unexpected() {
    switch (place_) {
      case Place::before:
      case Place::after:
        return give_up("The header must be one JSON object.");
      case Place::root:
        return give_up("The header's entry " + in_quotes(key_) + " must be an object.");
      case Place::metadata:
        return give_up("__metadata__ must hold strings only, but " +
                       in_quotes(header_.metadata.back().first) + " is something else.");
      case Place::entry:
        if (field_ == Field::dtype) {
          return give_up("The dtype of tensor " + tensor_name() + " must be a string.");
        }
        return give_up(std::string(field_ == Field::shape ? "The shape" : "data_offsets") +
                       " of tensor " + tensor_name() + " must be an array.");
      case Place::shape:
        return give_up("The shape of tensor " + tensor_name() +
                       " must hold whole numbers from 0 to " + std::to_string(max_axis_length) +
                       ".");
      case Place::offsets:
        return give_up("data_offsets of tensor " + tensor_name() +
                       " must be two whole numbers, where its data begin and end.");
    }
    return give_up("The header is not that of a safetensors file.");
  }

  bool add_axis(std::uint64_t length) {
    if (length > max_axis_length) return unexpected();
    attention::Shape& shape = header_.entries.back().shape;
    if (shape.rank() == attention::Shape::max_rank) {
      return give_up("Tensor " + tensor_name() + " has more than " +
                     std::to_string(attention::Shape::max_rank) +
                     " dimensions, the most that are read.");
    }
    shape.push_back(static_cast<std::size_t>(length));
    return true;
  }

  bool add_offset(std::uint64_t offset) {
    if (offsets_seen_ == 2) return unexpected();
    HeaderEntry& entry = header_.entries.back();
    (offsets_seen_ == 0 ? entry.begin : entry.end) = offset;
    ++offsets_seen_;
    return true;
  }

  Header header_;
  std::string error_;
  Place place_ = Place::before;
  Field field_ = Field::dtype;
  std::array<bool, 3> fields_seen_{};
  std::size_t offsets_seen_ = 0;
  std::string key_;
  bool has_metadata_ = false;
};

/// A name that is there twice, or nothing.
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
  if (text.empty() || text.front() != '{') {
    return fail("The header does not begin with a brace, as its JSON must.");
  }
  // The JSON parser takes a zero byte for the end of the text and would not look at what hides
  // behind it.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return fail("The header is not valid JSON at its byte " + std::to_string(zero + 1) + ".");
  }
  const auto valid_until = utf8::find_invalid(text.begin(), text.end());
  if (valid_until != text.end()) {
    return fail("The header is not valid UTF-8 at its byte " +
                std::to_string(valid_until - text.begin() + 1) + ".");
  }

  HeaderReader reader;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader)) return fail(reader.error());

  Header header = reader.take_header();
  if (const auto name = duplicate(
          header.entries, [](const HeaderEntry& e) -> std::string_view { return e.name; })) {
    return fail("The header has tensor " + in_quotes(*name) + " twice.");
  }
  if (const auto name =
          duplicate(header.metadata, [](const auto& m) -> std::string_view { return m.first; })) {
    return fail("__metadata__ has " + in_quotes(*name) + " twice.");
  }
  return header;
}

}  // namespace files
