#include "files/tokenizers/tokenizer.hpp"

#include <utility>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/characters/unicode.hpp"

namespace files {
namespace {

using base::fail;

constexpr std::string_view space_sign = "▁";

/// What the characters of a token of bytes stand for.
std::string text_of_bytes(const std::string& token) {
  std::string text;
  for (const char32_t character : unicode::characters(token)) {
    const int byte = byte_of(character);
    if (byte < 0) return token;
    text += static_cast<char>(byte);
  }
  if (unicode::is_utf8(text)) return text;
  std::string bytes;
  for (const char byte : text) bytes += byte_token(static_cast<unsigned char>(byte));
  return bytes;
}

std::size_t size_of(const std::vector<Piece>& pieces) {
  std::size_t size = 0;
  for (const Piece& piece : pieces) size += piece.text.size();
  return size;
}

std::string word_of(const Token& token, bool is_of_bytes) {
  std::string text = is_of_bytes ? text_of_bytes(token.text) : token.text;
  std::string word;
  for (const char character : text) {
    if (character == ' ')
      word += space_sign;
    else
      word += character;
  }
  return word;
}

}  // namespace

base::Result<Encoding> Tokenizer::encode(std::string_view text) const {
  if (text.size() > max_tokenized_bytes)
    return fail(base::text("files.tokenizer.long_text", {{"most", max_tokenized_bytes}}));
  if (!unicode::is_utf8(text)) return fail(base::text("files.tokenizer.not_utf8"));
  std::vector<Token> tokens;
  bool is_first = true;
  const auto grows = [] {
    return fail(base::text("files.tokenizer.grows", {{"most", most_normalized}}));
  };
  const auto encode_pieces = [&](std::vector<Piece> pieces) -> base::Result<void> {
    for (const Split& split : splits) {
      auto made = split(std::move(pieces));
      if (!made) return fail(made.error());
      pieces = *std::move(made);
      if (size_of(pieces) > most_normalized) return grows();
    }
    for (const Piece& piece : pieces) {
      const bool has_tokens =
          std::visit([&](const auto& chosen) { return chosen.encode(piece.text, tokens); }, model);
      if (!has_tokens)
        return fail(base::text("files.tokenizer.no_unknown", {{"word", in_quotes(piece.text)}}));
    }
    return {};
  };
  const auto encode_section = [&](std::string section) -> base::Result<void> {
    const auto made = normalized(normalizers, std::move(section));
    if (!made) return fail(made.error());
    for (const Section& part : added.split(*made, true)) {
      const bool at_start = std::exchange(is_first, false);
      if (part.added != nullptr)
        tokens.push_back(part.added->token);
      else if (auto done = encode_pieces({{part.text, at_start}}); !done)
        return done;
    }
    return {};
  };
  for (Section& section : added.split(std::string(text), false)) {
    if (section.added != nullptr) {
      tokens.push_back(section.added->token);
      is_first = false;
    } else if (const auto done = encode_section(std::move(section.text)); !done) {
      return fail(done.error());
    }
  }
  tokens.insert(tokens.begin(), before.begin(), before.end());
  tokens.insert(tokens.end(), after.begin(), after.end());
  if (tokens.empty()) return fail(base::text("files.tokenizer.nothing"));
  Encoding encoding;
  for (const Token& token : tokens) {
    encoding.ids.push_back(token.id);
    encoding.words.push_back(word_of(token, is_of_bytes));
  }
  return encoding;
}

}  // namespace files
