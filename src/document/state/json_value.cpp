#include "document/state/json_value.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "document/first_error.hpp"
#include "document/state/text.hpp"

namespace document {

using base::fail;
using base::Json;
using base::Result;

namespace {

constexpr std::array<std::string_view, 4> edit_fields = {"attention", "tensor", "index", "value"};
constexpr std::array<std::string_view, 5> row_fields = {"attention", "sample", "head", "query",
                                                        "weights"};
constexpr std::uint64_t largest_place = std::numeric_limits<std::uint32_t>::max();

// What the texts about an object's fields begin with.
constexpr const char* of_edit = "document.edit_fields.";
constexpr const char* of_target = "document.target_fields.";
constexpr const char* of_row = "document.row_fields.";
constexpr const char* of_cell = "document.cell_fields.";

/// What sentences call a field: "tensor of an edit".
std::string member_of(const std::string& object, std::string_view field) {
  return base::text(object + "member", {{"field", field}});
}

/// An object with all of these fields and no others.
Result<void> check_fields(const std::string& object, const Json& value,
                          std::span<const std::string_view> fields) {
  if (!value.is_object() || value.size() != fields.size())
    return fail(base::text(object + "all", {{"fields", list_of(fields)}}));
  for (const std::string_view field : fields) {
    if (value.find(field) == nullptr) return fail(base::text(object + "lacks", {{"field", field}}));
  }
  return {};
}

/// "step is “x”; allowed: …", or that it is no text at all.
tl::unexpected<base::Error> not_allowed(std::string_view field, const Json& value,
                                        std::string_view allowed) {
  if (const std::string* text = value.text()) {
    return fail(base::text("document.field.not_allowed",
                           {{"field", field}, {"text", quote(*text)}, {"allowed", allowed}}));
  }
  return fail(base::text("document.field.not_text", {{"field", field}, {"allowed", allowed}}));
}

Result<model::TensorId> read_tensor(const std::string& object, const Json& value) {
  if (const std::string* text = value.text()) {
    if (const auto id = model::tensor_named(*text)) return *id;
  }
  return not_allowed(member_of(object, "tensor"), value, base::text(object + "tensors"));
}

/// `each`: what sentences call one of the numbers.
Result<std::vector<std::size_t>> read_places(std::string_view each, const Json& numbers) {
  std::vector<std::size_t> all;
  for (const Json& number : numbers.elements()) {
    const auto place = whole(each, number, 0, largest_place);
    if (!place) return fail(place.error());
    all.push_back(*place);
  }
  return all;
}

Result<tensor::Index> read_index(const std::string& object, const Json& value) {
  if (!value.is_array() || value.size() > tensor::Index::max_rank)
    return fail(base::text("document.field.index", {{"field", member_of(object, "index")}}));
  const auto all = read_places(base::text(object + "each_place"), value);
  if (!all) return fail(all.error());
  tensor::Index index;
  for (const std::size_t place : *all) index.push_back(place);
  return index;
}

}  // namespace

Json json_of(const tensor::Extents& extents) {
  Json json = Json::array();
  for (const std::size_t number : extents) json.push_back(number);
  return json;
}

Result<std::size_t> choice(std::string_view field, const Json& value,
                           std::span<const std::string_view> allowed) {
  if (const std::string* text = value.text()) {
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      if (allowed[i] == *text) return i;
    }
  }
  return not_allowed(field, value, list_of(allowed));
}

Result<bool> boolean(std::string_view field, const Json& value) {
  if (const bool* flag = value.boolean()) return *flag;
  return fail(base::text("document.field.flag", {{"field", field}}));
}

Result<std::size_t> whole(std::string_view field, const Json& value, std::uint64_t smallest,
                          std::uint64_t largest) {
  const double number = value.number();
  if (value.is_whole() && number >= static_cast<double>(smallest) &&
      number <= static_cast<double>(largest)) {
    return static_cast<std::size_t>(number);
  }
  // A link's 1e9 is a whole number in the range, but not spelled as one.
  const std::string* text = value.text();
  const bool spelled = text != nullptr && text->find('e') != std::string::npos &&
                       text->find_first_not_of("0123456789e") == std::string::npos;
  return fail(base::text(spelled ? "document.field.whole_in_digits" : "document.field.whole",
                         {{"field", field}, {"smallest", smallest}, {"largest", largest}}));
}

std::optional<float> number(const Json& value) {
  if (const std::string* text = value.text()) {
    if (*text == minus_infinity) return -std::numeric_limits<float>::infinity();
    return std::nullopt;
  }
  const double read = value.number();
  if (!value.is_number() ||
      !(std::abs(read) <= static_cast<double>(std::numeric_limits<float>::max()))) {
    return std::nullopt;
  }
  return static_cast<float>(read);
}

namespace {

Result<Edit> read_edit_as(const std::string& object, const Json& value) {
  if (auto complete = check_fields(object, value, edit_fields); !complete)
    return fail(complete.error());
  Edit edit;
  FirstError wrong;
  wrong.store(
      choice(member_of(object, "attention"), *value.find("attention"), lesson::attention_names()),
      edit.cell.attention);
  wrong.store(read_tensor(object, *value.find("tensor")), edit.cell.tensor);
  wrong.store(read_index(object, *value.find("index")), edit.cell.index);
  if (wrong) return fail(*wrong);
  const auto typed = number(*value.find("value"));
  if (!typed) return fail(base::text(object + "value"));
  edit.value = *typed;
  return edit;
}

}  // namespace

Result<Edit> read_edit(const Json& value) { return read_edit_as(of_edit, value); }
Result<Edit> read_target(const Json& value) { return read_edit_as(of_target, value); }

Result<std::vector<std::size_t>> places(std::string_view field, const Json& value) {
  if (!value.is_array()) return fail(base::text("document.field.places", {{"field", field}}));
  return read_places(base::text("document.field.each_place", {{"field", field}}), value);
}

Result<GivenRow> read_row(const Json& value) {
  if (auto complete = check_fields(of_row, value, row_fields); !complete)
    return fail(complete.error());
  GivenRow given;
  FirstError wrong;
  wrong.store(
      choice(member_of(of_row, "attention"), *value.find("attention"), lesson::attention_names()),
      given.attention);
  for (const auto& [field, where] :
       {std::pair{"sample", &given.row.sample}, std::pair{"head", &given.row.head},
        std::pair{"query", &given.row.query}}) {
    wrong.store(whole(member_of(of_row, field), *value.find(field), 0, largest_place), *where);
  }
  if (wrong) return fail(*wrong);
  const Json& weights = *value.find("weights");
  if (!weights.is_array()) return fail(base::text("document.row_fields.weights"));
  for (const Json& each : weights.elements()) {
    const auto weight = number(each);
    if (!weight || !each.is_number()) return fail(base::text("document.row_fields.each_weight"));
    given.row.weights.push_back(*weight);
  }
  return given;
}

Result<CellRef> read_cell(const Json& value) {
  if (!value.is_object() || value.size() != 2 || value.find("tensor") == nullptr ||
      value.find("index") == nullptr) {
    return fail(base::text("document.cell_fields.all"));
  }
  CellRef cell;
  FirstError wrong;
  wrong.store(read_tensor(of_cell, *value.find("tensor")), cell.tensor);
  wrong.store(read_index(of_cell, *value.find("index")), cell.index);
  if (wrong) return fail(*wrong);
  return cell;
}

}  // namespace document
