// The field of the sentence, after each letter: what is computed, said and remembered.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "app/app.hpp"
#include "imgui.h"

namespace app {
namespace {

class TypingTest : public testing::Test {
 public:
  TypingTest() : context_(ImGui::CreateContext()), app_(std::make_unique<App>()) {
    EXPECT_TRUE(app_->perform(document::ChooseExample{lesson::ExampleId::your_sentence, 0}));
    EXPECT_TRUE(app_->perform(document::SetSentence{"one two three"}));
    EXPECT_TRUE(app_->perform(document::ChooseQuery{2}));
  }
  ~TypingTest() override {
    app_.reset();
    ImGui::DestroyContext(context_);
  }
  TypingTest(const TypingTest&) = delete;
  TypingTest& operator=(const TypingTest&) = delete;

 protected:
  void type(const std::string& text) { app_->type_sentence({text, false}); }
  void leave(const std::string& text) { app_->type_sentence({text, true}); }
  App& program() { return *app_; }
  std::string sentence() const {
    const document::Configuration& configuration = app_->session().document().configuration;
    return std::string(lesson::sentence_of(configuration.example, configuration.parameters));
  }

 private:
  ImGuiContext* context_;
  std::unique_ptr<App> app_;
};

TEST_F(TypingTest, EachLetterIsComputedAndAllAreOneUndoStep) {
  for (const char* text : {"a", "a ", "a c", "a ca", "a cat"}) {
    type(text);
    EXPECT_EQ(sentence(), text);
  }
  EXPECT_EQ(program().session().attention().query_tokens[0].size(), 2U);
  leave("a cat");
  type("a cat sat");
  leave("a cat sat");
  program().undo();
  EXPECT_EQ(sentence(), "a cat");
  program().undo();
  EXPECT_EQ(sentence(), "one two three");
}

TEST_F(TypingTest, WhatCannotBeComputedIsSaidWhenTheFieldIsLeft) {
  type("a");
  type("");
  EXPECT_EQ(sentence(), "a");
  EXPECT_EQ(program().message(), "");
  type("b");
  EXPECT_EQ(sentence(), "b");
  type("");
  leave("");
  EXPECT_EQ(sentence(), "b");
  EXPECT_NE(program().message(), "");
  type("c");
  EXPECT_EQ(program().message(), "");
  leave("c");
  program().undo();
  program().undo();
  EXPECT_EQ(sentence(), "one two three");
}

TEST_F(TypingTest, ASentenceThatIsTooLongIsSaidToBeWhileItIsTyped) {
  std::string words = "a";
  for (int i = 1; i < 64; ++i) words += " a";
  type(words);
  EXPECT_EQ(program().message(), "");
  type(words + " b");
  EXPECT_EQ(program().message(), "The sentence has 65 tokens; at most 64 are allowed.");
  EXPECT_EQ(sentence(), words);
  type("");
  EXPECT_EQ(program().message(), "");
  type(words);
  leave(words);
}

TEST_F(TypingTest, TheChosenWordStaysWhereItIsThereAgain) {
  type("o");
  EXPECT_EQ(program().session().document().view_state.query, 0U);
  type("o t t");
  EXPECT_EQ(program().session().document().view_state.query, 2U);
  leave("o t t");
}

TEST_F(TypingTest, AnotherChangeIsAnUndoStepOfItsOwn) {
  const model::Mistake before = program().session().document().configuration.mistake;
  EXPECT_TRUE(program().perform(document::SetMistake{model::Mistake::no_transpose}));
  type("one two three");  // no change
  type("a");
  leave("a");
  program().undo();
  EXPECT_EQ(sentence(), "one two three");
  EXPECT_EQ(program().session().document().configuration.mistake, model::Mistake::no_transpose);
  program().undo();
  EXPECT_EQ(program().session().document().configuration.mistake, before);
}

}  // namespace
}  // namespace app
