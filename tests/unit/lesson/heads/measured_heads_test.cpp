#include "lesson/heads/measured_heads.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "lesson/heads/recorded_heads.hpp"
#include "translation/small_translator.hpp"

namespace lesson {
namespace {

using translation::HeldOut;
using translation::Translator;

Translator trained_translator() {
  std::ifstream file(
      std::string(ATTENTION_LIVE_FIXTURES) + "/../../tools/translator/translator.safetensors",
      std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  auto made = Translator::read(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(made.has_value()) << made.error().message;
  return *std::move(made);
}

/// The mean over all queries of all sentences, of what `of` takes of one row of weights.
template <typename Of>
double mean_over(const std::vector<tensor::Tensor>& sentences, std::size_t head, int first_query,
                 Of of) {
  double sum = 0.0;
  int count = 0;
  for (const tensor::Tensor& weights : sentences) {  // [1,H,Lq,Lk]
    for (int query = first_query; query < static_cast<int>(weights.dim(2)); ++query, ++count) {
      std::vector<double> row;
      for (std::size_t key = 0; key < weights.dim(3); ++key)
        row.push_back(
            static_cast<double>(weights.at({0, head, static_cast<std::size_t>(query), key})));
      sum += of(row, query);
    }
  }
  return sum / count;
}

TEST(HeldOutHeads, AreTheMeanOverEveryQueryOfEverySentence) {
  const Translator translator = trained_translator();
  const std::vector<HeldOut> sentences = {
      {"He admired her as a great director.", {}}, {"Thank you.", {}}, {"Why not?", {}}};
  const auto measured = measure_heads(translator, sentences, 3);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(measured->size(), 12U);
  std::map<std::string, std::vector<tensor::Tensor>> weights;
  for (const HeldOut& sentence : sentences) {
    const auto traces = translator.trace(translator.translate(sentence.source).value());
    for (const model::Trace& trace : traces.value()) {
      if (measured->contains(trace.name)) weights[trace.name].push_back(trace["attention_weights"]);
    }
  }
  std::set<Pattern> met;
  for (const auto& entry : *measured) {
    const std::string& name = entry.first;
    const auto& heads = entry.second;
    ASSERT_EQ(heads.size(), 8U);
    ASSERT_EQ(weights[name].size(), 3U);
    const bool self = name.find("cross") == std::string::npos;
    for (std::size_t head = 0; head < 8; ++head) {
      const auto mean = [&](auto of) { return mean_over(weights[name], head, self ? 1 : 0, of); };
      const auto at = [&](int distance) {
        return mean([&](const std::vector<double>& row, int query) {
          const int key = query + distance;
          const bool there = self && key >= 0 && key < static_cast<int>(row.size());
          return there ? row[static_cast<std::size_t>(key)] : 0.0;
        });
      };
      const std::vector<double> expected = {
          at(-1),
          at(0),
          at(1),
          mean([](const auto& row, int) { return row.front(); }),
          mean([](const auto& row, int) { return row.back(); }),
          mean([](const auto& row, int) { return *std::max_element(row.begin(), row.end()); })};
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(heads[head][i], expected[i], 1e-9) << name << " " << head << " " << i;
      met.insert(pattern_of(heads[head]).pattern);
    }
  }
  EXPECT_GE(met.size(), 4U);  // otherwise this says little
}

TEST(HeldOutHeads, NoMoreSentencesThanAskedForAndNoneThatCannotBeTranslated) {
  const Translator translator = translation::small_translator(1);
  const std::vector<HeldOut> sentences = {{"ab cd", {}}, {"de", {}}, {" ", {}}};
  const auto one = measure_heads(translator, sentences, 1);
  const auto two = measure_heads(translator, sentences, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->at("encoder.1.self_attention").size(), 2U);
  EXPECT_NE(*one, *two);
  EXPECT_FALSE(measure_heads(translator, sentences, 3));
}

TEST(HeldOutHeads, AreRecordedForEveryHeadOfTheTranslator) {
  EXPECT_EQ(recorded_sentences(), 500U);
  for (const char* part : {"encoder.", "decoder."}) {
    for (const char* kind : {".self_attention", ".cross_attention"}) {
      for (std::size_t layer = 0; layer < 4; ++layer) {
        const std::string name = part + std::to_string(layer) + kind;
        const bool there = name != "encoder." + std::to_string(layer) + ".cross_attention";
        for (std::size_t head = 0; head < 8; ++head) {
          const auto shares = recorded_shares(name, head);
          ASSERT_EQ(shares.has_value(), there) << name;
          if (!shares) continue;
          for (std::size_t i = 0; i < shares->size(); ++i) {
            EXPECT_GE((*shares)[i], 0.0);
            EXPECT_LE((*shares)[i], shares->back() + 1e-9) << "no share is larger than the largest";
          }
          EXPECT_GT(shares->back(), 0.0);
          EXPECT_LE(shares->back(), 1.0);
        }
        EXPECT_FALSE(recorded_shares(name, 8));
      }
    }
  }
}

TEST(HeadPattern, IsTheLargestShareOrTheLargestWeightOrMixed) {
  EXPECT_EQ(pattern_of({0.5, 0.46, 0.0, 0.0, 0.0, 0.9}).pattern, Pattern::previous);
  EXPECT_EQ(pattern_of({0.5, 0.46, 0.0, 0.0, 0.0, 0.9}).share, 0.5F);
  EXPECT_EQ(pattern_of({0.1, 0.1, 0.44, 0.1, 0.1, 0.46}).pattern, Pattern::one);
  EXPECT_EQ(pattern_of({0.1, 0.1, 0.3, 0.1, 0.1, 0.44}).pattern, Pattern::mixed);
  EXPECT_EQ(pattern_of({0.1, 0.1, 0.3, 0.1, 0.1, 0.44}).share, 0.44F);
}

TEST(HeadMeasure, LeavesOutTheFirstQueryOfSelfAttentionUnlessItIsTheOnlyOne) {
  const tensor::Tensor two({2, 2}, {1.0F, 0.0F, 0.25F, 0.75F});
  HeadMeasure self;
  self.add(two, true);
  EXPECT_EQ(self.shares(), (Shares{0.25, 0.75, 0.0, 0.25, 0.75, 0.75}));
  HeadMeasure cross;
  cross.add(two, false);
  EXPECT_EQ(cross.shares(), (Shares{0.0, 0.0, 0.0, 0.625, 0.375, 0.875}));
  HeadMeasure alone;
  alone.add(tensor::Tensor::full({1, 1}, 1.0F), true);
  EXPECT_EQ(alone.shares(), (Shares{0.0, 1.0, 0.0, 1.0, 1.0, 1.0}));
}

}  // namespace
}  // namespace lesson
