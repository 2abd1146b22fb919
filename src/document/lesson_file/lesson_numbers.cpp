#include "document/lesson_file/lesson_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "document/edits/given.hpp"
#include "document/state/json_value.hpp"
#include "document/state/text.hpp"
#include "files/numbers/npy.hpp"
#include "files/safetensors.hpp"

namespace document {

namespace {

using base::Json;
using base::Result;
using lesson::GivenNumbers;
using tensor::Tensor;

constexpr std::size_t longest_file_name = 100;
constexpr auto file_fields = std::to_array<std::string_view>({"file", "tensor"});

/// A file beside the lesson or below it, and no other.
bool is_file_name(std::string_view name) {
  if (name.size() > longest_file_name || name.starts_with('/')) return false;
  if (!name.ends_with(".npy") && !name.ends_with(".safetensors")) return false;
  if (name.find("..") != std::string_view::npos) return false;
  return name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "._-/") == std::string_view::npos;
}

ReadAt<float> read_one_number(const JsonAt& at, bool is_mask) {
  const std::string* text = at.json->text();
  if (is_mask && text != nullptr && *text == minus_infinity)
    return -std::numeric_limits<float>::infinity();
  if (is_mask && text != nullptr)
    return wrong(at, base::text("document.lesson.mask_number", {{"name", name_of(at)}}));
  const auto number = read_number(at, -largest_value, largest_value);
  if (!number) return tl::unexpected(number.error());
  return static_cast<float>(*number);
}

/// One row, or rows of one length, as lists.
ReadAt<GivenNumbers> read_lists(const JsonAt& at, std::string name, std::size_t most_rows,
                                std::size_t widest) {
  GivenNumbers rows;
  rows.name = std::move(name);
  const bool is_mask = rows.name == "attn_mask";
  const auto list = read_list(at, 1, most_rows);
  if (!list) return tl::unexpected(list.error());
  const bool is_row = !list->front().json->is_array();
  rows.shape = is_row ? tensor::Shape{list->size()}
                      : tensor::Shape{list->size(), list->front().json->size()};
  const bool flags = is_mask && !is_row && !list->front().json->empty() &&
                     list->front().json->elements().front().boolean() != nullptr;
  const auto take = [&](const JsonAt& cell) -> ReadAt<void> {
    if (flags) {
      const bool* flag = cell.json->boolean();
      if (flag == nullptr)
        return wrong(cell, base::text("document.field.flag", {{"field", name_of(cell)}}));
      rows.flags.push_back(std::byte{*flag});
      return {};
    }
    const auto number = read_one_number(cell, is_mask);
    if (!number) return tl::unexpected(number.error());
    rows.numbers.push_back(*number);
    return {};
  };
  for (const JsonAt& row : *list) {
    if (is_row) {
      if (auto taken = take(row); !taken) return tl::unexpected(taken.error());
      continue;
    }
    const std::size_t width = rows.shape[1];
    const auto cells = read_list(row, 1, widest);
    if (!cells) return tl::unexpected(cells.error());
    if (cells->size() != width) {
      return wrong(
          row, base::text("document.lesson.ragged",
                          {{"name", name_of(row)}, {"count", cells->size()}, {"first", width}}));
    }
    for (const JsonAt& cell : *cells) {
      if (auto taken = take(cell); !taken) return tl::unexpected(taken.error());
    }
  }
  return rows;
}

/// The array of a .npy file, or the tensor of that name of a .safetensors file.
Result<Tensor> tensor_in(const std::vector<std::byte>& bytes, std::string_view name) {
  if (files::is_npy(bytes)) return files::read_npy(bytes);
  const auto file = files::read_safetensors(bytes);
  if (!file) return base::fail(file.error());
  if (const files::StoredTensor* stored = file->find(name)) return files::to_float32(*stored);
  std::vector<std::string_view> names;
  for (const files::StoredTensor& each : file->tensors) names.push_back(each.name);
  return base::fail(base::text("document.lesson.not_in_file",
                               {{"tensor", quote(name)}, {"names", list_of(names)}}));
}

ReadAt<GivenNumbers> read_file_rows(const JsonAt& at, std::string name, std::size_t most_rows,
                                    std::size_t widest, const LessonFiles& files) {
  if (auto checked = check_members(at, file_fields); !checked)
    return tl::unexpected(checked.error());
  const JsonAt file_at = *at.find("file");
  const auto file = read_text(file_at, longest_file_name);
  if (!file) return tl::unexpected(file.error());
  if (!is_file_name(*file))
    return wrong(file_at, base::text("document.lesson.file_name", {{"name", name_of(file_at)}}));
  const auto fail = [&](const JsonAt& where, std::string_view sentence) {
    return wrong(where, base::text("document.lesson.file_wrong",
                                   {{"file", quote(*file)}, {"sentence", sentence}}));
  };
  const auto found = files.find(*file);
  if (found == files.end()) return fail(file_at, base::text("document.lesson.file_missing"));
  std::string tensor_name;
  if (!file->ends_with(".npy")) {
    const auto tensor_at = needed(at, "tensor");
    if (!tensor_at) return tl::unexpected(tensor_at.error());
    auto text = read_text(*tensor_at, longest_file_name);
    if (!text) return tl::unexpected(text.error());
    tensor_name = *std::move(text);
  }
  const Result<Tensor> read = tensor_in(found->second, tensor_name);
  if (!read) return fail(file_at, read.error().message);
  Tensor tensor = *read;
  // One sample of a batch: [1, L, E], as the program saves them.
  if (tensor.rank() == 3 && tensor.dim(0) == 1) tensor = tensor.select(0, 0);
  const std::size_t rank = tensor.rank();
  if (rank < 1 || rank > 2 || tensor.size() == 0 || tensor.dim(0) > most_rows ||
      (rank == 2 && tensor.dim(1) > widest)) {
    return fail(file_at, base::text("document.lesson.file_shape",
                                    {{"shape", tensor::describe(read->shape())},
                                     {"rows", most_rows},
                                     {"width", widest}}));
  }
  GivenNumbers rows{
      .name = std::move(name), .shape = tensor.shape(), .numbers = tensor.values(), .flags = {}};
  const bool is_mask = rows.name == "attn_mask";
  for (const float number : rows.numbers) {
    const bool hides = is_mask && std::isinf(number) && number < 0.0F;
    if (hides || std::abs(number) <= static_cast<float>(largest_value)) continue;
    return fail(file_at, base::text("document.lesson.file_number",
                                    {{"number", number_text(number)},
                                     {"most", number_text(static_cast<float>(largest_value))}}));
  }
  return rows;
}

void collect_files(const Json& json, std::vector<std::string>& names) {
  if (const Json* file = json.is_object() ? json.find("file") : nullptr) {
    const std::string* name = file->text();
    if (name != nullptr && is_file_name(*name) &&
        std::find(names.begin(), names.end(), *name) == names.end())
      names.push_back(*name);
  }
  for (const Json& each : json.elements()) collect_files(each, names);
}

}  // namespace

ReadAt<GivenNumbers> read_rows(const JsonAt& at, std::string name, std::size_t most_rows,
                               std::size_t widest, const LessonFiles& files) {
  return at.json->is_object() && at.find("file")
             ? read_file_rows(at, std::move(name), most_rows, widest, files)
             : read_lists(at, std::move(name), most_rows, widest);
}

std::vector<std::string> files_of_lesson(std::string_view text) {
  std::vector<std::string> names;
  if (text.size() > max_lesson_bytes) return names;
  const Json json = Json::parse(text);
  const Json* example = json.is_object() ? json.find("example") : nullptr;
  if (example != nullptr && example->is_object()) collect_files(*example, names);
  if (names.size() > max_lesson_files) names.resize(max_lesson_files);
  return names;
}

}  // namespace document
