// The rule of each task, once more and in another way, on a thousand sequences.
#include "training/tasks/tasks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace training {
namespace {

constexpr int number_of_sequences = 1000;

/// The words of a sequence and its answers; "" where there is none.
struct Words {
  std::vector<std::string> given;
  std::vector<std::string> answers;
};

std::string word_of(const Task& task, int index) {
  return index == not_counted ? "" : std::string(task.vocabulary[static_cast<std::size_t>(index)]);
}

std::vector<Words> thousand(const Task& task) {
  base::Random random(21, "rule");
  std::vector<Words> all;
  for (int i = 0; i < number_of_sequences; ++i) {
    const Sequence sequence = task.draw(random);
    Words words;
    for (const int token : sequence.tokens) words.given.push_back(word_of(task, token));
    for (const int target : sequence.targets) words.answers.push_back(word_of(task, target));
    EXPECT_EQ(words.given.size(), task.length);
    EXPECT_EQ(words.answers.size(), task.length);
    all.push_back(words);
  }
  return all;
}

TEST(TrainingTasks, ReverseAnswersWithTheLettersBackwards) {
  for (const Words& words : thousand(reverse())) {
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(words.answers[i], words.given[7 - i]);
  }
}

struct Noun {
  std::string gender;
  bool plural = false;
};

const std::map<std::string, Noun>& nouns() {
  static const std::map<std::string, Noun> all = {
      {"king", {"male", false}},   {"boys", {"male", true}},     {"queen", {"female", false}},
      {"girls", {"female", true}}, {"house", {"neuter", false}}, {"books", {"neuter", true}}};
  return all;
}

TEST(TrainingTasks, AgreeTakesGenderFromBeforeAndNumberFromAfter) {
  std::set<std::size_t> distances;
  for (const Words& words : thousand(agree())) {
    for (std::size_t i = 0; i < words.given.size(); ++i) {
      EXPECT_EQ(words.answers[i].empty(), words.given[i] != "?");
      if (words.given[i] != "?") continue;
      std::size_t before = i;
      while (!nouns().contains(words.given.at(before))) --before;
      std::size_t after = i;
      while (!nouns().contains(words.given.at(after))) ++after;
      const Noun& answer = nouns().at(words.answers[i]);
      EXPECT_EQ(answer.gender, nouns().at(words.given[before]).gender);
      EXPECT_EQ(answer.plural, nouns().at(words.given[after]).plural);
      distances.insert(after - before);
    }
  }
  EXPECT_EQ(distances, (std::set<std::size_t>{2, 3, 4}));
}

TEST(TrainingTasks, LookBackRepeatsWhatFollowedLastTime) {
  for (const Words& words : thousand(look_back())) {
    std::map<std::string, std::string> followed_by;
    for (std::size_t i = 0; i + 1 < words.given.size(); ++i) {
      const auto last = followed_by.find(words.given[i]);
      // What is asked must be known from what was there before, and must be what comes.
      if (!words.answers[i].empty()) {
        ASSERT_NE(last, followed_by.end());
        EXPECT_EQ(words.answers[i], last->second);
        EXPECT_EQ(words.answers[i], words.given[i + 1]);
      }
      followed_by[words.given[i]] = words.given[i + 1];
    }
  }
}

// A word that always stood at one place, or a place at which always the same is asked, could be
// learned without looking back.
TEST(TrainingTasks, LookBackAsksForEveryWordAtManyPlaces) {
  std::map<std::string, std::set<std::size_t>> places;
  for (const Words& words : thousand(look_back())) {
    for (std::size_t i = 0; i < words.answers.size(); ++i) {
      if (!words.answers[i].empty()) places[words.answers[i]].insert(i);
    }
  }
  EXPECT_EQ(places.size(), look_back().vocabulary.size());
  for (const auto& [word, seen] : places) EXPECT_GE(seen.size(), 12U) << word;
}

}  // namespace
}  // namespace training
