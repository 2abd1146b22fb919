#include "document/state/json_value.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

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

/// An object with all of these fields and no others. `each`: "edit"; `one`: "An edit".
Result<void> check_fields(const std::string& each, const std::string& one, const Json& value,
                          std::span<const std::string_view> fields) {
  if (!value.is_object() || value.size() != fields.size()) {
    return fail("Every " + each + " must have the fields " + list_of(fields) + ", and no others.");
  }
  for (const std::string_view field : fields) {
    if (value.find(field) == nullptr)
      return fail(one + " lacks the field " + std::string(field) + ".");
  }
  return {};
}

/// "step is “x”", or what there is instead of text.
std::string what_it_is(std::string_view field, const Json& value) {
  const std::string* text = value.text();
  return std::string(field) + (text != nullptr ? " is " + quote(*text) : " is no text");
}

/// `of`: "an edit".
Result<model::TensorId> read_tensor(const std::string& of, const Json& value,
                                    std::string_view allowed) {
  if (const std::string* text = value.text()) {
    if (const auto id = model::tensor_named(*text)) return *id;
  }
  return fail(what_it_is("tensor of " + of, value) + "; allowed: " + std::string(allowed) + ".");
}

Result<tensor::Index> read_index(const std::string& of, const Json& value) {
  if (!value.is_array() || value.size() > tensor::Index::max_rank) {
    return fail("index of " + of +
                " must be an array of whole numbers, one for each axis of the tensor.");
  }
  const auto all = places("the index of " + of, value);
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
  return fail(what_it_is(field, value) + "; allowed: " + list_of(allowed) + ".");
}

Result<bool> boolean(std::string_view field, const Json& value) {
  if (const bool* flag = value.boolean()) return *flag;
  return fail(std::string(field) + " must be true or false.");
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
  return fail(std::string(field) + " must be a whole number from " + std::to_string(smallest) +
              " to " + std::to_string(largest) + (spelled ? ", in digits alone." : "."));
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

Result<Edit> read_edit(const Json& value) {
  if (auto complete = check_fields("edit", "An edit", value, edit_fields); !complete)
    return fail(complete.error());
  Edit edit;
  FirstError wrong;
  wrong.store(choice("attention of an edit", *value.find("attention"), lesson::attention_names()),
              edit.cell.attention);
  wrong.store(read_tensor("an edit", *value.find("tensor"),
                          "the names of inputs, weights, biases and mask, as token_embedding"),
              edit.cell.tensor);
  wrong.store(read_index("an edit", *value.find("index")), edit.cell.index);
  if (wrong) return fail(*wrong);
  const auto typed = number(*value.find("value"));
  if (!typed) return fail("value of an edit must be a finite number, or \"-Infinity\" in a mask.");
  edit.value = *typed;
  return edit;
}

Result<std::vector<std::size_t>> places(std::string_view field, const Json& value) {
  if (!value.is_array()) {
    return fail(std::string(field) + " must be an array of whole numbers, counted from 0.");
  }
  std::vector<std::size_t> all;
  for (const Json& each : value.elements()) {
    const auto place = whole("Each number in " + std::string(field), each, 0, largest_place);
    if (!place) return fail(place.error());
    all.push_back(*place);
  }
  return all;
}

Result<GivenRow> read_row(const Json& value) {
  const std::string of = "a row of given_weights";
  if (auto complete =
          check_fields("row of given_weights", "A row of given_weights", value, row_fields);
      !complete) {
    return fail(complete.error());
  }
  GivenRow given;
  FirstError wrong;
  wrong.store(choice("attention of " + of, *value.find("attention"), lesson::attention_names()),
              given.attention);
  for (const auto& [field, where] :
       {std::pair{"sample", &given.row.sample}, std::pair{"head", &given.row.head},
        std::pair{"query", &given.row.query}}) {
    wrong.store(whole(field + (" of " + of), *value.find(field), 0, largest_place), *where);
  }
  if (wrong) return fail(*wrong);
  const Json& weights = *value.find("weights");
  if (!weights.is_array()) return fail("weights of " + of + " must be an array of numbers.");
  for (const Json& each : weights.elements()) {
    const auto weight = number(each);
    if (!weight || !each.is_number())
      return fail("Each of the weights of " + of + " must be a finite number.");
    given.row.weights.push_back(*weight);
  }
  return given;
}

Result<CellRef> read_cell(const Json& value) {
  if (!value.is_object() || value.size() != 2 || value.find("tensor") == nullptr ||
      value.find("index") == nullptr) {
    return fail("cell must be null or have the fields tensor and index, and no others.");
  }
  CellRef cell;
  FirstError wrong;
  wrong.store(
      read_tensor("cell", *value.find("tensor"), "the names of tensors, as attention_weights"),
      cell.tensor);
  wrong.store(read_index("cell", *value.find("index")), cell.index);
  if (wrong) return fail(*wrong);
  return cell;
}

}  // namespace document
