#include <gtest/gtest.h>

#include "lesson/examples/example.hpp"
#include "lesson/examples/examples.hpp"

namespace lesson {
namespace {

Parameters typed(std::string sentence) {
  Parameters parameters;
  parameters.sentence = std::move(sentence);
  return parameters;
}

Problem make_sentence(const Parameters& parameters) {
  auto problem = make_problem(ExampleId::your_sentence, parameters);
  EXPECT_TRUE(problem) << problem.error().message;
  return *std::move(problem);
}

TEST(YourSentence, HasASentenceOfItsOwn) {
  const Problem problem = make_sentence({});
  EXPECT_EQ(problem.source.tokens.front().size(), 11U);
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 11, 8}));
  EXPECT_EQ(problem.options.num_heads, 2U);
  EXPECT_TRUE(problem.position_encoding);
  EXPECT_EQ(problem.note, "The numbers are random (seed 1), not trained.");
}

TEST(YourSentence, TakesAnyLanguage) {
  EXPECT_EQ(make_sentence(typed("你好 world")).source.tokens.front(),
            (std::vector<std::string>{"你", "好", "world"}));
}

TEST(YourSentence, SizesAndSeedAreChosen) {
  Parameters parameters = typed("one two");
  parameters.embed_dim = 12;
  parameters.num_heads = 3;
  parameters.seed = 77;
  const Problem problem = make_sentence(parameters);
  EXPECT_EQ(problem.source.embedding.shape(), (tensor::Shape{1, 2, 12}));
  EXPECT_EQ(problem.weights["out_proj_weight"].shape(), (tensor::Shape{12, 12}));
  EXPECT_EQ(problem.options.num_heads, 3U);
  EXPECT_EQ(problem.note, "The numbers are random (seed 77), not trained.");
}

TEST(YourSentence, TheLargestOneIsMade) {
  std::string sentence;
  for (int i = 0; i < 64; ++i) sentence += "w" + std::to_string(i) + " ";
  Parameters parameters = typed(sentence);
  parameters.embed_dim = 512;
  parameters.num_heads = 16;
  EXPECT_EQ(make_sentence(parameters).source.embedding.shape(), (tensor::Shape{1, 64, 512}));
}

TEST(YourSentence, AnotherSentenceLeavesTheWeights) {
  EXPECT_EQ(make_sentence(typed("one")).weights["q_proj_weight"].values(),
            make_sentence(typed("two three")).weights["q_proj_weight"].values());
}

// Only what keys and values are made from is another: another sentence, of another width.
TEST(YourSentence, KeysAndValuesMayComeFromAnotherSentence) {
  Parameters parameters = typed("one two three");
  const Problem self = make_sentence(parameters);
  parameters.kdim = 12;
  const Problem cross = make_sentence(parameters);
  EXPECT_EQ(cross.arrangement, Arrangement::cross);
  EXPECT_EQ(cross.target.embedding.values(), self.source.embedding.values());
  EXPECT_EQ(cross.source.tokens.front().size(), 7U);
  EXPECT_EQ(cross.source.embedding.shape(), (tensor::Shape{1, 7, 12}));
  EXPECT_EQ(cross.weights["q_proj_weight"].values(), self.weights["q_proj_weight"].values());
  EXPECT_EQ(cross.weights["k_proj_weight"].shape(), (tensor::Shape{8, 12}));
  EXPECT_EQ(cross.weights["v_proj_weight"].shape(), (tensor::Shape{8, 12}));
  EXPECT_EQ(cross.weights["out_proj_weight"].shape(), (tensor::Shape{8, 8}));
}

TEST(YourSentence, AWidthThatIsNotPossibleIsRefused) {
  for (const std::size_t kdim : {std::size_t{7}, std::size_t{514}, std::size_t{65535}}) {
    Parameters parameters;
    parameters.kdim = kdim;
    const auto problem = make_problem(ExampleId::your_sentence, parameters);
    ASSERT_FALSE(problem);
    EXPECT_EQ(problem.error().message,
              "kdim " + std::to_string(kdim) +
                  " is not possible in your-sentence: choose an even number from 2 to 512, or 0 "
                  "for keys and values of the same sentence.");
  }
}

TEST(YourSentence, BadTextGetsTheTokenizersSentence) {
  const auto problem = make_problem(ExampleId::your_sentence, typed("   "));
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().message, "The sentence is empty: type at least one word.");
  EXPECT_FALSE(make_problem(ExampleId::your_sentence, typed("\xFF")));
}

}  // namespace
}  // namespace lesson
