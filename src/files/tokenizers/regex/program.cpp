#include "files/tokenizers/regex/program.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "files/quote.hpp"

namespace files::regex {
namespace {

using Does = Instruction::Does;

/// How many characters something matches; the longest may be Node::endless.
struct Length {
  std::uint64_t shortest = 0;
  std::uint64_t longest = 0;
};

std::uint64_t bounded(std::uint64_t length) {
  return std::min<std::uint64_t>(length, Node::endless);
}

Length length_of(const Node& node) {
  Length length;
  switch (node.kind) {
    case Node::Kind::character:
      return {1, 1};
    case Node::Kind::place:
    case Node::Kind::look:
      return {0, 0};
    case Node::Kind::sequence:
    case Node::Kind::atomic:
      for (const Node& part : node.parts) {
        const Length own = length_of(part);
        length = {bounded(length.shortest + own.shortest), bounded(length.longest + own.longest)};
      }
      return length;
    case Node::Kind::choice:
      length.shortest = Node::endless;
      for (const Node& part : node.parts) {
        const Length own = length_of(part);
        length = {std::min(length.shortest, own.shortest), std::max(length.longest, own.longest)};
      }
      return length;
    case Node::Kind::repeat:
      break;
  }
  const Length own = length_of(node.parts.front());
  return {bounded(own.shortest * node.least), bounded(own.longest * node.most)};
}

class Translator {
 public:
  explicit Translator(Program& to) : to_(to) {}

  /// False once there are too many instructions.
  bool add(const Node& node) {
    // What is empty costs time, too, where it is repeated.
    if (++nodes_ > most_instructions || to_.instructions.size() > most_instructions) return false;
    switch (node.kind) {
      case Node::Kind::character:
        append(Does::take).first = static_cast<std::uint32_t>(node.set);
        return true;
      case Node::Kind::place:
        append(Does::at).place = node.place;
        return true;
      case Node::Kind::sequence:
        return std::all_of(node.parts.begin(), node.parts.end(),
                           [this](const Node& part) { return add(part); });
      case Node::Kind::choice:
        return add_choice(node);
      case Node::Kind::repeat:
        return add_repeat(node);
      case Node::Kind::look:
      case Node::Kind::atomic:
        break;
    }
    return add_inner(node);
  }

  bool has_endless_behind() const { return has_endless_behind_; }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(to_.instructions.size()); }
  Instruction& append(Does does) {
    Instruction& made = to_.instructions.emplace_back();
    made.does = does;
    if (does != Does::take && does != Does::at && does != Does::jump && does != Does::done)
      made.number = static_cast<std::uint32_t>(to_.branches++);
    return made;
  }

  /// Goes on behind itself, or else, or where it is lazy first, at a place that is yet to be said.
  std::uint32_t append_fork(bool lazy) {
    const std::uint32_t at = next();
    Instruction& fork = append(Does::fork);
    (lazy ? fork.second : fork.first) = at + 1;
    return at;
  }
  void close(std::uint32_t fork, bool lazy, std::uint32_t to) {
    Instruction& made = to_.instructions[fork];
    (lazy ? made.first : made.second) = to;
  }

  bool add_choice(const Node& node) {
    std::vector<std::uint32_t> jumps;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool is_last = i + 1 == node.parts.size();
      const std::uint32_t fork = is_last ? 0 : append_fork(false);
      if (!add(node.parts[i])) return false;
      if (is_last) break;
      jumps.push_back(next());
      append(Does::jump);
      close(fork, false, next());
    }
    for (const std::uint32_t jump : jumps) to_.instructions[jump].first = next();
    return true;
  }

  bool add_repeat(const Node& node) {
    const Node& part = node.parts.front();
    const bool is_endless = node.most == Node::endless;
    // The last of those that must be is the one that is repeated.
    std::uint32_t last = next();
    for (std::uint32_t i = 0; i < node.least; ++i) {
      last = next();
      if (!add(part)) return false;
    }
    if (is_endless && node.least > 0) {
      const std::uint32_t at = next();
      Instruction& fork = append(Does::fork);
      fork.first = node.lazy ? at + 1 : last;
      fork.second = node.lazy ? last : at + 1;
      return true;
    }
    std::vector<std::uint32_t> forks;
    const std::uint32_t more = is_endless ? 1 : node.most - node.least;
    for (std::uint32_t i = 0; i < more; ++i) {
      forks.push_back(append_fork(node.lazy));
      if (!add(part)) return false;
    }
    if (is_endless) append(Does::jump).first = forks.front();
    for (const std::uint32_t fork : forks) close(fork, node.lazy, next());
    return true;
  }

  bool add_inner(const Node& node) {
    const std::uint32_t at = next();
    const bool is_look = node.kind == Node::Kind::look;
    Instruction& made = append(!is_look ? Does::atomic : node.behind ? Does::behind : Does::ahead);
    made.negated = node.negated;
    if (is_look && node.behind) {
      const Length length = length_of(node.parts.front());
      has_endless_behind_ |= length.longest == Node::endless;
      made.second = static_cast<std::uint32_t>(length.shortest);
      made.third = static_cast<std::uint32_t>(length.longest);
    }
    if (!add(node.parts.front())) return false;
    append(Does::done);
    to_.instructions[at].first = next();
    return true;
  }

  Program& to_;
  std::size_t nodes_ = 0;
  bool has_endless_behind_ = false;
};

}  // namespace

base::Result<Program> translated(Syntax syntax, std::string_view pattern) {
  Program made;
  made.sets = std::move(syntax.sets);
  Translator translator(made);
  const std::string shown = in_quotes(pattern, shown_of_regex);
  if (!translator.add(syntax.whole)) {
    return base::fail(
        base::text("files.tokenizer.regex.large", {{"regex", shown}, {"most", most_instructions}}));
  }
  if (translator.has_endless_behind()) {
    return base::fail(
        base::text("files.tokenizer.regex.unknown", {{"regex", shown}, {"part", "\"(?<=…*)\""}}));
  }
  made.instructions.emplace_back();
  return made;
}

}  // namespace files::regex
