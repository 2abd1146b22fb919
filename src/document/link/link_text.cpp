#include "document/link/link_text.hpp"

#include <utf8/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "document/edits/given.hpp"
#include "document/state/text.hpp"

namespace document {

using base::Json;

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// The shortest text that reads back, without a plus sign, which means a space in links.
std::string number_in_link(const Json& number) {
  std::string text = number.dump();
  std::erase(text, '+');
  if (text.ends_with(".0") && text != "-0.0") text.resize(text.size() - 2);
  return text;
}

/// JSON has no −∞, so it is a text there.
std::string edited_number(const Json& value) {
  return value.is_number() ? number_in_link(value) : "-inf";
}

Json number_of_edit(std::string_view text) {
  if (text == "-inf" || text == "−∞" || text == minus_infinity) return minus_infinity;
  return Json::parse(text);
}

std::string list_in_link(const Json& numbers) {
  std::string text;
  for (const Json& each : numbers.elements()) {
    if (!text.empty()) text += ',';
    text += number_in_link(each);
  }
  return text;
}

bool is_list_of_numbers(const Json& value) {
  const auto numbers = value.elements();
  return value.is_array() && !numbers.empty() &&
         std::all_of(numbers.begin(), numbers.end(),
                     [](const Json& each) { return each.is_number(); });
}

bool is_cell(const Json& value) {
  const Json* tensor = value.find("tensor");
  const Json* index = value.find("index");
  return value.size() == 2 && tensor != nullptr && index != nullptr && tensor->text() != nullptr &&
         is_list_of_numbers(*index);
}

/// "0,1,2": nothing where one of them is no whole number.
std::optional<tensor::Index> index_of(std::string_view text) {
  tensor::Index index;
  for (const std::string_view piece : split(text, ',')) {
    const auto place = base::read_whole<std::uint32_t>(piece);
    if (!place || index.rank() == tensor::Index::max_rank) return std::nullopt;
    index.push_back(*place);
  }
  return index;
}

/// "attention_weights:0,1,2" as a cell.
std::optional<std::string> cell_reading(std::string_view value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto index = index_of(value.substr(colon + 1));
  if (!index) return std::nullopt;
  return Json::object()
      .with("index", json_of(*index))
      .with("tensor", value.substr(0, colon))
      .dump();
}

/// Reads edits one after another. One that names no tensor belongs to the tensor of the one before.
class EditReader {
 public:
  EditReader(bool are_targets, lesson::AttentionId attention, std::vector<std::string>& problems)
      : are_targets_(are_targets), attention_(lesson::name_of(attention)), problems_(problems) {}

  void read(std::string_view group) {
    const std::size_t equals = group.find('=');
    if (equals == std::string_view::npos) return unreadable(group);
    std::string_view cell = group.substr(0, equals);
    if (const std::size_t colon = cell.find(':'); colon != std::string_view::npos) {
      name(cell.substr(0, colon));
      cell.remove_prefix(colon + 1);
    }
    const auto index = index_of(cell);
    if (!index || tensor_.empty()) return unreadable(group);
    tensor::Index place = *index;
    std::size_t& last = place[place.rank() - 1];
    for (const std::string_view value : split(group.substr(equals + 1), ',')) {
      if (edits_.size() < max_edits)
        one(place, value);
      else
        ++too_many_;
      if (last == std::numeric_limits<std::uint32_t>::max()) break;  // the next would be the first
      ++last;
    }
  }

  std::vector<Edit> finish() {
    if (too_many_ > 0) {
      problems_.push_back(base::text(
          are_targets_ ? "document.link.too_many_targets" : "document.link.too_many_edits",
          {{"most", max_edits}}));
    }
    return std::move(edits_);
  }

 private:
  void name(std::string_view tensor) {
    if (const std::size_t dot = tensor.find('.'); dot != std::string_view::npos) {
      attention_ = tensor.substr(0, dot);
      tensor.remove_prefix(dot + 1);
    }
    tensor_ = tensor;
  }

  void one(const tensor::Index& place, std::string_view value) {
    const Json json = Json::object()
                          .with("attention", attention_)
                          .with("tensor", tensor_)
                          .with("index", json_of(place))
                          .with("value", number_of_edit(value));
    auto edit = are_targets_ ? read_target(json) : read_edit(json);
    if (edit) {
      edits_.push_back(*edit);
    } else {
      problems_.push_back(edit.error().message);
    }
  }

  void unreadable(std::string_view group) {
    problems_.push_back(
        base::text(are_targets_ ? "document.link.no_target" : "document.link.no_edit",
                   {{"text", quote(group)}}));
  }

  bool are_targets_;
  std::string attention_;
  std::string tensor_;
  std::vector<Edit> edits_;
  std::size_t too_many_ = 0;
  std::vector<std::string>& problems_;
};

}  // namespace

std::string encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // Programs that detect addresses in a text drop a full stop at their end.
    const bool is_last = i + 1 == text.size();
    if (is_letter_or_digit(c) || (!is_last && (c == '-' || c == '_' || c == '.' || c == ','))) {
      result += c;
    } else if (c == ' ' && !is_last) {
      result += '+';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      result += {'%', digits[byte >> 4U], digits[byte & 0xFU]};
    }
  }
  return result;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const char* const end = digits.data() + digits.size();
    if (digits.size() < 2 || std::from_chars(digits.data(), end, byte, 16).ptr != end)
      return std::nullopt;
    result += static_cast<char>(byte);
    i += 2;
  }
  if (!utf8::is_valid(result.begin(), result.end())) return std::nullopt;
  return result;
}

std::vector<LinkPart> parts_of(std::string_view link, std::vector<std::string>& problems) {
  if (link.starts_with('#')) link.remove_prefix(1);
  std::vector<LinkPart> parts;
  for (const std::string_view piece : split(link, '&')) {
    if (piece.empty()) continue;
    const std::size_t equals = piece.find('=');
    const auto name = decoded(piece.substr(0, equals));
    const auto value =
        decoded(equals == std::string_view::npos ? std::string_view() : piece.substr(equals + 1));
    if (!name) {
      problems.emplace_back(base::text("document.link.bad_name"));
    } else if (!value) {
      problems.push_back(base::text("document.link.bad_value", {{"part", quote(*name)}}));
    } else if (equals == std::string_view::npos) {
      problems.push_back(base::text("document.link.no_part", {{"text", quote(*name)}}));
    } else {
      parts.push_back({*name, *value});
    }
  }
  return parts;
}

std::string value_text(const Json& value) {
  if (const std::string* text = value.text()) return encoded(*text);
  if (value.is_number()) return number_in_link(value);
  if (is_list_of_numbers(value)) return list_in_link(value);
  if (is_cell(value)) {
    return encoded(*value.find("tensor")->text()) + ":" + list_in_link(*value.find("index"));
  }
  return encoded(value.dump());
}

std::vector<std::string> readings(const std::string& value) {
  std::vector<std::string> texts;
  const std::string as_list = "[" + value + "]";
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  // Quotation marks belong to the text.
  const bool is_quoted = first != std::string::npos && value[first] == '"';
  if (!is_quoted && Json::parse(value).is_valid()) texts.push_back(value);
  if (Json::parse(as_list).is_valid()) texts.push_back(as_list);
  if (auto cell = cell_reading(value)) texts.push_back(*std::move(cell));
  texts.push_back(Json(value).dump());
  return texts;
}

std::string edits_text(const Json& edits) {
  std::string text;
  std::string tensor_before;
  Json next_place;  // the index of the cell to the right of the last one
  for (const Json& edit : edits.elements()) {
    const std::string tensor = *edit.find("attention")->text() + "." + *edit.find("tensor")->text();
    const Json& place = *edit.find("index");
    if (tensor == tensor_before && place == next_place) {
      text += ",";
    } else {
      if (!text.empty()) text += ";";
      if (tensor != tensor_before) text += encoded(tensor) + ":";
      text += list_in_link(place) + "=";
    }
    text += edited_number(*edit.find("value"));
    tensor_before = tensor;
    next_place = Json::array();
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const bool is_last = axis + 1 == place.size();
      next_place.push_back(place.elements()[axis].number() + (is_last ? 1.0 : 0.0));
    }
  }
  return text;
}

std::vector<Edit> edits_of(const LinkPart& part, lesson::AttentionId attention,
                           std::vector<std::string>& problems) {
  EditReader reader(part.name == "target", attention, problems);
  for (const std::string_view group : split(part.value, ';')) {
    if (!group.empty()) reader.read(group);
  }
  return reader.finish();
}

}  // namespace document
