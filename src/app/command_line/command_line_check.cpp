#include "app/command_line/command_line_check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "app/command_line/command_line_io.hpp"
#include "document/lesson_file/lesson_file.hpp"

namespace app {

namespace {

constexpr const char* more_about_check =
    "Reads the lesson, opens its example, computes what each step shows, and looks for the cells\n"
    "of its questions. docs/lessons.md has the format; web/lessons/first-lesson.json is one.\n"
    "\n"
    "Exit code 0; or 2 after a line about the first thing that is wrong, FILE:LINE:COLUMN: first,\n"
    "where editors look for it.";

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

}  // namespace

void declare(CLI::App& check, CheckOptions& options) {
  add(check, options.lesson, "LESSON", "", "The file to check: lesson.json");
  check.footer(more_about_check);
}

int run(const CheckOptions& options) {
  constexpr int failure = 2;
  if (!options.lesson.given()) {
    print_error("check needs a file (see attention-live check --help).");
    return failure;
  }
  const std::string& path = options.lesson.text;
  const auto bytes = read_file(path);
  if (!bytes) {
    print_error(bytes.error().message);
    return failure;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  document::LessonFiles files;
  std::uintmax_t left = document::max_lesson_file_bytes;
  for (const std::string& name : document::files_of_lesson(text)) {
    const std::filesystem::path file = std::filesystem::path(path).parent_path() / name;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || size > left) continue;
    left -= size;
    if (auto numbers = read_file(file.string())) files[name] = *std::move(numbers);
  }
  const auto lesson = document::read_lesson(text, files);
  if (!lesson) {
    const auto& [where, sentence] = lesson.error();
    std::fprintf(stderr, "%s:%zu:%zu: %s\n", path.c_str(), where.line, where.column,
                 sentence.c_str());
    return failure;
  }
  const auto questions = static_cast<std::size_t>(
      std::count_if(lesson->steps.begin(), lesson->steps.end(),
                    [](const auto& step) { return step.question.has_value(); }));
  const auto printed = print("ok: " + counted(lesson->steps.size(), "step") + ", " +
                             counted(questions, "question") + "\n");
  if (printed) return 0;
  print_error(printed.error().message);
  return failure;
}

}  // namespace app
