#include "document/lesson_file/lesson_file.hpp"

#include <cmath>
#include <fstream>
#include <span>
#include <sstream>

#include <gtest/gtest.h>

#include "document/edits/address.hpp"
#include "lesson/input/own_layers.hpp"
#include "model/roles.hpp"
#include "special_floats.hpp"

namespace document {
namespace {

constexpr std::string_view own_example = R"({
    "name": "mine", "tokens": ["a", "b"], "heads": 2,
    "embeddings": [[1, 2], [0.5, -1]],
    "weights": {"q_proj_weight": [[1, 0], [0, 1]], "k_proj_weight": [[0, 1], [1, 0]],
                "v_proj_weight": [[2, 0], [0, 2]]},
    "mask": [[0, "-Infinity"], [0, 0]], "scale": "none", "labels": ["up", "down"]
  })";

std::string lesson_of(std::string_view example, std::string_view steps) {
  return "{\n  \"attention_live_lesson\": 1,\n  \"title\": \"T\",\n  \"example\": " +
         std::string(example) + ",\n  \"steps\": " + std::string(steps) + "\n}";
}
std::string lesson_of(std::string_view steps) { return lesson_of("\"you-are-welcome\"", steps); }
std::string with_answer(std::string_view answer) {
  return lesson_of(
      "\"pool-beats-badminton\"",
      R"([{"text": "t", "state": {"step": "scores"}, "question": {"text": "q", "answer": )" +
          std::string(answer) + "}}]");
}

/// What is said of a lesson that is wrong at the §, which is taken out first.
std::string fault(std::string text) {
  constexpr std::string_view mark = "§";
  const std::size_t place = text.find(mark);
  text.erase(place, mark.size());
  const auto read = read_lesson(text);
  if (read) return "nothing";
  const base::LineAndColumn where = base::line_and_column(text, place);
  EXPECT_EQ(read.error().where.line, where.line) << read.error().sentence;
  EXPECT_EQ(read.error().where.column, where.column) << read.error().sentence;
  return read.error().sentence;
}

/// A session that shows a step of a lesson.
Session at_step(const LessonFile& lesson, std::size_t step) {
  Session session;
  const auto document = lesson.document_at(step, session.document());
  EXPECT_TRUE(document && session.replace(*document));
  return session;
}

Verdict judged(const LessonFile& lesson, std::size_t step, const Session& session,
               std::optional<double> typed = {}) {
  const auto verdict = judge(lesson.steps[step].question->answer, session, typed);
  EXPECT_TRUE(verdict) << verdict.error().message;
  return verdict.value_or(Verdict{});
}

/// Leaves no example of a lesson open: other rooms' tests, which may run in the same program, count
/// the examples.
class LessonFile : public testing::Test {
 protected:
  void TearDown() override { lesson::forget_own_layers(); }
};

TEST_F(LessonFile, AnExampleOfItsOwnIsComputedFromItsNumbers) {
  const auto lesson = read_lesson(
      lesson_of(own_example, R"([{"text": "t", "state": {"step": "scores", "head": 1}}])"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  const Session session = at_step(*lesson, 0);
  const ComputedAttention& attention = session.attention();
  EXPECT_EQ(attention.query_tokens[0], (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(attention.features, (std::vector<std::string>{"up", "down"}));
  EXPECT_EQ(session.document().view_state.head, 1U);
  // head_dim is 1: head 0 compares column 0 of q with column 0 of k, which is column 1 of the
  // input.
  EXPECT_FLOAT_EQ(attention.trace["scores"].at({0, 0, 0, 1}), 1.0F * -1.0F);
  EXPECT_FLOAT_EQ(attention.trace["scaled_scores"].at({0, 1, 0, 0}), 2.0F * 1.0F);
  EXPECT_FLOAT_EQ(attention.trace["attention_weights"].at({0, 0, 0, 1}), 0.0F);
  EXPECT_FLOAT_EQ(attention.trace["v"].at({0, 1, 0}), 1.0F);
}

TEST_F(LessonFile, AMaskOfFlagsHidesWhereTheyAreTrueAndAnotherMaskTakesItsPlace) {
  const auto lesson = read_lesson(lesson_of(
      R"({"tokens": ["a", "b"], "embeddings": {"seed": 3, "width": 4}, "weights": {"seed": 5},
          "mask": [[false, true], [false, false]]})",
      R"([{"text": "t"}, {"text": "u", "state": {"mask": "look-ahead"}}])"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  Session session = at_step(*lesson, 0);
  EXPECT_EQ(session.attention().trace["attention_weights"].at({0, 0, 0, 1}), 0.0F);
  EXPECT_TRUE(session.computed().random);
  ASSERT_TRUE(
      session.perform(SetMask{lesson::AttentionId::attention, lesson::MaskKind::look_ahead}));
  EXPECT_EQ(session.attention().mask, lesson::MaskKind::look_ahead);
}

TEST_F(LessonFile, CrossAttentionHasTokensForKeys) {
  const auto lesson = read_lesson(lesson_of(
      R"({"tokens": ["a"], "key_tokens": ["x", "y", "a"], "embeddings": {"seed": 3, "width": 4}})",
      R"([{"text": "t"}])"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  const Session session = at_step(*lesson, 0);
  const auto& trace = session.attention().trace;
  EXPECT_EQ(trace["scores"].shape(), (tensor::Shape{1, 1, 1, 3}));
  EXPECT_EQ(trace["query_input"].at({0, 0, 2}), trace["key_input"].at({0, 2, 2}));
}

TEST_F(LessonFile, TheSameExampleIsOpenedOnce) {
  const std::string text = lesson_of(own_example, R"([{"text": "t"}])");
  const auto first = read_lesson(text);
  const std::size_t count = lesson::own_layer_count();
  const auto again = read_lesson(text);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->variant, again->variant);
  EXPECT_EQ(lesson::own_layer_count(), count);
}

TEST_F(LessonFile, AStepBeginsWithItsStateAndOneWithoutWithTheLastBeforeIt) {
  const auto lesson = read_lesson(lesson_of(
      R"([{"text": "a", "state": "step=mask&masks.cross_attention=look-ahead"}, {"text": "b"},
          {"text": "c", "state": {"step": "softmax", "cell": "cross_attention.scores[0,1,1,0]"}}])"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  EXPECT_EQ(at_step(*lesson, 1).document(), at_step(*lesson, 0).document());
  const Session last = at_step(*lesson, 2);
  EXPECT_EQ(last.document().view_state.attention, lesson::AttentionId::cross_attention);
  EXPECT_EQ(last.document().view_state.query, 1U);
  EXPECT_TRUE(last.document().configuration.masks.empty());
}

TEST_F(LessonFile, WhatIsWrongIsSaidWithItsPlace) {
  const auto begins = [](const std::string& sentence, std::string_view beginning) {
    EXPECT_EQ(sentence.substr(0, beginning.size()), beginning);
  };
  begins(fault("{\n \"attention_live_lesson\": 1,§,\n}"), "From here on it is not valid JSON");
  EXPECT_EQ(fault("§[]"),
            "the lesson must be an object; it can have $schema, attention_live_lesson, title, "
            "language, example and steps.");
  begins(fault(lesson_of("§\"nosuch\"", "[]")), "There is no example “nosuch”; there can be ");
  EXPECT_EQ(fault(lesson_of("§[]")), "steps must be a list of 1 to 100 entries.");
  begins(fault(lesson_of(R"([{"txt": §"t"}])")), "“txt” is not known here; there can be text,");
  EXPECT_EQ(fault(lesson_of(R"([{"text": "t", "text": §"u"}])")), "text is there twice.");
  EXPECT_EQ(fault(lesson_of(R"([§{"state": {}}])")), "steps[0] lacks text.");
  begins(fault(lesson_of(R"([{"text": "t", "state": {"query": 1, "step": §"softmx"}}])")),
         "step is “softmx”; allowed: ");
  begins(fault(lesson_of(R"([{"text": "t", "state": {"step": "scores", "head": §9}}])")), "head");
  begins(fault(lesson_of(R"([{"text": "t", "state": {"stp": §"scores"}}])")), "“stp” is not");
  begins(fault(lesson_of(R"([{"text": "t", "state": §"step=nowhere"}])")), "step is “nowhere”");
  begins(fault(lesson_of(R"([{"text": "t", "state": §7}])")), "steps[0].state must be");
  begins(fault(lesson_of(R"([{"text": "t", "allow": ["edit", §"all"]}])")), "steps[0].allow[1] is");
}

TEST_F(LessonFile, WhatIsWrongWithAnExampleIsSaidWithItsPlace) {
  const auto example = [](std::string_view members) {
    return fault(lesson_of("§{\n\"tokens\": [\"a\", \"b\"], " + std::string(members) + "\n}",
                           R"([{"text": "t"}])"));
  };
  const auto inside = [](std::string_view members) {
    return fault(lesson_of("{\n\"tokens\": [\"a\", \"b\"], " + std::string(members) + "\n}",
                           R"([{"text": "t"}])"));
  };
  EXPECT_EQ(example(R"("heads": 1)"), "example lacks embeddings.");
  EXPECT_EQ(inside(R"("embeddings": [[1, 2], §[3]])"),
            "example.embeddings[1] has 1 numbers, the first row has 2: all rows must have the same "
            "length.");
  for (const std::string_view members :
       {R"("embeddings": §[[1, 2]])", R"("embeddings": [[1, §"2"], [3, 4]])",
        R"("embeddings": [[1, 2], [3, §40000]])", R"("embeddings": {"seed": 1, "width": §0})",
        R"("heads": §2, "embeddings": [[1, 2, 3], [4, 5, 6]])",
        R"("embeddings": [[1, 2], [3, 4]], "weights": {"out_proj.weight": §[[1]]})",
        R"("embeddings": [[1, 2], [3, 4]], "weights": {"out_proj.bias": §[1, 2]})",
        R"("embeddings": [[1, 2], [3, 4]], "mask": §[[0, 0, 0]])",
        R"("embeddings": [[1, 2], [3, 4]], "mask": §"padding")",
        R"("embeddings": [[1, 2], [3, 4]], "mask": [[0, §"x"], [0, 0]])",
        R"("embeddings": [[1, 2], [3, 4]], "labels": §["x"])",
        R"("embeddings": [[1, 2], [3, 4]], "scale": §0)",
        R"("embeddings": [[1, 2], [3, 4]], "key_embeddings": §[[1, 2]])",
        R"("embeddings": [[1, 2], [3, 4]], "weights": {"seed": §1, "in_proj_bias": [0]})"}) {
    EXPECT_NE(inside(members), "nothing") << members;
  }
}

TEST_F(LessonFile, WhatIsWrongWithAnAnswerIsSaidWithItsPlace) {
  for (const std::string_view answer :
       {R"(§{"number": 1, "cell": "scores[0,0,0,0]"})", R"({"cell": §"scores[0,0,0]"})",
        R"({"cell": §"scores[0,0,0,9]"})", R"({"cell": §"score[0,0,0,0]"})",
        R"({"cell": §"scores[0,0,,0]"})", R"({"cell": §"scores[0,0,0,0"})",
        R"({"value_of": §"q_proj_weight[0,0]"})", R"({"value_of": §"nowhere.scores[0,0,0,0]"})",
        R"({"cell": "scores[0,0,0,1]", "within": §1})", R"({"number": 1, "within": §-1})",
        R"({"reach": §{"cell": "scores[0,0,0,1]"}})"}) {
    EXPECT_NE(fault(with_answer(answer)), "nothing") << answer;
  }
  EXPECT_NE(fault(with_answer(R"({"reach": {"cell": §"scores[0,0,0,1]", "at_least": 0.1}})"))
                .find("before the reader does anything"),
            std::string::npos);
}

TEST_F(LessonFile, WhatAStepDoesNotAllowIsRefused) {
  const auto lesson = read_lesson(lesson_of(R"([{"text": "t", "allow": ["query"]}])"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  Session session = at_step(*lesson, 0);
  session.allow(lesson->steps[0].allowed);
  EXPECT_TRUE(session.perform(ChooseQuery{1}));
  EXPECT_TRUE(session.perform(ChooseCell{CellRef{"scores", {0, 0, 1, 1}}}));
  EXPECT_TRUE(session.perform(SetProgress{0.5F}));
  for (const Command& command :
       {Command(ChooseStep{lesson::StepId::mask}), Command(ChooseHead{1}),
        Command(ChooseExample{lesson::ExampleId::lazy_dog, 0}), Command(SetSeed{2}),
        Command(EditCell{{lesson::AttentionId::encoder_self_attention, "q_proj_weight", {0, 0}},
                         1.0F})})
    EXPECT_FALSE(session.perform(command));
  session.allow({});
  EXPECT_TRUE(session.perform(ChooseHead{1}));
}

TEST_F(LessonFile, ATypedNumberIsComparedWithTheOneThatIsComputed) {
  const auto lesson = read_lesson(with_answer(R"({"value_of": "scores[0,0,0,1]"})"));  // 0.14
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  Session session = at_step(*lesson, 0);
  const auto said = [&](double typed) { return judged(*lesson, 0, session, typed).said; };
  EXPECT_TRUE(judged(*lesson, 0, session, 0.15).right);
  EXPECT_EQ(said(0.14), "Right: 0.14.");
  EXPECT_EQ(said(0.17), "Close: a little too large.");
  EXPECT_EQ(said(0.1), "Close: a little too small.");
  EXPECT_EQ(said(1.4), "Not yet: too large.");
  EXPECT_EQ(said(-3), "Not yet: too small.");
  EXPECT_NEAR(*judged(*lesson, 0, session, 1.14).distance, 1.0, 1e-6);
  // It is the number that is there now.
  ASSERT_TRUE(session.perform(
      EditCell{{lesson::AttentionId::attention, model::roles::query, {0, 0, 0}}, 10.0F}));
  EXPECT_FALSE(judged(*lesson, 0, session, 0.14).right);
  EXPECT_FALSE(judge(lesson->steps[0].question->answer, session, {}));
}

TEST_F(LessonFile, ANumberCanBeGiven) {
  const auto lesson = read_lesson(with_answer(R"({"number": 0.3, "within": 0})"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  const Session session = at_step(*lesson, 0);
  EXPECT_TRUE(judged(*lesson, 0, session, 0.1 + 0.2).right);
  EXPECT_FALSE(judged(*lesson, 0, session, 0.3001).right);
}

TEST_F(LessonFile, TheChosenCellIsComparedWithTheOneThatIsMeant) {
  const auto lesson = read_lesson(with_answer(R"({"cell": "scores[0,0,2,1]"})"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  Session session = at_step(*lesson, 0);
  const auto verdict = [&](model::TensorId tensor, tensor::Index index) {
    EXPECT_TRUE(session.perform(ChooseCell{CellRef{tensor, index}}));
    return judged(*lesson, 0, session);
  };
  EXPECT_EQ(judged(*lesson, 0, session).said, "Choose a cell in the figure first.");
  EXPECT_TRUE(verdict("scores", {0, 0, 2, 1}).right);
  EXPECT_EQ(verdict("scores", {0, 0, 2, 2}).said, "Close: the right cell is next to that one.");
  EXPECT_EQ(*verdict("scores", {0, 0, 0, 0}).distance, 3.0);
  EXPECT_FALSE(verdict("query_input", {0, 0, 0}).distance);
}

TEST_F(LessonFile, AChangeMustBringANumberAbout) {
  const auto lesson =
      read_lesson(with_answer(R"({"reach": {"cell": "scores[0,0,0,1]", "at_least": 0.5}})"));
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  Session session = at_step(*lesson, 0);
  EXPECT_NEAR(*judged(*lesson, 0, session).distance, 0.36, 1e-6);
  ASSERT_TRUE(session.perform(
      EditCell{{lesson::AttentionId::attention, model::roles::query, {0, 0, 1}}, 0.77F}));
  EXPECT_EQ(judged(*lesson, 0, session).said.substr(0, 7), "Close: ");
  ASSERT_TRUE(session.perform(
      EditCell{{lesson::AttentionId::attention, model::roles::query, {0, 0, 1}}, 2.0F}));
  EXPECT_TRUE(judged(*lesson, 0, session).right);
}

/// The bytes of numbers as numpy.save writes them.
std::vector<std::byte> npy_of(const std::string& shape, const std::vector<float>& numbers) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string file = "\x93NUMPY";
  file += std::string("\x01\x00", 2) + static_cast<char>(header.size()) + '\0' + header;
  file.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  const auto bytes = std::as_bytes(std::span(file));
  return {bytes.begin(), bytes.end()};
}

constexpr const char* lesson_with_file = R"({
  "attention_live_lesson": 1, "title": "Own numbers",
  "example": {"tokens": ["a", "b"], "embeddings": {"file": "numbers/x.npy"}},
  "steps": [{"text": "t"}]})";

TEST(LessonNumbers, MayBeInAFileBesideTheLesson) {
  EXPECT_EQ(files_of_lesson(lesson_with_file), std::vector<std::string>{"numbers/x.npy"});
  LessonFiles files;
  files["numbers/x.npy"] = npy_of("(2, 3)", {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, -6.0F});
  const auto lesson = read_lesson(lesson_with_file, files);
  ASSERT_TRUE(lesson) << lesson.error().sentence;
  Session session;
  ASSERT_TRUE(session.replace(*lesson->document_at(0, session.document())));
  EXPECT_EQ(session.attention().trace["query_input"].at({0, 1, 2}), -6.0F);
  // Other numbers under the same name are another example.
  files["numbers/x.npy"] = npy_of("(2, 3)", {9.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F});
  const auto other = read_lesson(lesson_with_file, files);
  ASSERT_TRUE(other);
  ASSERT_TRUE(session.replace(*other->document_at(0, session.document())));
  EXPECT_EQ(session.attention().trace["query_input"].at({0, 0, 0}), 9.0F);
  lesson::forget_own_layers();
}

TEST(LessonNumbers, SayWhatIsWrongWithAFile) {
  const auto fault = [](const LessonFiles& files) {
    const auto lesson = read_lesson(lesson_with_file, files);
    EXPECT_FALSE(lesson);
    return lesson ? std::string() : lesson.error().sentence;
  };
  const auto with = [](std::vector<std::byte> bytes) {
    return LessonFiles{{"numbers/x.npy", std::move(bytes)}};
  };
  EXPECT_NE(fault({}).find("was not found"), std::string::npos);
  EXPECT_NE(fault(with({})).find("numbers/x.npy"), std::string::npos);
  EXPECT_NE(fault(with(npy_of("(2,)", {1.0F, 2.0F}))).find("2 rows"), std::string::npos);
  EXPECT_NE(fault(with(npy_of("(2, 1, 1)", {1.0F, 2.0F}))).find("[2,1,1]"), std::string::npos);
  EXPECT_NE(fault(with(npy_of("(2, 1)", {1.0F, 1e5F}))).find("holds 1e+05; "), std::string::npos);
  EXPECT_NE(fault(with(npy_of("(2, 1)", {1.0F, NAN}))).find("holds NaN; "), std::string::npos);
  EXPECT_NE(fault(with(npy_of("(2, 1)", {1.0F, -infinity}))).find("holds -Infinity; "),
            std::string::npos);
}

TEST(LessonNumbers, AreInNoFileElsewhere) {
  for (const char* name : {"../x.npy", "/etc/x.npy", "https://a.b/x.npy", "x.json", "a/../x.npy"}) {
    std::string text = lesson_with_file;
    text.replace(text.find("numbers/x.npy"), 13, name);
    EXPECT_TRUE(files_of_lesson(text).empty()) << name;
    const auto lesson = read_lesson(text, {{name, npy_of("(2, 1)", {1.0F, 2.0F})}});
    ASSERT_FALSE(lesson);
    EXPECT_NE(lesson.error().sentence.find("beside the lesson"), std::string::npos);
  }
}

}  // namespace
}  // namespace document
