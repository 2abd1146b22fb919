#include "stage/wording/translation_words.hpp"

#include <gtest/gtest.h>

#include "speaking.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {
namespace {

TEST(TranslationWords, WhatABeamFoundHasItsSumAndItsMean) {
  const lesson::Translated::Finished found{{7, 8, 9, 2}, "Hola.", -5.0};
  EXPECT_EQ(finished_words(found), "log-probability −5.00, −1.25 per token");
  const Speaking german("de");
  EXPECT_EQ(finished_words(found), "Log-Wahrscheinlichkeit −5.00, −1.25 je Token");
}

TEST(TranslationWords, NothingIsSaidOfATranslationThatIsNotChanged) {
  EXPECT_EQ(unchanged_words({}), "");
  lesson::Translated translated;
  translated.unchanged = lesson::Translated::Unchanged{"Hola.", -0.31, -4.2};
  EXPECT_EQ(unchanged_words(translated),
            "“Hola.” has a probability of 1.5 % now, 73.3 % without your changes (log-probability "
            "−4.20 instead of −0.31).");
  EXPECT_EQ(probability_words(0.0004), "< 0.1 %");
  EXPECT_EQ(probability_words(1.0), "100.0 %");
}

// Where there is little room, the translation is shortened and never what is said of it.
TEST(TranslationWords, WhatIsSaidOfATranslationIsSaidToTheEnd) {
  for (const char* language : all_languages) {
    const Speaking speaking(language);
    lesson::Translated translated;
    translated.unchanged = lesson::Translated::Unchanged{
        "Él la admiró como un gran director, y nadie supo nunca por qué lo había hecho.", -11.25,
        -13.5};
    const std::string whole = unchanged_words(translated);
    const auto fits = [](const std::string& words) { return words.size() <= 160; };
    const std::string words = unchanged_words(translated, fits);
    EXPECT_FALSE(fits(whole));
    EXPECT_TRUE(fits(words)) << words;
    EXPECT_TRUE(words.find("…") != std::string::npos) << words;
    EXPECT_TRUE(words.ends_with("−11.25).")) << words;
    EXPECT_EQ(unchanged_words(translated, [](const std::string&) { return true; }), whole);
  }
}

// While a translation is said, the decoder keeps keys and values; the encoder reads all at once.
TEST(TranslationWords, WhereKeysAndValuesWereKeptItIsSaid) {
  const auto attention_kept = [](lesson::AttentionId id, bool kept) {
    document::ComputedAttention attention;
    attention.id = id;
    attention.trace.lengths[ops::Axis::Lk] = 3;
    attention.kept_layers = kept ? 4 : 0;
    attention.trace.config.key_len = 3;
    attention.trace.config.num_heads = attention.trace.config.num_kv_heads = 2;
    attention.trace.config.embed_dim = 16;
    return attention;
  };
  const lesson::Step& project = lesson::step(lesson::StepId::project);
  const auto text = [&](lesson::AttentionId id, bool kept) {
    return step_text(project, attention_kept(id, kept));
  };
  using enum lesson::AttentionId;
  EXPECT_EQ(text(encoder_self_attention, false), project.text());
  EXPECT_NE(text(decoder_self_attention_1, true).find("KV cache"), std::string::npos);
  EXPECT_NE(text(cross_attention, true).find("computed once"), std::string::npos);
  const std::string bytes =
      "3 tokens × 4 layers × 2 (k and v) × 2 heads × 8 numbers × 4 bytes = 1536 bytes.";
  EXPECT_TRUE(text(decoder_self_attention_1, true).ends_with(bytes));
  EXPECT_TRUE(text(cross_attention, true).ends_with(bytes));
  const lesson::Step& split = lesson::step(lesson::StepId::split);
  EXPECT_EQ(step_text(split, attention_kept(cross_attention, true)), split.text());

  const document::ComputedAttention kept = attention_kept(cross_attention, true);
  EXPECT_EQ(caption_of(kept, "k", {}).note, "KV cache, 192 bytes");  // 3 × 2 × 8 × 4
  EXPECT_EQ(caption_of(kept, "v", {}).note, "KV cache, 192 bytes");
  EXPECT_EQ(caption_of(kept, "q", {}).note, "");
  EXPECT_EQ(caption_of(attention_kept(cross_attention, false), "k", {}).note, "");
}

}  // namespace
}  // namespace stage
