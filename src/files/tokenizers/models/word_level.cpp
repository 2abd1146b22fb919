#include "files/tokenizers/models/word_level.hpp"

#include <string>

namespace files {

bool WordLevel::encode(std::string_view word, std::vector<Token>& to) const {
  if (const auto id = id_of(vocabulary, word))
    to.push_back({*id, std::string(word)});
  else if (unknown)
    to.push_back(*unknown);
  else
    return false;
  return true;
}

}  // namespace files
