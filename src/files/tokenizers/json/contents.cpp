#include "files/tokenizers/json/contents.hpp"

#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "base/json/json_reader.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/described.hpp"

namespace files {
namespace {

using base::Json;
using base::JsonReader;
using base::Result;

/// A value that is built: a member, or an entry of a list that may be long.
constexpr std::size_t longest_value = std::size_t{1} << 22U;
constexpr int deepest = 64;

/// Reads the file from front to back. Each function is false where `error_` has been set, or where
/// something is not as it should be, of which `wrong_` is the name.
class ContentsReader {
 public:
  explicit ContentsReader(std::string_view json) : json_(json), reader_(json) {}

  Result<Contents> read() {
    const auto read_member = [this](const std::string& name) {
      if (name == "added_tokens") return named(name, read_added_tokens());
      if (name != "model") return member(name, contents_.whole);
      contents_.has_model = true;
      return read_model();
    };
    if (members(read_member) && reader_.at_end()) return std::move(contents_);
    if (error_) return base::fail(*std::move(error_));
    return not_as_it_should_be(wrong_);
  }

 private:
  /// Sets the error, of which the first counts.
  bool stop(tl::unexpected<base::Error> error) {
    if (!error_) error_ = std::move(error.value());
    return false;
  }
  bool done(Result<void> result) {
    return result.has_value() || stop(base::fail(std::move(result.error())));
  }

  /// An object, of which `take` reads the value of each member.
  template <typename Take>
  bool members(Take take) {
    if (!reader_.take('{')) return false;
    if (reader_.take('}')) return true;
    do {
      std::string name;
      if (!reader_.read_text(name) || !reader_.take(':') || !take(name)) return false;
    } while (reader_.take(','));
    return reader_.take('}');
  }
  /// A list, of which `take` reads each entry.
  template <typename Take>
  bool entries(Take take) {
    if (!reader_.take('[')) return false;
    if (reader_.take(']')) return true;
    do {
      if (!take()) return false;
    } while (reader_.take(','));
    return reader_.take(']');
  }

  bool read_model() {
    return members([this](const std::string& name) {
      if (name == "vocab") return named(name, reader_.at_value() && read_vocabulary());
      if (name == "merges") return named(name, read_merges());
      return member(name, contents_.model);
    });
  }

  bool named(const std::string& name, bool is_read) {
    if (!is_read) wrong_ = name;
    return is_read;
  }

  bool read_vocabulary() {
    const bool is_list = json_.substr(reader_.place()).starts_with('[');
    if (!is_list) return done(read_vocabulary_object(reader_, "vocab", contents_.vocabulary));
    return entries([this] {
      std::string token;
      if (contents_.scored.size() == max_tokens) return stop(too_many("vocab", max_tokens));
      if (!reader_.take('[') || !reader_.read_text(token) || !reader_.take(',')) return false;
      if (token.size() > longest_token) return stop(too_long(token, longest_token));
      const std::optional<double> score = base::read_decimal(reader_.read_number());
      if (!score || !std::isfinite(*score) || !reader_.take(']')) return false;
      contents_.scored.emplace_back(std::move(token), *score);
      return true;
    });
  }

  /// "a b", or since 2024 ["a","b"], whose tokens may have spaces.
  bool read_merges() {
    return entries([this] {
      MergedPair pair;
      if (contents_.merges.size() == max_tokens) return stop(too_many("merges", max_tokens));
      if (reader_.take('[')) {
        if (!reader_.read_text(pair.first) || !reader_.take(',') ||
            !reader_.read_text(pair.second) || !reader_.take(']'))
          return false;
      } else {
        std::string line;
        if (!reader_.read_text(line)) return false;
        auto parted = merged_pair(line);
        if (!parted) return stop(base::fail(parted.error()));
        pair = *std::move(parted);
      }
      contents_.merges.push_back(std::move(pair));
      return true;
    });
  }

  bool read_added_tokens() {
    if (reader_.take_word("null")) return true;
    return entries([this] {
      Json described;
      if (contents_.added.size() == max_tokens) return stop(too_many("added_tokens", max_tokens));
      if (!value("added_tokens", described)) return false;
      AddedToken made = added_token_of(described);
      const auto id = id_in(member_of(described, "id"));
      if (!id || made.token.text.empty()) return false;
      if (made.token.text.size() > longest_token)
        return stop(too_long(made.token.text, longest_token));
      made.token.id = *id;
      contents_.added.push_back(std::move(made));
      return true;
    });
  }

  bool member(const std::string& name, Json& to) {
    Json made;
    if (!value(name, made)) return false;
    to.add(name, std::move(made));
    return true;
  }

  /// Any value, built; `name` is for the sentence.
  bool value(const std::string& name, Json& to) {
    reader_.at_value();  // no space before it
    const std::size_t begin = reader_.place();
    if (!skip_value(name, 0)) return false;
    const std::size_t length = reader_.place() - begin;
    if (length > longest_value) return stop(too_long(name, longest_value));
    to = Json::parse(json_.substr(begin, length));
    return named(name, to.is_valid());
  }

  bool skip_value(const std::string& name, int depth) {
    if (depth == deepest) {
      return stop(base::fail(
          base::text("files.tokenizer.deep", {{"name", in_quotes(name)}, {"most", deepest}})));
    }
    std::string text;
    if (reader_.at_text()) return reader_.read_text(text);
    const auto skip_next = [&] { return skip_value(name, depth + 1); };
    const std::string_view rest = json_.substr(reader_.place());
    if (rest.starts_with('[')) return entries(skip_next);
    if (rest.starts_with('{')) return members([&](const std::string&) { return skip_next(); });
    for (const char* word : {"null", "true", "false"}) {
      if (reader_.take_word(word)) return true;
    }
    return !reader_.read_number().empty();
  }

  std::string_view json_;
  JsonReader reader_;
  Contents contents_;
  std::string wrong_ = "tokenizer.json";
  std::optional<base::Error> error_;
};

}  // namespace

Result<Contents> read_contents(std::string_view json) { return ContentsReader(json).read(); }

const Json& member_of(const Json& whole, std::string_view name) {
  static const Json none;
  const Json* found = whole.find(name);
  return found == nullptr ? none : *found;
}

std::optional<std::uint32_t> id_in(const Json& value) {
  if (!value.is_whole() || value.number() > std::numeric_limits<std::uint32_t>::max())
    return std::nullopt;
  return static_cast<std::uint32_t>(value.number());
}

}  // namespace files
