#include <optional>
#include <utility>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/regex/reader.hpp"

namespace files::regex {
namespace {

using base::Result;
using unicode::CharacterSet;

/// How groups are read: what (?i) and (?m) have switched on.
struct Options {
  bool any_case = false;
  bool dot_takes_all = false;
};

class Parser {
 public:
  explicit Parser(std::u32string pattern) { from_.text = std::move(pattern); }

  Result<Syntax> parse() {
    Node whole;
    if (!choice(whole, Options(), 0) ||
        (!from_.at_end() && !from_.unknown(from_.place, from_.place + 1)))
      return base::fail(std::move(from_.problem));
    syntax_.whole = std::move(whole);
    return std::move(syntax_);
  }

 private:
  void add_set(CharacterSet set, bool negated, const Options& options, Node& to) {
    if (options.any_case) unicode::add_other_cases(set);
    if (negated) set.invert();
    set.tidy();
    Node made;
    made.kind = Node::Kind::character;
    made.set = syntax_.sets.size();
    syntax_.sets.push_back(std::move(set));
    to.parts.push_back(std::move(made));
  }
  void add_character(char32_t character, const Options& options, Node& to) {
    CharacterSet set;
    set.add(character, character);
    add_set(std::move(set), false, options, to);
  }
  static void add_place(Place place, Node& to) {
    Node made;
    made.kind = Node::Kind::place;
    made.place = place;
    to.parts.push_back(std::move(made));
  }

  /// a|b|c, up to a closing parenthesis or the end.
  bool choice(Node& to, Options options, int depth) {
    if (depth == deepest) return from_.above("deep", deepest);
    to.kind = Node::Kind::choice;
    do {
      Node sequence;
      while (!from_.at_end() && !from_.next_is(U"|") && !from_.next_is(U")")) {
        if (!item(sequence, options, depth)) return false;
      }
      to.parts.push_back(std::move(sequence));
    } while (from_.take(U"|"));
    return true;
  }

  /// A character, a class, a place or a group, with what says how often.
  bool item(Node& to, Options& options, int depth) {
    const std::size_t before = to.parts.size();
    const std::size_t begin = from_.place;
    if (from_.take(U"(")) {
      if (!group(to, options, depth)) return false;
    } else if (from_.take(U"[")) {
      CharacterSet set;
      bool negated = false;
      if (!read_class(from_, set, negated, depth)) return false;
      add_set(std::move(set), negated, options, to);
    } else if (from_.take(U"\\")) {
      if (!escape(to, options)) return false;
    } else if (from_.take(U"^")) {
      add_place(Place::line_begin, to);
    } else if (from_.take(U"$")) {
      add_place(Place::line_end, to);
    } else if (from_.take(U".")) {
      CharacterSet set;
      if (!options.dot_takes_all) set.add(U'\n', U'\n');
      set.invert();
      add_set(std::move(set), false, Options(), to);
    } else if (from_.next_is(U"*") || from_.next_is(U"+") || from_.next_is(U"?")) {
      return from_.unknown(begin, begin + 1);
    } else {
      add_character(from_.text[from_.place++], options, to);
    }
    return to.parts.size() == before || repeats(to);
  }

  /// What stands behind "(", up to and with ")". An option alone, (?i), adds nothing.
  bool group(Node& to, Options& options, int depth) {
    const std::size_t begin = from_.place - 1;
    Node made;
    Options inner = options;
    if (from_.take(U"?")) {
      if (from_.take(U"#")) {
        while (!from_.at_end() && !from_.next_is(U")")) ++from_.place;
        return from_.take(U")") || from_.incomplete(")");
      }
      if (from_.take(U"=") || from_.take(U"!") || from_.take(U"<=") || from_.take(U"<!")) {
        made.kind = Node::Kind::look;
        made.negated = from_.text[from_.place - 1] == U'!';
        made.behind = from_.text[from_.place - 2] == U'<';
      } else if (from_.take(U">")) {
        made.kind = Node::Kind::atomic;
      } else if (from_.take(U"<") || from_.take(U"P<")) {
        // A name: nothing refers to it, so that it is as any group.
        const std::size_t end = from_.text.find(U'>', from_.place);
        if (end == std::u32string::npos) return from_.incomplete(">");
        from_.place = end + 1;
      } else {
        bool on = true;
        while (!from_.at_end() && !from_.next_is(U":") && !from_.next_is(U")")) {
          const char32_t option = from_.text[from_.place++];
          if (option == U'-')
            on = false;
          else if (option == U'i')
            inner.any_case = on;
          else if (option == U'm')
            inner.dot_takes_all = on;
          else
            return from_.unknown(begin, from_.place);
        }
        if (from_.take(U")")) {
          options = inner;
          return true;
        }
        if (!from_.take(U":")) return from_.incomplete(")");
      }
    }
    Node inside;
    if (!choice(inside, inner, depth + 1)) return false;
    if (!from_.take(U")")) return from_.incomplete(")");
    if (made.kind == Node::Kind::sequence)
      made = std::move(inside);
    else
      made.parts.push_back(std::move(inside));
    to.parts.push_back(std::move(made));
    return true;
  }

  /// * + ? {n} {n,} {n,m} {,m} behind the last part, one after another.
  bool repeats(Node& to) {
    for (int count = 0;; ++count) {
      if (count == most_repeats) return from_.above("deep", most_repeats);
      Node made;
      made.kind = Node::Kind::repeat;
      bool is_interval = false;
      if (from_.take(U"*")) {
        made.most = Node::endless;
      } else if (from_.take(U"+")) {
        made.least = 1;
        made.most = Node::endless;
      } else if (from_.take(U"?")) {
        made.most = 1;
      } else if (from_.next_is(U"{")) {
        if (!interval(made, is_interval)) return false;
        if (!is_interval) return true;  // a brace like any character
      } else {
        return true;
      }
      // {n}? is "n times, or not at all", {n,m}+ "{n,m} once or more often".
      const bool is_fixed = is_interval && made.least == made.most;
      if (!is_fixed && from_.take(U"?")) made.lazy = true;
      made.parts.push_back(std::move(to.parts.back()));
      to.parts.back() = std::move(made);
      if (!is_interval && !to.parts.back().lazy && from_.take(U"+")) {
        Node atomic;
        atomic.kind = Node::Kind::atomic;
        atomic.parts.push_back(std::move(to.parts.back()));
        to.parts.back() = std::move(atomic);
      }
    }
  }

  static constexpr int most_repeats = 4;  // of one thing, one behind another: a{2}{3}

  /// A number of times, if one stands here; false where it is above what is read.
  bool times(std::optional<std::uint32_t>& to) {
    while (!from_.at_end() && from_.text[from_.place] >= U'0' && from_.text[from_.place] <= U'9') {
      to = to.value_or(0) * 10 + static_cast<std::uint32_t>(from_.text[from_.place++] - U'0');
      if (*to > most_times) return from_.above("times", most_times);
    }
    return true;
  }
  bool interval(Node& to, bool& is_interval) {
    const std::size_t begin = from_.place++;
    std::optional<std::uint32_t> least;
    std::optional<std::uint32_t> most;
    if (!times(least)) return false;
    const bool has_comma = from_.take(U",");
    if (has_comma && !times(most)) return false;
    if (!from_.take(U"}") || (!least && !most)) {
      from_.place = begin;
      return true;
    }
    is_interval = true;
    to.least = least.value_or(0);
    to.most = !has_comma ? to.least : most.value_or(Node::endless);
    return to.least <= to.most || from_.unknown(begin, from_.place);
  }

  /// What stands behind a backslash that is no class.
  bool escape(Node& to, const Options& options) {
    struct Sign {
      char32_t character;
      Place place;
    };
    constexpr Sign signs[] = {
        {U'b', Place::word_border},   {U'B', Place::inside_or_outside}, {U'A', Place::text_begin},
        {U'Z', Place::last_line_end}, {U'z', Place::text_end},
    };
    for (const Sign& each : signs) {
      if (from_.at_end() || from_.text[from_.place] != each.character) continue;
      ++from_.place;
      add_place(each.place, to);
      return true;
    }
    CharacterSet set;
    std::optional<char32_t> single;
    if (!read_escaped(from_, set, single)) return false;
    add_set(std::move(set), false, options, to);
    return true;
  }

  Reader from_;
  Syntax syntax_;
};

}  // namespace

Result<Syntax> parse(std::string_view pattern) {
  if (pattern.size() > longest_regex) {
    return base::fail(
        base::text("files.tokenizer.regex.long",
                   {{"regex", in_quotes(pattern, shown_of_regex)}, {"most", longest_regex}}));
  }
  return Parser(unicode::characters(pattern)).parse();
}

}  // namespace files::regex
