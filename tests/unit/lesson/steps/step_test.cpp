#include "lesson/steps/step.hpp"

#include <gtest/gtest.h>
#include <utf8/core.h>
#include <utf8/unchecked.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "lesson/examples/example.hpp"
#include "model/attention/attention_part.hpp"
#include "self_inputs.hpp"

namespace lesson {
namespace {

using model::TensorId;

TEST(Steps, AreThoseOfTheLessonInTheirOrder) {
  const std::vector<std::string_view> names = {
      "sentence", "input",   "project",  "split", "transpose", "scores",  "scale",
      "mask",     "softmax", "reweight", "merge", "output",    "overview"};
  ASSERT_EQ(steps().size(), names.size());
  ASSERT_EQ(step_count, names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(steps()[i].name, names[i]);
    EXPECT_EQ(static_cast<std::size_t>(steps()[i].id), i);
    EXPECT_EQ(step(steps()[i].id).name, names[i]);
  }
}

std::size_t sentences_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.' && (i + 1 == text.size() || text[i + 1] == ' ')) ++count;
  }
  return count;
}

TEST(Steps, SayTwoToFourSentencesUnderAHeading) {
  for (const Step& each : steps()) {
    EXPECT_FALSE(each.label().empty()) << each.name;
    EXPECT_FALSE(each.title().empty()) << each.name;
    EXPECT_FALSE(each.formula().empty()) << each.name;
    EXPECT_GE(sentences_in(each.text()), 2U) << each.name;
    EXPECT_LE(sentences_in(each.text()), 4U) << each.name;
    EXPECT_EQ(each.text().back(), '.') << each.name;
    EXPECT_EQ(each.text().find("  "), std::string_view::npos) << each.name;
  }
}

// A word of the field, or a name that no formula has, is explained in the sentence it is met in.
TEST(Steps, ExplainWordsWhereTheyAreMet) {
  for (const Step& each : steps()) {
    EXPECT_EQ(each.sentence().find("saturates"), std::string_view::npos)
        << "there is no room for it beside the title of " << each.name;
  }
  const auto says = [](StepId id, std::string_view words) {
    return step(id).text().find(words) != std::string_view::npos;
  };
  EXPECT_TRUE(says(StepId::scale, "saturates: one key gets nearly all the weight"));
  EXPECT_TRUE(says(StepId::reweight, "these products are the weighted_values"));
}

// The fonts are cut down to these characters: any other would be drawn as a box.
TEST(Steps, UseOnlyCharactersTheFontsHave) {
  const std::u32string symbols = U"−×·√∑Σ∞≤≥≠≈→←↑↓↔…–—‘’“”•′ᵀ₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹∈Φ";
  for (const Step& each : steps()) {
    for (const std::string_view text : {each.label(), each.title(), each.text(), each.formula()}) {
      ASSERT_EQ(utf8::find_invalid(text.begin(), text.end()), text.end());
      for (const char* at = text.data(); at != text.data() + text.size();) {
        const char32_t c = utf8::unchecked::next(at);
        const bool latin = c >= 0x20 && c < 0x250 && c != 0x7F;
        EXPECT_TRUE(latin || symbols.find(c) != std::u32string::npos)
            << each.name << " uses U+" << std::hex << static_cast<unsigned>(c);
      }
    }
  }
}

// A formula that names a tensor which the step does not show would explain the invisible.
TEST(Steps, ShowEveryTensorTheirFormulaNames) {
  for (const Step& each : steps()) {
    std::string word;
    std::size_t named = 0;
    for (const char c : std::string(each.formula()) + " ") {
      if ((c >= 'a' && c <= 'z') || c == '_') {
        word += c;
        continue;
      }
      if (const auto id = model::tensor_named(word)) {
        ++named;
        EXPECT_NE(std::find(each.tensors.begin(), each.tensors.end(), *id), each.tensors.end())
            << each.name << ": " << word;
      }
      word.clear();
    }
    EXPECT_GE(named, 1U) << each.name;
  }
}

// Where a press on a matrix of the map leads.
TEST(Steps, EveryTensorIsMadeInOneOfThem) {
  EXPECT_EQ(step_making("query_input"), StepId::input);
  EXPECT_EQ(step_making("q"), StepId::project);
  EXPECT_EQ(step_making("k_groups"), StepId::transpose);
  EXPECT_EQ(step_making("mask"), StepId::mask);
  EXPECT_EQ(step_making("attention_weights"), StepId::softmax);
  EXPECT_EQ(step_making("head_outputs"), StepId::reweight);
  EXPECT_EQ(step_making("output"), StepId::output);
  for (const TensorId tensor : step(StepId::overview).tensors) {
    const StepId maker = step_making(tensor);
    EXPECT_NE(maker, StepId::overview) << model::name_of(tensor);
    EXPECT_NE(maker, StepId::sentence) << model::name_of(tensor);
  }
}

TEST(Steps, AreAboutWhatTheyMakeNotAboutWhatTheyRead) {
  EXPECT_TRUE(is_about(StepId::scores, "scores"));
  EXPECT_FALSE(is_about(StepId::scale, "scores"));
  EXPECT_TRUE(is_about(StepId::mask, "mask"));
  EXPECT_TRUE(is_about(StepId::sentence, "head_outputs"));
  EXPECT_TRUE(is_about(StepId::reweight, "head_outputs"));
  EXPECT_FALSE(is_about(StepId::sentence, "attention_weights"));
  for (const TensorId tensor : step(StepId::overview).tensors)
    EXPECT_TRUE(is_about(StepId::overview, tensor));
}

TEST(Steps, TogetherShowEveryTensor) {
  std::set<TensorId> shown;
  for (const Step& each : steps()) {
    const std::set<TensorId> own(each.tensors.begin(), each.tensors.end());
    EXPECT_EQ(own.size(), each.tensors.size()) << each.name << " shows a tensor twice";
    shown.insert(own.begin(), own.end());
  }
  std::set<TensorId> all;
  for (const model::Node& row : model::nodes_of<model::tables::multi_head_attention>)
    all.insert(row.id);
  // Where heads of queries share those of keys and values.
  all.insert({"k_groups", "v_groups"});
  // With variants of attention.
  all.insert({"q_normed", "k_normed", "q_rotated", "k_rotated", "capped_scores", "alibi_bias",
              "biased_scores", "sinks", "q_norm_weight", "k_norm_weight", "q_full_normed",
              "k_full_normed", "position_bias"});
  all.erase("mean_weights");  // in the figure of the sentence
  EXPECT_EQ(shown, all);
}

TEST(Steps, ShowWhatTheyReadInThisAttention) {
  using Shown = std::vector<TensorId>;
  const auto shown = [](StepId id, const model::Variants& variants) {
    tensor::Tensor tokens({1, 3, 4});
    model::Tensors given;
    given["query_input"] = given["key_input"] = given["value_input"] = tokens;
    const auto trace = model::multi_head_attention(given, {2, {}, {}, 0, variants});
    return shown_in(step(id), *trace);
  };
  EXPECT_EQ(shown(StepId::mask, {}), (Shown{"scaled_scores", "masked_scores"}));
  EXPECT_EQ(shown(StepId::scale, {.softcap = 2.0F}),
            (Shown{"scores", "scaled_scores", "capped_scores"}));
  EXPECT_EQ(shown(StepId::mask, {.softcap = 2.0F}), (Shown{"capped_scores", "masked_scores"}));
  EXPECT_EQ(shown(StepId::mask, {.alibi = true, .softcap = 2.0F}),
            (Shown{"capped_scores", "alibi_bias", "biased_scores", "masked_scores"}));
  EXPECT_EQ(shown(StepId::softmax, {.sink = 0.0F}),
            (Shown{"masked_scores", "sinks", "attention_weights"}));
  EXPECT_EQ(shown(StepId::scores, {.rope_base = 100.0F}),
            (Shown{"q_heads", "k_heads", "q_rotated", "k_rotated", "scores"}));
}

// What the formulas say, held against what is computed, cell by cell.
class Formulas : public testing::Test {
 protected:
  void SetUp() override {
    const auto problem = make_problem(ExampleId::your_sentence, {});
    ASSERT_TRUE(problem);
    const tensor::Tensor& x = problem->source.embedding;
    auto trace = model::multi_head_attention(self_inputs(x, problem->weights),
                                             {problem->options.num_heads, {}, {}});
    ASSERT_TRUE(trace);
    trace_ = *std::move(trace);
    const model::Config& config = trace_.config;
    L = config.query_len;
    H = config.num_heads;
    D = config.head_dim();
    ASSERT_GT(H, 1U);
  }
  float at(TensorId id, const tensor::Index& index) const { return trace_[id].at(index); }

  model::Trace trace_;
  std::size_t L = 0;
  std::size_t H = 0;
  std::size_t D = 0;
};

TEST_F(Formulas, OfSplitTransposeAndMergeMoveEveryCellAsTheySay) {
  EXPECT_EQ(step(StepId::split).formula(), "q_split[l, h, d] = q[l, h·D + d]");
  EXPECT_EQ(step(StepId::transpose).formula(), "q_heads[h, l, d] = q_split[l, h, d]");
  EXPECT_EQ(step(StepId::merge).formula(), "merged[l, h·D + d] = head_outputs[h, l, d]");
  for (std::size_t l = 0; l < L; ++l) {
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t d = 0; d < D; ++d) {
        EXPECT_EQ(at("q_split", {0, l, h, d}), at("q", {0, l, h * D + d}));
        EXPECT_EQ(at("q_heads", {0, h, l, d}), at("q_split", {0, l, h, d}));
        EXPECT_EQ(at("merged", {0, l, h * D + d}), at("head_outputs", {0, h, l, d}));
      }
    }
  }
}

TEST_F(Formulas, OfScoresScaleSoftmaxAndReweightGiveEveryCell) {
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t i = 0; i < L; ++i) {
      double sum_of_exponentials = 0.0;
      for (std::size_t j = 0; j < L; ++j) {
        double score = 0.0;
        for (std::size_t d = 0; d < D; ++d) {
          score += static_cast<double>(at("q_heads", {0, h, i, d})) *
                   static_cast<double>(at("k_heads", {0, h, j, d}));
        }
        EXPECT_NEAR(at("scores", {0, h, i, j}), score, 1e-5);
        EXPECT_NEAR(at("scaled_scores", {0, h, i, j}), score / std::sqrt(static_cast<double>(D)),
                    1e-5);
        sum_of_exponentials += std::exp(at("masked_scores", {0, h, i, j}));
      }
      std::vector<double> head_output(D, 0.0);
      for (std::size_t j = 0; j < L; ++j) {
        const double weight = at("attention_weights", {0, h, i, j});
        EXPECT_NEAR(weight, std::exp(at("masked_scores", {0, h, i, j})) / sum_of_exponentials,
                    1e-6);
        for (std::size_t d = 0; d < D; ++d) {
          head_output[d] += weight * at("v_heads", {0, h, j, d});
        }
      }
      for (std::size_t d = 0; d < D; ++d) {
        EXPECT_NEAR(at("head_outputs", {0, h, i, d}), head_output[d], 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace lesson
