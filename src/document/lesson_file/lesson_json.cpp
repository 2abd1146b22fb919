#include "document/lesson_file/lesson_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "document/state/text.hpp"

namespace document {

using base::Json;

std::optional<JsonAt> JsonAt::find(std::string_view name) const {
  const Json* found = json->find(name);
  if (found == nullptr) return std::nullopt;
  JsonAt member{found, path};
  member.path.emplace_back(name);
  return member;
}

JsonAt JsonAt::element(std::size_t place) const {
  JsonAt member{&json->elements()[place], path};
  member.path.push_back(std::to_string(place));
  return member;
}

tl::unexpected<WrongAt> wrong(const JsonAt& at, std::string&& sentence) {
  return tl::unexpected<WrongAt>(WrongAt{at.path, std::move(sentence)});
}

std::string name_of(const JsonAt& at) {
  if (at.path.empty()) return std::string(base::text("document.lesson.itself"));
  std::string name;
  for (const std::string& part : at.path) {
    if (part.find_first_not_of("0123456789") == std::string::npos) {
      name += '[' + part + ']';
    } else {
      name += (name.empty() ? "" : ".") + part;
    }
  }
  return name;
}

ReadAt<void> check_members(const JsonAt& at, std::span<const std::string_view> fields) {
  if (!at.json->is_object()) {
    return wrong(at, base::text("document.lesson.object",
                                {{"name", name_of(at)}, {"fields", list_of(fields)}}));
  }
  const std::span<const std::string> names = at.json->names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const JsonAt member = *at.find(names[i]);
    if (std::find(fields.begin(), fields.end(), names[i]) == fields.end()) {
      return wrong(member, base::text("document.lesson.unknown",
                                      {{"field", quote(names[i])}, {"fields", list_of(fields)}}));
    }
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      return wrong(member, base::text("document.lesson.twice", {{"field", names[i]}}));
  }
  return {};
}

ReadAt<JsonAt> needed(const JsonAt& at, std::string_view name) {
  auto member = at.find(name);
  if (member) return *std::move(member);
  return wrong(at, base::text("document.lesson.lacks", {{"name", name_of(at)}, {"field", name}}));
}

ReadAt<std::string> read_text(const JsonAt& at, std::size_t longest) {
  const std::string* text = at.json->text();
  if (text != nullptr && !text->empty() && text->size() <= longest) return *text;
  return wrong(at, base::text("document.lesson.text", {{"name", name_of(at)}, {"most", longest}}));
}

ReadAt<std::size_t> read_whole(const JsonAt& at, std::uint64_t smallest, std::uint64_t largest) {
  const double number = at.json->number();
  if (at.json->is_whole() && number >= static_cast<double>(smallest) &&
      number <= static_cast<double>(largest))
    return static_cast<std::size_t>(number);
  return wrong(at,
               base::text("document.field.whole",
                          {{"field", name_of(at)}, {"smallest", smallest}, {"largest", largest}}));
}

ReadAt<double> read_number(const JsonAt& at, double smallest, double largest) {
  const double number = at.json->number();
  if (at.json->is_number() && number >= smallest && number <= largest) return number;
  return wrong(at, base::text("document.lesson.number",
                              {{"name", name_of(at)},
                               {"smallest", number_text(static_cast<float>(smallest))},
                               {"largest", number_text(static_cast<float>(largest))}}));
}

ReadAt<std::vector<JsonAt>> read_list(const JsonAt& at, std::size_t smallest, std::size_t largest) {
  if (!at.json->is_array() || at.json->size() < smallest || at.json->size() > largest) {
    return wrong(at,
                 base::text("document.lesson.list",
                            {{"name", name_of(at)}, {"smallest", smallest}, {"largest", largest}}));
  }
  std::vector<JsonAt> list;
  for (std::size_t i = 0; i < at.json->size(); ++i) list.push_back(at.element(i));
  return list;
}

ReadAt<CellAddress> read_cell_name(const JsonAt& at, lesson::AttentionId usual) {
  const auto no_cell = [&] {
    return wrong(at, base::text("document.lesson.cell", {{"name", name_of(at)}}));
  };
  const std::string* text = at.json->text();
  if (text == nullptr || !text->ends_with(']')) return no_cell();
  std::string_view left(*text);
  left.remove_suffix(1);
  const std::size_t bracket = left.find('[');
  if (bracket == std::string_view::npos) return no_cell();
  CellAddress cell{usual, {}, {}};
  std::string_view tensor = left.substr(0, bracket);
  if (const std::size_t dot = tensor.find('.'); dot != std::string_view::npos) {
    const auto names = lesson::attention_names();
    const auto found = std::find(names.begin(), names.end(), tensor.substr(0, dot));
    if (found == names.end()) {
      return wrong(
          at, base::text("document.lesson.no_attention",
                         {{"name", quote(tensor.substr(0, dot))}, {"allowed", list_of(names)}}));
    }
    cell.attention = static_cast<lesson::AttentionId>(found - names.begin());
    tensor.remove_prefix(dot + 1);
  }
  const auto id = model::tensor_named(tensor);
  if (!id) return wrong(at, base::text("document.lesson.no_tensor", {{"name", quote(tensor)}}));
  cell.tensor = *id;
  left.remove_prefix(bracket + 1);
  const char* here = left.data();
  const char* const end = here + left.size();
  while (true) {
    std::uint32_t place = 0;
    const auto [behind, error] = std::from_chars(here, end, place);
    if (error != std::errc() || cell.index.rank() == tensor::Index::max_rank) return no_cell();
    cell.index.push_back(place);
    if (behind == end) return cell;
    if (*behind != ',') return no_cell();
    here = behind + 1;
    if (here != end && *here == ' ') ++here;
  }
}

}  // namespace document
