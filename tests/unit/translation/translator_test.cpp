#include "translation/translator.hpp"

#include <cmath>
#include <cstring>

#include "numbers.hpp"
#include "translation/corpus.hpp"
#include "translation/decoding/translate.hpp"
#include "translation/small_translator.hpp"

namespace translation {
namespace {

const char* const sentences[] = {"ab cd.", "c", "de de de ab", "a b c d e . . .", "😀 ab"};

std::vector<std::size_t> without_end(std::vector<std::size_t> tokens) {
  if (!tokens.empty() && tokens.back() == Vocabulary::end) tokens.pop_back();
  return tokens;
}

TEST(Translator, GreedyIsTheMostProbableTokenOfTheWholeModel) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Translator translator = small_translator(seed);
    for (const char* sentence : sentences) {
      const auto made = translator.translate(sentence);
      ASSERT_TRUE(made.has_value()) << made.error().message;
      const auto whole = translate(translator.transformer(), translator.weights(), {made->source});
      ASSERT_TRUE(whole.has_value());
      EXPECT_EQ(without_end(made->target), (*whole)[0]) << seed << ' ' << sentence;
      EXPECT_EQ(made->text, translator.vocabulary().text_of(made->target));
      EXPECT_EQ(made->source.back(), Vocabulary::end);
    }
  }
}

// Sentences of different lengths in one batch: what is padded must not count.
TEST(Translator, ABatchIsTranslatedAsItsSentencesAlone) {
  const Translator translator = small_translator(1);
  std::vector<std::vector<std::size_t>> sources;
  for (const char* sentence : sentences) sources.push_back(translator.translate(sentence)->source);
  const auto together = translate(translator.transformer(), translator.weights(), sources);
  ASSERT_TRUE(together.has_value());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto alone =
        (*translate(translator.transformer(), translator.weights(), {sources[i]}))[0];
    // In a batch the longest source says when to stop.
    const std::size_t count = std::min(alone.size(), (*together)[i].size());
    EXPECT_EQ(count, alone.size());
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ((*together)[i][k], alone[k]) << i << ' ' << k;
  }
}

TEST(Translator, CandidatesAreTheMostProbableTokens) {
  const Translator translator = small_translator(2);
  const auto made = translator.translate("ab cd.");
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(made->candidates.size(), made->target.size());
  double sum_of_logarithms = 0.0;
  for (std::size_t i = 0; i < made->target.size(); ++i) {
    const auto& list = made->candidates[i];
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list[0].token, made->target[i]) << "greedy takes the best";
    double sum = 0.0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      sum += list[k].probability;
      EXPECT_LE(list[k].probability, list[k > 0 ? k - 1 : 0].probability);
    }
    EXPECT_LE(sum, 1.0 + 1e-9);
    sum_of_logarithms += std::log(list[0].probability);
  }
  EXPECT_NEAR(made->log_probability, sum_of_logarithms, 1e-9);
}

TEST(Translator, GoesOnFromTokensThatWereChosen) {
  const Translator translator = small_translator(1);
  const std::vector<std::size_t> begin = {10, 6};
  for (const std::size_t beam : {1U, 4U}) {
    const auto made = translator.translate("ab cd.", beam, begin);
    ASSERT_TRUE(made.has_value());
    ASSERT_GE(made->target.size(), begin.size());
    EXPECT_TRUE(std::equal(begin.begin(), begin.end(), made->target.begin()));
    EXPECT_EQ(made->candidates.size(), made->target.size());
  }
}

TEST(Translator, TheTraceIsOfTheSameNumbers) {
  const Translator translator = small_translator(3);
  const auto made = translator.translate("ab cd.");
  const auto traces = translator.trace(*made);
  ASSERT_TRUE(traces.has_value());
  std::size_t attentions = 0;
  for (const model::Trace& trace : *traces) attentions += trace.name.ends_with("attention") ? 1 : 0;
  EXPECT_EQ(attentions, 2U + 2U * 2U);
  const tensor::Tensor& logits = traces->back()["logits"];
  for (std::size_t i = 0; i < std::min(made->target.size(), logits.dim(1)); ++i) {
    const float* row = logits.cell({0, i, 0});
    double sum = 0.0;
    for (std::size_t k = 0; k < logits.dim(2); ++k) sum += std::exp(static_cast<double>(row[k]));
    const double probability = std::exp(static_cast<double>(row[made->target[i]])) / sum;
    EXPECT_NEAR(probability, made->candidates[i][0].probability, 1e-5) << i;
  }
}

TEST(Translator, SentencesThatCannotBeTranslated) {
  const Translator translator = small_translator(1);
  for (const char* text : {"", "   ", "\n\t"}) {
    EXPECT_EQ(translator.translate(text).error().message,
              "The sentence is empty: give at least one word.");
  }
  std::string many;
  for (int i = 0; i < 129; ++i) many += "c ";
  EXPECT_EQ(translator.translate(many).error().message,
            "The sentence has 129 tokens; at most 128 are translated.");
  for (const char* text : {"!?", "😀😀😀", "привет", "\xFF\xFE", "漢字"})
    EXPECT_TRUE(translator.translate(text).has_value()) << text;
}

// --- The file ---

std::string reading_error(std::span<const std::byte> file) {
  const auto made = Translator::read(file);
  return made ? std::string() : made.error().message;
}

TEST(Translator, ReadsRoundedWeights) {
  const training::Learner learner(small_model(), training::Method::adam, 1);
  const auto bytes = training::write_rounded_weights(learner, small_metadata()).value();
  EXPECT_EQ(reading_error(bytes), "");
}

TEST(Translator, ATruncatedFileIsSaidWhereverItEnds) {
  const std::vector<std::byte> file = small_file(1);
  for (std::size_t length = 0; length < file.size(); length += 1 + length / 20)
    EXPECT_NE(reading_error(std::span(file).first(length)), "") << length;
  EXPECT_NE(reading_error(std::span(file).first(file.size() - 1)), "");
}

/// The file with one text in its header replaced by another that is as long.
std::vector<std::byte> changed(std::string_view from, std::string_view to) {
  std::vector<std::byte> file = small_file(1);
  EXPECT_EQ(from.size(), to.size());
  std::string text(file.size(), '\0');
  std::memcpy(text.data(), file.data(), file.size());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  std::memcpy(file.data() + at, to.data(), to.size());
  return file;
}

TEST(Translator, AChangedFileIsSaid) {
  EXPECT_EQ(reading_error(small_file(1)), "");
  EXPECT_EQ(reading_error(changed("\"pieces\"", "\"Pieces\"")),
            "The file of weights has no vocabulary.");
  EXPECT_EQ(reading_error(changed("\\n▁de", "-▁de.")),
            "The vocabulary has 15 tokens, but the weights are for 16.");
  EXPECT_EQ(reading_error(changed("\"embedding.weight\"", "\"embedding.Weight\"")),
            "embedding.weight is missing.");
  EXPECT_EQ(reading_error(changed("\"decoder_layers\":\"2\"", "\"decoder_layers\":\"0\"")),
            "The weights have no decoder.");
  EXPECT_EQ(reading_error(changed("\"decoder_layers\":\"2\"", "\"decoder_layers\":\"3\"")),
            "decoder.2.cross_attention.k_proj_bias is missing.");
  EXPECT_NE(reading_error(changed("\"num_heads\":\"2\"", "\"num_heads\":\"3\"")), "");
  EXPECT_NE(reading_error(changed("\"num_heads\":\"2\"", "\"num_heads\":\"0\"")), "");
  EXPECT_NE(reading_error(changed("\"embed_dim\"", "\"embed-dim\"")), "");
}

// Of the right form, with other numbers: it would translate, but wrongly.
TEST(Translator, AFileWithOtherNumbersIsSaid) {
  std::vector<std::byte> file = small_file(1);
  const std::string checksum = training::checksum_of(*files::read_safetensors(file));
  file.back() ^= std::byte{1};
  const std::string other = training::checksum_of(*files::read_safetensors(file));
  EXPECT_NE(checksum, other);
  EXPECT_EQ(
      reading_error(file),
      "The file of weights has been changed, or comes from another version: its checksum is " +
          other + " and should be " + checksum + ".");
  EXPECT_NE(reading_error(changed("\\ncd\\n", "\\ndc\\n")), "") << "another word";
}

TEST(Translator, AFileThatSaysNoChecksumMustBeOurs) {
  const std::vector<std::byte> bytes = small_file(1);  // which what is read points into
  const auto read = files::read_safetensors(bytes);
  std::vector<files::NamedTensor> tensors;
  for (const files::StoredTensor& each : read->tensors)
    tensors.push_back({each.name, files::to_float32(each).value()});
  files::Metadata metadata = read->metadata;
  std::erase_if(metadata, [](const auto& entry) { return entry.first == "checksum"; });
  const auto file = files::write_safetensors(tensors, metadata);
  EXPECT_NE(reading_error(*file).find("comes from another version"), std::string::npos);
}

TEST(Translator, AnotherFileIsSaid) {
  const auto bytes = files::write_safetensors(
      std::vector<files::NamedTensor>{{"query", tensor::Tensor({2, 2}, {1, 2, 3, 4})}});
  EXPECT_EQ(reading_error(*bytes), "The file of weights does not say its vocabulary.");
}

}  // namespace
}  // namespace translation
