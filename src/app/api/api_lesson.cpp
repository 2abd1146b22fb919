#include "app/api/api_lesson.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "document/lesson_file/lesson_file.hpp"
#include "document/state/state.hpp"
#include "stage/scene/number_text.hpp"

namespace app {

using base::fail;
using base::Result;
using document::LessonFile;

namespace {

std::string_view kind_name(document::RightAnswer::Kind kind) {
  constexpr auto names = std::to_array<std::string_view>({"number", "cell", "reach"});
  return names[static_cast<std::size_t>(kind)];
}

/// With the placeholders that the page fills in.
Json lesson_words() {
  Json words = Json::object();
  for (const char* name :
       {"lesson", "back", "next", "progress", "answer", "check", "chosen", "again", "hint", "end"})
    words.add(name, base::text(std::string("app.lesson.") + name));
  return words;
}

Json described_lesson(const LessonFile& lesson) {
  Json steps = Json::array();
  for (const document::LessonStep& step : lesson.steps) {
    Json question = nullptr;
    if (step.question) {
      question = Json::object()
                     .with("kind", kind_name(step.question->answer.kind))
                     .with("text", step.question->text);
    }
    steps.push_back(Json::object()
                        .with("text", step.text)
                        .with("begins", !step.state.empty())
                        .with("question", std::move(question)));
  }
  return Json::object()
      .with("title", lesson.title)
      .with("language", lesson.language)
      .with("steps", std::move(steps))
      .with("words", lesson_words());
}

Result<Json> open_lesson(App& app, Arguments& given) {
  const std::string text = given.text("text");
  document::LessonFiles files;
  if (const Json* all = given.find("files")) {
    std::size_t left = document::max_lesson_file_bytes;
    for (const std::string& name : document::files_of_lesson(text)) {
      const Json* file = all->is_object() ? all->find(name) : nullptr;
      const std::string* written = file == nullptr ? nullptr : file->text();
      const auto bytes = written == nullptr ? std::nullopt : base::from_base64(*written);
      if (!bytes || bytes->size() > left) continue;
      left -= bytes->size();
      const std::span<const std::byte> all_bytes = std::as_bytes(std::span(*bytes));
      files[name].assign(all_bytes.begin(), all_bytes.end());
    }
  }
  if (given.wrong()) return fail(*given.wrong());
  auto read = document::read_lesson(text, files);
  if (!read) {
    return Json::object().with("wrong", Json::object()
                                            .with("line", read.error().where.line)
                                            .with("column", read.error().where.column)
                                            .with("message", read.error().sentence));
  }
  Json described = described_lesson(*read);
  app.take_lesson(*std::move(read));
  return described;
}

Result<Json> lesson_verdict(const App& app, const document::LessonStep& step, Arguments& given) {
  if (!step.question) return fail(base::text("app.lesson.no_question"));
  std::optional<double> typed;
  if (given.find("typed") != nullptr) {
    float number = 0.0F;
    if (stage::parse_number(given.text("typed"), number)) typed = static_cast<double>(number);
  }
  const auto verdict = document::judge(step.question->answer, app.session(), typed);
  if (!verdict) return fail(verdict.error());
  const auto or_none = [](const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
  };
  return Json::object()
      .with("right", verdict->right)
      .with("value", or_none(verdict->value))
      .with("distance", or_none(verdict->distance))
      .with("said", verdict->said)
      .with("hint", step.question->hint);
}

}  // namespace

std::optional<Result<Json>> lesson_answers(App& app, std::string_view method, Arguments& given) {
  if (!method.starts_with("lesson")) return std::nullopt;
  if (method == "lesson") return open_lesson(app, given);
  if (method == "lesson_files") {
    Json names = Json::array();
    for (const std::string& name : document::files_of_lesson(given.text("text")))
      names.push_back(name);
    return given.wrong() ? Result<Json>(fail(*given.wrong())) : Result<Json>(names);
  }
  if (method == "lesson_end") {
    app.take_lesson({});
    return Json(nullptr);
  }
  const std::size_t count = app.lesson().steps.size();
  if (count == 0) return fail(base::text("app.lesson.none"));
  const std::size_t step = given.whole("step", 0, count - 1);
  const bool keep = given.find("keep") != nullptr && given.flag("keep");
  if (given.wrong()) return fail(*given.wrong());
  if (method == "lesson_answer") return lesson_verdict(app, app.lesson().steps[step], given);
  if (method != "lesson_step") return std::nullopt;
  if (auto shown = app.show_lesson_step(step, keep); !shown) return fail(shown.error());
  return document::state_json(app.session().document(), app.session().computed());
}

void App::take_lesson(LessonFile lesson) {
  lesson_ = std::move(lesson);
  session_.allow({});
}

base::Result<void> App::show_lesson_step(std::size_t place, bool keep) {
  const document::LessonStep& step = lesson_.steps[place];
  session_.allow(step.allowed);
  if (keep) return {};
  auto document = lesson_.document_at(place, session_.document());
  if (!document) return fail(document.error());
  set_playing(false);
  return replace(*document);
}

}  // namespace app
