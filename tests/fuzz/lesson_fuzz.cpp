// libFuzzer: whatever is opened as a lesson, each of its steps can be shown and each answer judged,
// or one sentence says what is wrong, at a place in the text.
#include <algorithm>
#include <string_view>

#include "document/lesson_file/lesson_file.hpp"
#include "lesson/input/own_layers.hpp"
#include "safetensors_mutator.hpp"

using fuzz::require;

namespace {

/// Wide layers and long sequences take too long for every input; to the reader they are all the
/// same.
bool is_slow(std::string_view text) {
  const std::size_t width = std::min(text.find("width"), text.size());
  const std::size_t digits = std::min(text.find_first_of("123456789", width), text.size());
  const bool wide = text.find_first_not_of("0123456789", digits) > digits + 2;
  return (digits < text.size() && wide) || text.find("anthony") != std::string_view::npos ||
         text.find("counting") != std::string_view::npos ||
         text.find("embed_dim") != std::string_view::npos;
}

void check_answer(const document::RightAnswer& answer, const document::Session& session) {
  for (const double typed : {0.0, 1e9, -0.25}) {
    const auto verdict = document::judge(answer, session, typed);
    if (!verdict) {
      fuzz::require_sentence(verdict.error().message);
      continue;
    }
    fuzz::require_sentence(verdict->said);
    if (verdict->right) require(verdict->distance && *verdict->distance == 0.0);
  }
}

void check_lesson(std::string_view text) {
  const auto lesson = document::read_lesson(text);
  if (!lesson) {
    fuzz::require_sentence(lesson.error().sentence);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(lesson.error().where.line >= 1 && lesson.error().where.line <= lines);
    require(lesson.error().where.column >= 1 && lesson.error().where.column <= text.size() + 1);
    return;
  }
  document::Session session;
  for (std::size_t place = 0; place < lesson->steps.size(); ++place) {
    const auto document = lesson->document_at(place, session.document());
    require(document.has_value() && session.replace(*document).has_value());
    const auto& question = lesson->steps[place].question;
    if (question) check_answer(question->answer, session);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> bytes = fuzz::exact_copy(data, size);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_slow(text)) return 0;
  check_lesson(text);
  lesson::forget_own_layers();
  return 0;
}
