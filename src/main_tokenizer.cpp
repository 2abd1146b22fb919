// Tokenizers by themselves, as a WebAssembly module of a few plain functions: what
// web/program/own_layer/tokenizer.mjs calls when a reader opens one. The program of the page is
// smaller without them.
//
// In order: for each file tokenizer_room, its name and its content to where that points, and
// tokenizer_add; tokenizer_read; then for each text tokenizer_room, the text, and tokenizer_encode.
#include <cstddef>
#include <string>
#include <string_view>

#include "base/json/json.hpp"
#include "base/text.hpp"
#include "files/tokenizers/tokenizer_files.hpp"

#define EXPORTED(name) extern "C" __attribute__((used, export_name(#name)))

namespace {

struct Running {
  files::TokenizerFiles files;
  std::string given;
  std::string answer;  ///< JSON, or a sentence
};

Running& running() {
  static Running made;
  return made;
}

}  // namespace

/// Where `length` bytes belong. Null for more than is ever read.
EXPORTED(tokenizer_room)
char* tokenizer_room(std::size_t length) {
  std::string& given = running().given;
  given = {};
  if (length > files::max_tokenizer_bytes + files::max_tokenized_bytes) return nullptr;
  given.resize(length);
  return given.data();
}

/// What tokenizer_read and tokenizer_encode left to be read, and its length.
EXPORTED(tokenizer_answer)
const char* tokenizer_answer() { return running().answer.data(); }
EXPORTED(tokenizer_answer_length)
std::size_t tokenizer_answer_length() { return running().answer.size(); }

/// Texts in another language are there, as base::use_language takes them.
EXPORTED(tokenizer_language)
void tokenizer_language() { static_cast<void>(base::use_language(running().given)); }

/// A file's name of so many bytes is there, and behind it its content.
EXPORTED(tokenizer_add)
void tokenizer_add(std::size_t name_length) {
  Running& all = running();
  const std::string_view given = all.given;
  all.files.add(std::string(given.substr(0, name_length)), given.substr(name_length));
  all.given = {};
}

/// Reads the files. The answer is what is wrong with them, or which is missing, or nothing.
EXPORTED(tokenizer_read)
void tokenizer_read() {
  const auto done = running().files.read();
  running().answer = done ? std::string() : done.error().message;
}

/// A text is there. The answer is {ids, words}, or {error}.
EXPORTED(tokenizer_encode)
void tokenizer_encode() {
  Running& all = running();
  const files::Tokenizer* tokenizer = all.files.tokenizer();
  base::Json answer = base::Json::object();
  if (tokenizer == nullptr) {
    answer.add("error", "No tokenizer has been read.");
  } else if (const auto encoding = tokenizer->encode(all.given); !encoding) {
    answer.add("error", encoding.error().message);
  } else {
    answer.add("ids", encoding->ids);
    answer.add("words", encoding->words);
  }
  all.answer = answer.dump();
  all.given = {};
}
