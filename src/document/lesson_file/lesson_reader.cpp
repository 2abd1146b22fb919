#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/edits/address.hpp"
#include "document/lesson_file/lesson_example.hpp"
#include "document/lesson_file/lesson_file.hpp"
#include "document/link/link.hpp"
#include "document/state/json_value.hpp"
#include "document/state/state.hpp"
#include "document/state/state_fields.hpp"
#include "document/state/state_reader.hpp"
#include "document/state/text.hpp"
#include "lesson/input/own_layers.hpp"

namespace document {

namespace {

using base::Json;

constexpr std::size_t longest_title = 200;
constexpr std::size_t longest_text = 4000;
constexpr std::size_t longest_tag = 35;
constexpr double largest_answer = 1e9;

constexpr auto lesson_file_fields = std::to_array<std::string_view>(
    {"$schema", "attention_live_lesson", "title", "language", "example", "steps"});
constexpr auto lesson_step_fields =
    std::to_array<std::string_view>({"text", "state", "allow", "question"});
constexpr auto question_fields = std::to_array<std::string_view>({"text", "answer", "hint"});
constexpr auto answer_kinds =
    std::to_array<std::string_view>({"number", "value_of", "cell", "reach"});
constexpr auto answer_fields =
    std::to_array<std::string_view>({"number", "value_of", "cell", "reach", "within"});
constexpr auto reach_fields = std::to_array<std::string_view>({"cell", "at_least", "at_most"});

/// The example as it begins.
Document beginning_of(lesson::ExampleId example, std::size_t variant, const Document& present) {
  Document document;
  document.configuration = fresh(example, variant);
  document.view_state = first_view_state({}, example);
  document.view_state.theme = present.view_state.theme;
  return document;
}

base::Result<Document> with_state(const Document& document, const std::string& state) {
  return state.starts_with('{') ? with_json(document, state) : with_link(document, state);
}

/// Reads the parts of a lesson one after another, and stops at the first that is wrong.
class LessonReader {
 public:
  explicit LessonReader(const LessonFiles& files) : files_(files) {}

  ReadAt<LessonFile> read(const JsonAt& at) {
    if (auto checked = check_members(at, lesson_file_fields); !checked)
      return tl::unexpected(checked.error());
    const auto version = needed(at, "attention_live_lesson");
    if (!version) return tl::unexpected(version.error());
    if (auto known = read_whole(*version, 1, 1); !known) return tl::unexpected(known.error());
    for (const auto part : {&LessonReader::words, &LessonReader::example, &LessonReader::steps}) {
      if (auto done = (this->*part)(at); !done) return tl::unexpected(done.error());
    }
    return std::move(lesson_);
  }

 private:
  static ReadAt<void> take_text(const JsonAt& at, std::size_t longest, std::string& to) {
    auto text = read_text(at, longest);
    if (!text) return tl::unexpected(text.error());
    to = *std::move(text);
    return {};
  }
  static ReadAt<void> need_text(const JsonAt& at, std::string_view name, std::size_t longest,
                                std::string& to) {
    const auto member = needed(at, name);
    if (!member) return tl::unexpected(member.error());
    return take_text(*member, longest, to);
  }

  ReadAt<void> words(const JsonAt& at) {
    if (auto done = need_text(at, "title", longest_title, lesson_.title); !done) return done;
    lesson_.language = "en";
    const auto language = at.find("language");
    if (!language) return {};
    if (auto done = take_text(*language, longest_tag, lesson_.language); !done) return done;
    const bool is_tag =
        lesson_.language.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == std::string::npos;
    if (is_tag) return {};
    return wrong(*language, std::string(base::text("document.lesson.language")));
  }

  ReadAt<void> example(const JsonAt& at) {
    const auto own = needed(at, "example");
    if (!own) return tl::unexpected(own.error());
    if (const std::string* name = own->json->text()) {
      const auto known = lesson::example_named(*name);
      if (!known || *known == lesson::ExampleId::own_layer) {
        std::vector<std::string_view> names;
        for (const lesson::Example& each : lesson::examples()) {
          if (each.id != lesson::ExampleId::own_layer) names.push_back(each.name);
        }
        return wrong(*own, base::text("document.lesson.no_example",
                                      {{"name", quote(*name)}, {"allowed", list_of(names)}}));
      }
      lesson_.example = *known;
      return {};
    }
    const auto problem = read_own_example(*own, files_);
    if (!problem) return tl::unexpected(problem.error());
    std::string name = lesson_.title;
    if (const auto given = own->find("name")) {
      if (auto done = take_text(*given, longest_title, name); !done) return done;
    }
    // The same example is opened once; with other numbers in its files it is another one.
    std::string source = own->json->dump();
    for (const auto& [file, bytes] : files_)
      source += file + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto variant = lesson::add_lesson_example(name, source, *problem);
    if (!variant) return wrong(*own, std::string(variant.error().message));
    lesson_.example = lesson::ExampleId::own_layer;
    lesson_.variant = *variant;
    return {};
  }

  ReadAt<void> steps(const JsonAt& at) {
    const auto steps = needed(at, "steps");
    if (!steps) return tl::unexpected(steps.error());
    const auto list = read_list(*steps, 1, max_lesson_steps);
    if (!list) return tl::unexpected(list.error());
    for (const JsonAt& step : *list) {
      if (auto done = this->step(step); !done) return done;
    }
    return {};
  }

  ReadAt<void> step(const JsonAt& at) {
    if (auto checked = check_members(at, lesson_step_fields); !checked) return checked;
    LessonStep& step = lesson_.steps.emplace_back();
    if (auto done = need_text(at, "text", longest_text, step.text); !done) return done;
    if (const auto allow = at.find("allow")) {
      if (auto done = allowed(*allow, step.allowed); !done) return done;
    }
    if (auto done = state(at, step); !done) return done;
    const auto question = at.find("question");
    return question ? this->question(*question, step) : ReadAt<void>();
  }

  static ReadAt<void> allowed(const JsonAt& at, Allowed& to) {
    const auto list = read_list(at, 0, allowed_names.size());
    if (!list) return tl::unexpected(list.error());
    to = {false, false, false, false, false, false};
    for (const JsonAt& each : *list) {
      const auto name = choice(name_of(each), *each.json, allowed_names);
      if (!name) return wrong(each, std::string(name.error().message));
      *std::array{&to.edit, &to.head, &to.query, &to.step, &to.settings, &to.example}[*name] = true;
    }
    return {};
  }

  /// Sets the session to what the step shows.
  ReadAt<void> state(const JsonAt& at, LessonStep& step) {
    const auto state = at.find("state");
    if (state) {
      if (auto done = written_state(*state, step.state); !done) return done;
    }
    const std::size_t place = lesson_.steps.size() - 1;
    const Document begin = beginning_of(lesson_.example, lesson_.variant, {});
    const auto shown = shows(begin, lesson_.document_at(place, {}));
    if (shown) return {};
    return wrong(state ? to_blame(*state, begin) : at, std::string(shown.error().message));
  }

  base::Result<void> shows(const Document& begin, const base::Result<Document>& document) {
    if (!document) return base::fail(document.error());
    return session_.replace(*document, begin.view_state);
  }

  /// A state's cell may be a name, as everywhere in a lesson.
  static ReadAt<void> written_state(const JsonAt& at, std::string& to) {
    if (const std::string* link = at.json->text()) {
      to = link->starts_with('#') ? *link : '#' + *link;
      return {};
    }
    if (!at.json->is_object())
      return wrong(at, base::text("document.lesson.state", {{"name", name_of(at)}}));
    Json state = *at.json;
    if (const auto cell = at.find("cell"); cell && cell->json->text() != nullptr) {
      const auto address = read_cell_name(*cell, lesson::AttentionId::attention);
      if (!address) return tl::unexpected(address.error());
      state.add("cell", Json::object()
                            .with("tensor", model::name_of(address->tensor))
                            .with("index", json_of(address->index)));
      if (cell->json->text()->find('.') != std::string::npos)
        state.add("attention", lesson::name_of(address->attention));
    }
    to = state.dump();
    return {};
  }

  /// The field of a state that cannot be had: the first with which those before it and itself
  /// cannot.
  JsonAt to_blame(const JsonAt& state, const Document& begin) {
    if (!state.json->is_object()) return state;
    Json some = Json::object();
    const auto try_with = [&](const std::string& name) {
      some.add(name, *state.json->find(name));
      std::string written;
      if (!written_state({&some, {}}, written)) return false;
      return shows(begin, with_state(begin, written)).has_value();
    };
    const std::span<const std::string> names = state.json->names();
    const auto all = state_fields();
    for (const std::string& name : names) {
      if (std::find(all.begin(), all.end(), name) == all.end()) return *state.find(name);
    }
    for (const std::string_view field : all) {
      if (state.find(field) && !try_with(std::string(field))) return *state.find(field);
    }
    return state;
  }

  ReadAt<void> question(const JsonAt& at, LessonStep& step) {
    if (auto checked = check_members(at, question_fields); !checked) return checked;
    Question& question = step.question.emplace();
    if (auto done = need_text(at, "text", longest_text, question.text); !done) return done;
    if (const auto hint = at.find("hint")) {
      if (auto done = take_text(*hint, longest_text, question.hint); !done) return done;
    }
    const auto answer = needed(at, "answer");
    if (!answer) return tl::unexpected(answer.error());
    return this->answer(*answer, question.answer);
  }

  ReadAt<void> answer(const JsonAt& at, RightAnswer& answer) {
    if (auto checked = check_members(at, answer_fields); !checked) return checked;
    std::vector<JsonAt> given;
    for (const std::string_view kind : answer_kinds) {
      if (auto member = at.find(kind)) given.push_back(*std::move(member));
    }
    if (given.size() != 1)
      return wrong(at, base::text("document.lesson.answer", {{"kinds", list_of(answer_kinds)}}));
    const JsonAt& what = given.front();
    const std::string& kind = what.path.back();
    constexpr double usual = 0.01;
    answer.within = usual;
    if (const auto within = at.find("within")) {
      if (kind == "cell" || kind == "reach")
        return wrong(*within, std::string(base::text("document.lesson.within")));
      const auto number = read_number(*within, 0.0, largest_answer);
      if (!number) return tl::unexpected(number.error());
      answer.within = *number;
    }
    if (kind == "number") {
      const auto number = read_number(what, -largest_answer, largest_answer);
      if (!number) return tl::unexpected(number.error());
      answer.number = *number;
      return {};
    }
    if (kind == "reach") return reach(what, answer);
    answer.kind = kind == "cell" ? RightAnswer::Kind::cell : RightAnswer::Kind::number;
    return cell(what, answer);
  }

  ReadAt<void> cell(const JsonAt& at, RightAnswer& answer) {
    auto cell = read_cell_name(at, session_.attention().id);
    if (!cell) return tl::unexpected(cell.error());
    answer.cell = *std::move(cell);
    const auto verdict = judge(answer, session_, 0.0);
    if (!verdict) return wrong(at, std::string(verdict.error().message));
    if (verdict->right && answer.kind != RightAnswer::Kind::number)
      return wrong(at, std::string(base::text("document.lesson.right_already")));
    return {};
  }

  ReadAt<void> reach(const JsonAt& at, RightAnswer& answer) {
    if (auto checked = check_members(at, reach_fields); !checked) return checked;
    const auto cell = needed(at, "cell");
    if (!cell) return tl::unexpected(cell.error());
    const auto least = at.find("at_least");
    const auto most = at.find("at_most");
    if (least.has_value() == most.has_value())
      return wrong(at, std::string(base::text("document.lesson.reach")));
    const auto number = read_number(least ? *least : *most, -largest_answer, largest_answer);
    if (!number) return tl::unexpected(number.error());
    answer.kind = RightAnswer::Kind::reach;
    answer.number = *number;
    answer.at_most = most.has_value();
    return this->cell(*cell, answer);
  }

  const LessonFiles& files_;
  LessonFile lesson_;
  Session session_;
};

}  // namespace

base::Result<Document> LessonFile::document_at(std::size_t place, const Document& present) const {
  const Document begin = beginning_of(example, variant, present);
  while (steps[place].state.empty() && place > 0) --place;
  if (steps[place].state.empty()) return begin;
  return with_state(begin, steps[place].state);
}

tl::expected<LessonFile, LessonFault> read_lesson(std::string_view text, const LessonFiles& files) {
  const auto refuse = [&](std::size_t place, std::string&& sentence) {
    return tl::unexpected(LessonFault{base::line_and_column(text, place), std::move(sentence)});
  };
  if (text.size() > max_lesson_bytes)
    return refuse(0, base::text("document.lesson.too_long",
                                {{"count", text.size()}, {"most", max_lesson_bytes}}));
  std::size_t fault = 0;
  const Json json = Json::parse(text, &fault);
  if (!json.is_valid()) return refuse(fault, std::string(base::text("document.lesson.no_json")));
  auto lesson = LessonReader(files).read({&json, {}});
  if (lesson) return *std::move(lesson);
  return refuse(base::place_in_json(text, lesson.error().path), std::move(lesson.error().sentence));
}

}  // namespace document
