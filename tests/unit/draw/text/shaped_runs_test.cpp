#include "draw/text/shaped_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace draw {
namespace {

/// `text` with each private letter spelled out as [run].
std::string spelled(std::string_view text) {
  const std::string set = with_runs(text);
  std::string result;
  for (std::size_t at = 0; at < set.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(set[i]); };
    // The private letters U+E000 … U+F8FF are 0xEE 0x80 0x80 … 0xEF 0xA3 0xBF.
    const bool is_private = byte(at) == 0xEE || (byte(at) == 0xEF && byte(at + 1) < 0xA4);
    if (is_private) {
      const char32_t letter =
          (byte(at) & 0x0FU) << 12U | (byte(at + 1) & 0x3FU) << 6U | (byte(at + 2) & 0x3FU);
      result += "[" + std::string(run_of(letter)) + "]";
      at += 3;
    } else {
      result += set[at++];
    }
  }
  return result;
}

TEST(ShapedRuns, LeaveLettersThatStandAloneAsTheyAre) {
  for (const char* text :
       {"", "You are welcome.", "Größe, Жук, αβγ", "漢字 かな 한국어", "q · Kᵀ / √D → 0.5 …"})
    EXPECT_EQ(with_runs(text), text);
}

TEST(ShapedRuns, HoldWhatIsDrawnAsAWhole) {
  EXPECT_EQ(spelled("row 0 שלום!"), "row 0 [שלום]!");
  EXPECT_EQ(spelled("مرحبا"), "[مرحبا]");
  EXPECT_EQ(spelled("नमस्ते, head 1"), "[नमस्ते], head 1");
  EXPECT_EQ(spelled("สวัสดี"), "[สวัสดี]");
  EXPECT_EQ(spelled("cafe\u0301"), "caf[e\u0301]");
  EXPECT_EQ(spelled("a 👩\u200D🔬 b"), "a [👩\u200D🔬] b");
  EXPECT_EQ(spelled("❤\uFE0F"), "[❤\uFE0F]");
  EXPECT_EQ(spelled("👍🏽"), "[👍🏽]");
  EXPECT_EQ(spelled("नमस्ते 👍👍🏽 नमस्ते"),
            "[नमस्ते] [👍][👍🏽] [नमस्ते]");
  EXPECT_EQ(spelled("1\uFE0F\u20E3"), "[1\uFE0F\u20E3]");
}

TEST(ShapedRuns, HoldTheSpacesBetweenTheirWords) {
  EXPECT_EQ(spelled("नमस्ते दुनिया"), "[नमस्ते दुनिया]");
  EXPECT_EQ(spelled("a नमस्ते, दुनिया"), "a [नमस्ते], [दुनिया]");
}

TEST(ShapedRuns, StandInTheOrderOfTheScreen) {
  // From right to left, word by word.
  EXPECT_EQ(spelled("שלום עולם"), "[עולם] [שלום]");
  EXPECT_EQ(spelled(" שלום "), " [שלום] ");
  EXPECT_EQ(spelled("שלום, עולם!"), "[עולם!] [שלום,]");
  EXPECT_EQ(spelled("שלום 12.5 עולם"), "[עולם] 12.5 [שלום]");
  EXPECT_EQ(spelled("שלום 👍👍🏽 עולם"), "[עולם] [👍🏽][👍] [שלום]");
  // Words from left to right within them keep their order.
  EXPECT_EQ(spelled("שלום hello world! עולם"), "[עולם] !hello world [שלום]");
  // In a line from left to right, only what is between words from right to left goes with them.
  EXPECT_EQ(spelled("row 0 שלום, עולם!"), "row 0 [עולם] [שלום,]!");
  EXPECT_EQ(spelled("a שלום world עולם b"), "a [שלום] world [עולם] b");
  // Each line has a direction of its own.
  EXPECT_EQ(spelled("שלום עולם\nhello שלום"), "[עולם] [שלום]\nhello [שלום]");
}

TEST(ShapedRuns, ThePiecesAreTheWholeLine) {
  for (const std::string line : {"", "abc", "שלום hello world! עולם 12", "a e\u0301 👍 नमस्ते, xyz",
                                 " (שלום) ", "\xFF\xD7 שלום"}) {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    for (const Piece& piece : pieces_of(line))
      parts.emplace_back(piece.text.data() - line.data(), piece.text.size());
    std::sort(parts.begin(), parts.end());
    std::size_t end = 0;
    for (const auto& [begin, size] : parts) {
      EXPECT_EQ(begin, end) << line;
      EXPECT_GT(size, 0U) << line;
      end = begin + size;
    }
    EXPECT_EQ(end, line.size()) << line;
  }
}

TEST(ShapedRuns, GiveTheSameRunTheSameLetter) {
  EXPECT_EQ(with_runs("שלום"), with_runs("שלום"));
  EXPECT_NE(with_runs("שלום"), with_runs("עולם"));
}

TEST(ShapedRuns, AreBounded) {
  std::string longer;
  for (std::size_t i = 0; i < 3 * longest_run; ++i) longer += "ש";
  const std::string set = with_runs(longer);
  EXPECT_EQ(set.size(), 3U * 3U);  // three private letters
  std::string marks = "e";
  for (std::size_t i = 0; i < 10 * longest_run; ++i) marks += "\u0301";
  EXPECT_LE(character_end(marks), 1 + 2 * longest_run);
}

TEST(ShapedRuns, PassOnBrokenTextAndTakeNoPrivateLettersFromIt) {
  EXPECT_EQ(with_runs("a\xFF\xD7"), "a\xFF\xD7");
  EXPECT_EQ(with_runs("\uE000 \uF8FF"), "\uFFFD \uFFFD");
  EXPECT_EQ(run_of(U'a'), "");
  EXPECT_EQ(run_of(0xF8FF), "");
}

TEST(CharacterEnd, CountsAsAReaderDoes) {
  EXPECT_EQ(character_end(""), 0U);
  EXPECT_EQ(character_end("ab"), 1U);
  EXPECT_EQ(character_end("\xFF"
                          "a"),
            1U);
  EXPECT_EQ(character_end("ßa"), 2U);
  EXPECT_EQ(character_end("e\u0301a"), 3U);
  EXPECT_EQ(character_end("👩\u200D🔬!"), std::string("👩\u200D🔬").size());
  EXPECT_EQ(character_end("🇩🇪🇫🇷"), std::string("🇩🇪").size());
}

}  // namespace
}  // namespace draw
