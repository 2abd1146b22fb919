// Its rules are those of Oniguruma.
#include "files/tokenizers/regex/regex.hpp"

#include <string>

#include <gtest/gtest.h>

#include "files/tokenizers/characters/unicode.hpp"

namespace files {
namespace {

/// What it matches, in brackets, in the text.
std::string marked(std::string_view pattern, std::string_view text) {
  const auto regex = Regex::read(pattern);
  if (!regex) return regex.error().message;
  const std::u32string characters = unicode::characters(text);
  const auto found = regex->matches(characters);
  if (!found) return found.error().message;
  std::u32string all;
  std::size_t end = 0;
  for (const Part& part : *found) {
    all += characters.substr(end, part.begin - end) + U'[' +
           characters.substr(part.begin, part.end - part.begin) + U']';
    end = part.end;
  }
  return unicode::bytes(all + characters.substr(end));
}

struct Case {
  const char* pattern;
  const char* text;
  const char* marked;
};

class RegexOf : public testing::TestWithParam<Case> {};

TEST_P(RegexOf, Matches) {
  const Case& given = GetParam();
  EXPECT_EQ(marked(given.pattern, given.text), given.marked) << given.pattern;
}

INSTANTIATE_TEST_SUITE_P(
    Constructs, RegexOf,
    testing::Values(
        // alternatives: the first that leads on counts, not the longest
        Case{"a|ab|abc", "abc", "[a]bc"}, Case{"(?:a|ab)c", "abc", "[abc]"},
        Case{"x(a|b|)y", "xyxayxc", "[xy][xay]xc"}, Case{"(?<n>a)(?P<m>b)", "ab", "[ab]"},
        Case{"(?#that is a letter)a", "ba", "b[a]"},
        // how often
        Case{"a*", "baac", "[]b[aa]c[]"}, Case{"a+?", "aaa", "[a][a][a]"},
        Case{"a??b", "aab", "a[ab]"}, Case{"a{2}", "aaaaa", "[aa][aa]a"},
        Case{"a{2,3}", "aaaaa", "[aaa][aa]"}, Case{"a{2,3}?", "aaaaa", "[aa][aa]a"},
        Case{"a{,2}b", "aaab", "a[aab]"}, Case{"a{2,}b", "ab aab", "ab [aab]"},
        Case{"a{", "a{b", "[a{]b"}, Case{"a{x}", "a{x}", "[a{x}]"}, Case{"{1", "{1", "[{1]"},
        Case{"a{0}b", "ab", "a[b]"}, Case{"(?:ab?)+", "abaab", "[abaab]"},
        Case{"(?:a?)*b", "aab", "[aab]"}, Case{"(?:a*)+b", "aab", "[aab]"},
        Case{"(?:|a)+b", "aab", "[aab]"},
        // possessive, and what Oniguruma takes for something else
        Case{"a++a", "aaa", "aaa"}, Case{"a?+a", "a", "a"}, Case{"a*+b", "aab", "[aab]"},
        Case{"(?>a|ab)c", "abc", "abc"}, Case{"a{1,2}+a", "aaa", "[aaa]"},
        Case{"(?:a{2}?)b", "aab b", "[aab] [b]"},
        // classes
        Case{"[^a-c]", "abd", "ab[d]"}, Case{"[]a]+", "a]b", "[a]]b"},
        Case{"[a-]+", "a-b", "[a-]b"}, Case{"[\\]\\-x]+", "x]-y", "[x]-]y"},
        Case{"[a-z&&[^aeiou]]+", "abcde", "a[bcd]e"}, Case{"[^a-z&&[^aeiou]]+", "abe", "[a]b[e]"},
        Case{"[(\\s|[.,])]+", "a (.|", "a[ (.|]"}, Case{"[[:alpha:][:digit:]]+", "aé9_", "[aé9]_"},
        Case{"[[:^space:]]+", "a b", "[a] [b]"}, Case{"[[:punct:]]+", "a$-é", "a[$-]é"},
        Case{"[\\x41\\x{1F642}\\u00e9]+", "A🙂éa", "[A🙂é]a"},
        Case{"[一-龥぀-ゟ゠-ヿ]+", "a猫カタa", "a[猫カタ]a"},
        Case{"\\p{Lu}\\p{Ll}+", "aÉté", "a[Été]"}, Case{"\\P{L}+", "a12b", "a[12]b"},
        Case{"\\p{^L}+", "a12b", "a[12]b"}, Case{"\\pL+", "1ab", "1[ab]"},
        Case{"\\p{Han}+", "a漢字か", "a[漢字]か"}, Case{"\\p{Script=Hiragana}", "かカ", "[か]カ"},
        Case{"\\p{Lowercase_Letter}", "aB", "[a]B"},
        Case{"[\\p{L}\\p{M}]+", "e\u0301 x", "[e\u0301] [x]"}, Case{"\\d+", "a1٣²", "a[1٣]²"},
        Case{"\\D", "1a", "1[a]"}, Case{"\\s+", "a \u00A0\u3000b", "a[ \u00A0\u3000]b"},
        Case{"\\w+", "aⅫ_é\u0301²", "[aⅫ_é\u0301]²"}, Case{"\\W", "a²", "a[²]"},
        Case{"\\w+", "a\u200Cb", "[a]\u200C[b]"}, Case{"\\h+", "xAf9g", "x[Af9]g"},
        // any character but a line break
        Case{".+", "a\nb", "[a]\n[b]"}, Case{"(?m:.+)", "a\nb", "[a\nb]"},
        // case
        Case{"(?i:'s|'ll)", "'S'Ll's", "['S]['Ll]['s]"}, Case{"(?i:'s)", "'\u017F", "['\u017F]"},
        Case{"(?i)k|é", "\u212AÉ", "[\u212A][É]"}, Case{"a(?i)b|c", "aBC", "[aB][C]"},
        Case{"(?i:a)b", "Ab AB", "[Ab] AB"}, Case{"(?i:[^a])", "Ab", "A[b]"},
        Case{"(?i:[a-c]+)", "aBCd", "[aBC]d"}, Case{"(?i:σ)+", "σςΣ", "[σςΣ]"},
        Case{"(?i-i:a)", "aA", "[a]A"},
        // places
        Case{"^a", "a\na ba", "[a]\n[a] ba"}, Case{"a$", "a\na\nab", "[a]\n[a]\nab"},
        Case{"\\Aa|b\\z", "aab", "[a]a[b]"}, Case{"a\\Z", "a\n", "[a]\n"},
        Case{"a\\Z", "a\n\n", "a\n\n"}, Case{"\\ba", "a ba", "[a] ba"},
        Case{"a\\B", "ab a", "[a]b a"},
        // looking ahead and behind
        Case{"\\s+(?!\\S)|\\s+", "a   b ", "a[  ][ ]b[ ]"}, Case{"a(?=b)", "abac", "[a]bac"},
        Case{"(?<=a)b", "abcb", "a[b]cb"}, Case{"(?<!a)b", "abcb", "abc[b]"},
        Case{"(?<=ab|c)x", "abx cx bx", "ab[x] c[x] bx"}, Case{"(?<=a{1,2})b", "aab", "aa[b]"},
        Case{"(?=(?:ab)*c)a", "ababc", "[a]b[a]bc"}, Case{"(?!(?!a))a", "a", "[a]"},
        Case{"(?=(?:a?b?)*c)[ab]", "abc", "[a][b]c"}));

TEST(Regex, MatchesNothingInAnEmptyText) {
  EXPECT_EQ(marked("a", ""), "");
  EXPECT_EQ(marked("a*", ""), "[]");
}

TEST(Regex, NamesWhatItDoesNotKnow) {
  const auto unknown = [](const std::string& pattern, const std::string& part) {
    EXPECT_EQ(marked(pattern, "a"), "The regular expression \"" + pattern + "\" has \"" + part +
                                        "\", which is not known here.");
  };
  unknown("(?s:a)", "(?s");
  unknown("(?(1)a)", "(?(");
  unknown("*a", "*");
  unknown("a|+b", "+");
  unknown("a)b", ")");
  unknown("[z-a]", "z-a");
  unknown("a{3,2}", "{3,2}");
  EXPECT_EQ(marked("(a)\\1", ""),
            R"(The regular expression "(a)\\1" has "\\1", which is not known here.)");
  EXPECT_EQ(
      marked("\\p{Klingon}", ""),
      R"(The regular expression "\\p{Klingon}" has "\\p{Klingon}", which is not known here.)");
  EXPECT_EQ(marked("(?<=a*)b", ""),
            R"x(The regular expression "(?<=a*)b" has "(?<=…*)", which is not known here.)x");
  for (const char* pattern : {"\\K", "\\X", "\\R", "\\G", "\\k<n>", "\\xZ", "\\x{110000}"})
    EXPECT_TRUE(marked(pattern, "").ends_with("which is not known here.")) << marked(pattern, "");
}

TEST(Regex, NamesWhatIsMissing) {
  EXPECT_EQ(marked("(a", ""), "The regular expression \"(a\" lacks \")\".");
  EXPECT_EQ(marked("[a", ""), "The regular expression \"[a\" lacks \"]\".");
  EXPECT_EQ(marked("a\\", ""), R"(The regular expression "a\\" lacks "\\".)");
  for (const char* pattern : {"(?", "(?<n", "(?#", "[a-", "[[a]", "\\p{L", "(?i", "(?=a"})
    EXPECT_NE(marked(pattern, "").find("lacks"), std::string::npos) << marked(pattern, "");
}

TEST(Regex, IsBounded) {
  EXPECT_NE(marked(std::string(9000, 'a'), "").find("longer than 8192 bytes"), std::string::npos);
  EXPECT_NE(
      marked(std::string(40, '(') + 'a' + std::string(40, ')'), "").find("more than 32 groups"),
      std::string::npos);
  EXPECT_NE(
      marked(std::string(40, '[') + 'a' + std::string(40, ']'), "").find("more than 32 groups"),
      std::string::npos);
  EXPECT_NE(marked("a****** ", "").find("more than 4 groups"), std::string::npos);
  EXPECT_NE(marked("a{1001}", "").find("more than 1000 times"), std::string::npos);
  EXPECT_NE(marked("a{99999999999999999999}", "").find("more than 1000 times"), std::string::npos);
  EXPECT_NE(marked("(?:(?:a{100}){100}){100}", "").find("more than 8192 parts"), std::string::npos);
  EXPECT_NE(marked("(?:(?:(?:){1000}){1000}){1000}", "").find("more than 8192 parts"),
            std::string::npos);
}

TEST(Regex, TakesStepsThatGrowWithTheText) {
  // Each of these has more ways through the text than there are atoms.
  const std::string text(3000, 'a');
  for (const char* pattern : {"(?:a+)+b", "(?:a|a)*b", "(?:a|aa)+$b", "(?:a?){30}a{30}b",
                              "(?:(?:a*)*)*b", "(?=(?:a+)+b)a", "(?:(?:a{0,9}){0,9}){0,9}b"}) {
    const std::string found = marked(pattern, text);
    EXPECT_TRUE(found == text || found.find("more than 16777216 steps") != std::string::npos)
        << pattern;
  }
  EXPECT_EQ(marked("(?:a+)+b", std::string(300, 'a') + 'b'), '[' + std::string(300, 'a') + "b]");
}

}  // namespace
}  // namespace files
