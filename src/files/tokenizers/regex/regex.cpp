#include "files/tokenizers/regex/regex.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/characters/unicode.hpp"

namespace files {
namespace {

using regex::Instruction;
using regex::Place;
using regex::Program;

class Machine {
 public:
  Machine(const Program& program, std::u32string_view text)
      : program_(program),
        text_(text),
        tried_((program.branches * (text.size() + 1) + bits - 1) / bits) {}

  bool is_exhausted() const { return steps_ > Regex::most_steps; }

  /// Where a match that begins here ends.
  std::optional<std::size_t> match(std::size_t begin) {
    const auto end = run(0, begin, std::nullopt);
    forget(0);
    return end;
  }

 private:
  struct Way {
    std::uint32_t at = 0;
    std::size_t place = 0;
  };
  static constexpr std::size_t bits = 64;

  /// Runs from an instruction to its `done`, which counts only at `wanted_end` if that is given.
  std::optional<std::size_t> run(std::uint32_t at, std::size_t place,
                                 std::optional<std::size_t> wanted_end) {
    const std::size_t base = ways_.size();
    const std::size_t tried_before = log_.size();
    bool is_alive = true;
    while (++steps_ <= Regex::most_steps) {
      if (!is_alive) {
        if (ways_.size() == base) return std::nullopt;
        at = ways_.back().at;
        place = ways_.back().place;
        ways_.pop_back();
        is_alive = true;
      }
      const Instruction& now = program_.instructions[at];
      switch (now.does) {
        case Instruction::Does::take:
          is_alive = place < text_.size() && program_.sets[now.first].has(text_[place]);
          ++place;
          ++at;
          break;
        case Instruction::Does::at:
          is_alive = is_at(now.place, place);
          ++at;
          break;
        case Instruction::Does::jump:
          at = now.first;
          break;
        case Instruction::Does::fork:
          is_alive = is_new(now, place);
          if (is_alive) ways_.push_back({now.second, place});
          at = now.first;
          break;
        case Instruction::Does::ahead:
        case Instruction::Does::behind:
        case Instruction::Does::atomic: {
          is_alive = is_new(now, place);
          if (!is_alive) break;
          const auto end = now.does == Instruction::Does::behind ? end_behind(now, at + 1, place)
                                                                 : run(at + 1, place, std::nullopt);
          is_alive = end.has_value() != now.negated;
          if (end && now.does == Instruction::Does::atomic) place = *end;
          at = now.first;
          break;
        }
        case Instruction::Does::done:
          is_alive = !wanted_end || place == *wanted_end;
          if (!is_alive) break;
          ways_.resize(base);
          // What was tried on the way here has not failed.
          forget(tried_before);
          return place;
      }
    }
    ways_.resize(base);
    return std::nullopt;
  }

  std::optional<std::size_t> end_behind(const Instruction& look, std::uint32_t at,
                                        std::size_t place) {
    const std::size_t tried_before = log_.size();
    for (std::size_t length = look.second; length <= std::min<std::size_t>(look.third, place);
         ++length) {
      const auto end = run(at, place - length, place);
      // What failed to end there may end elsewhere.
      forget(tried_before);
      if (end) return end;
    }
    return std::nullopt;
  }

  /// False where this branch has been tried at this place, which then failed, or leads back here.
  bool is_new(const Instruction& branch, std::size_t place) {
    const std::size_t bit = branch.number * (text_.size() + 1) + place;
    std::uint64_t& word = tried_[bit / bits];
    const std::uint64_t wanted = std::uint64_t{1} << bit % bits;
    if ((word & wanted) != 0) return false;
    word |= wanted;
    log_.push_back(bit);
    return true;
  }
  void forget(std::size_t size) {
    for (; log_.size() > size; log_.pop_back())
      tried_[log_.back() / bits] &= ~(std::uint64_t{1} << log_.back() % bits);
  }

  bool is_word_at(std::size_t place) const {
    static const unicode::CharacterSet all = unicode::word_characters();
    return place < text_.size() && all.has(text_[place]);
  }
  bool is_at(Place wanted, std::size_t place) const {
    const bool is_end = place == text_.size();
    const bool is_border = is_word_at(place) != (place > 0 && is_word_at(place - 1));
    switch (wanted) {
      case Place::line_begin:
        return place == 0 || (!is_end && text_[place - 1] == U'\n');
      case Place::line_end:
        return is_end || text_[place] == U'\n';
      case Place::text_begin:
        return place == 0;
      case Place::text_end:
        return is_end;
      case Place::last_line_end:
        return is_end || (place + 1 == text_.size() && text_[place] == U'\n');
      case Place::word_border:
        return is_border;
      case Place::inside_or_outside:
        return !is_border;
    }
    return false;
  }

  const Program& program_;
  std::u32string_view text_;
  std::vector<Way> ways_;             ///< what is tried when the present one fails
  std::vector<std::uint64_t> tried_;  ///< a bit for each branch and place
  std::vector<std::size_t> log_;      ///< of the bits that are set
  std::size_t steps_ = 0;
};

}  // namespace

base::Result<Regex> Regex::read(std::string_view pattern) {
  auto syntax = regex::parse(pattern);
  if (!syntax) return base::fail(syntax.error());
  auto program = regex::translated(*std::move(syntax), pattern);
  if (!program) return base::fail(program.error());
  Regex made;
  made.pattern_ = pattern;
  made.program_ = *std::move(program);
  return made;
}

base::Result<std::vector<Part>> Regex::matches(std::u32string_view text) const {
  Machine machine(program_, text);
  std::vector<Part> found;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = machine.match(begin);
    if (machine.is_exhausted()) {
      return base::fail(base::text(
          "files.tokenizer.regex.steps",
          {{"regex", in_quotes(pattern_, regex::shown_of_regex)}, {"most", most_steps}}));
    }
    const bool is_empty_again = end == begin && !found.empty() && found.back().end == begin;
    if (end && !is_empty_again) found.push_back({begin, *end});
    begin = end && *end > begin ? *end : begin + 1;
  }
  return found;
}

}  // namespace files
