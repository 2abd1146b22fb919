// A lesson that an author wrote: an example, and steps with a text, a state and perhaps a question
// whose answer the program checks by the numbers that it computes. docs/lessons.md has the format.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/json/json_place.hpp"
#include "document/lesson_file/allowed.hpp"
#include "document/session.hpp"

namespace document {

inline constexpr std::size_t max_lesson_bytes = std::size_t{1} << 20U;
inline constexpr std::size_t max_lesson_steps = 100;

/// What an answer is compared with.
struct RightAnswer {
  enum class Kind : unsigned char {
    number,  ///< a number that is typed: `number`, or that of `cell` at that moment
    cell,    ///< the cell that is chosen
    reach,   ///< the number of `cell` has been brought to `number` or beyond
  };
  Kind kind = Kind::number;
  std::optional<double> number;
  double within = 0.0;   ///< how far off a typed number may be
  bool at_most = false;  ///< reach: the other way round
  CellAddress cell;
};

struct Question {
  std::string text;
  std::string hint;  ///< for after a wrong answer; may be empty
  RightAnswer answer;
};

struct LessonStep {
  std::string text;
  /// A part of a state as JSON, or a link; empty: the figure stays as the reader has it.
  std::string state;
  Allowed allowed;
  std::optional<Question> question;
};

struct LessonFile {
  std::string title;
  std::string language;  ///< "en"; of the texts
  lesson::ExampleId example = lesson::ExampleId::pool_beats_badminton;
  std::size_t variant = 0;
  std::vector<LessonStep> steps;

  /// The document that step `place` begins with: the example as it begins, with the step's state,
  /// or with that of the last step before it that has one. Keeps the theme of `present`.
  base::Result<Document> document_at(std::size_t place, const Document& present) const;
};

/// What is wrong with a file, and where.
struct LessonFault {
  base::LineAndColumn where;
  std::string sentence;
};

/// The files that a lesson's arrays are in, by the names that it has for them.
using LessonFiles = std::map<std::string, std::vector<std::byte>>;
inline constexpr std::size_t max_lesson_files = 8;
inline constexpr std::size_t max_lesson_file_bytes = std::size_t{8} << 20U;  // together

/// The names of the files that a lesson needs: .npy or .safetensors beside it or below, 8 at most.
/// Empty where the text is no lesson.
std::vector<std::string> files_of_lesson(std::string_view text);

/// Reads a lesson, opens its example if it has one of its own (lesson::add_lesson_example), and
/// computes what each step shows. Errors: the first thing that is wrong.
tl::expected<LessonFile, LessonFault> read_lesson(std::string_view text,
                                                  const LessonFiles& files = {});

struct Verdict {
  bool right = false;
  std::optional<double> value;  ///< what was typed, or the number of the cell in question
  std::optional<double>
      distance;      ///< from the right one: of numbers, or in cells; 0 if it is right
  std::string said;  ///< to the reader
};

/// Compares an answer. `typed` is what the reader typed where a number is asked for. Errors: the
/// cell that it is about is not there now.
base::Result<Verdict> judge(const RightAnswer& wanted, const Session& session,
                            std::optional<double> typed);

}  // namespace document
