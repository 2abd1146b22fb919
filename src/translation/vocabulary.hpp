// A vocabulary of words and parts of words, and text as its tokens: byte-pair encoding (Sennrich et
// al., 2016, "Neural Machine Translation of Rare Words with Subword Units").
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace translation {

/// Tokens are numbers from 0: their places in this list.
class Vocabulary {
 public:
  // The first four are no text.
  static constexpr std::size_t padding = 0;
  static constexpr std::size_t begin = 1;    ///< what the decoder reads first
  static constexpr std::size_t end = 2;      ///< of a sentence
  static constexpr std::size_t unknown = 3;  ///< a character that is in no piece

  Vocabulary() = default;
  /// `pieces` in the order in which they were learned, the four that are no text not among them.
  /// One that begins a word has a "▁" in front.
  explicit Vocabulary(const std::vector<std::string>& pieces);

  std::size_t size() const { return pieces_.size(); }
  /// "▁great"; "<s>" and its like for those that are no text.
  const std::string& piece(std::size_t token) const { return pieces_[token]; }
  const std::vector<std::string>& pieces() const { return pieces_; }

  /// The tokens of a text in UTF-8, without begin and end. Pieces are put together from characters:
  /// always the two neighbours whose joint piece was learned first.
  std::vector<std::size_t> tokens_of(std::string_view text) const;
  /// The text of tokens; those that are no text are left out.
  std::string text_of(const std::vector<std::size_t>& tokens) const;

 private:
  void add_tokens_of_word(const std::string& word, std::vector<std::size_t>& tokens) const;

  std::vector<std::string> pieces_;
  std::map<std::string, std::size_t> places_;
};

/// What stands for the space in front of a word.
inline constexpr std::string_view word_mark = "▁";

/// The words of a text, each with a word_mark if a space was in front of it (or nothing): letters
/// and digits together, every other character by itself.
std::vector<std::string> words_of(std::string_view text);
/// The characters of a text in UTF-8; a byte that is not UTF-8 is one by itself.
std::vector<std::string> characters_of(std::string_view text);

/// Learns at most `size` pieces from sentences, the four that are no text counted: all characters
/// that occur at least `least` times (the most frequent, if there are more), then again and again
/// the most frequent pair of neighbours.
std::vector<std::string> learn_pieces(const std::vector<std::string>& sentences, std::size_t size,
                                      std::size_t least = 5);

}  // namespace translation
