#include "stage/wording/caption_words.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"

namespace stage {

namespace {

struct Word {
  std::string_view tensor;
  std::string_view key;
};

constexpr std::array words{
    Word{"query_input", "stage.word.input"},
    Word{"q", "stage.word.queries"},
    Word{"k", "stage.word.keys"},
    Word{"v", "stage.word.values"},
    Word{"q_heads", "stage.word.queries"},
    Word{"k_heads", "stage.word.keys"},
    Word{"v_heads", "stage.word.values"},
    Word{"scores", "stage.word.scores"},
    Word{"scaled_scores", "stage.word.scaled"},
    Word{"masked_scores", "stage.word.masked"},
    Word{"attention_weights", "stage.word.weights"},
    Word{"head_outputs", "stage.word.sums"},
    Word{"output", "stage.word.output"},
};

std::string word_for(std::string_view tensor) {
  for (const Word& word : words) {
    if (word.tensor == tensor) return std::string(base::text(word.key));
  }
  std::string name(tensor);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

void put_captions_in_words(Stage& stage) {
  for (Group& group : stage.groups) {
    const std::string_view name = model::name_of(group.tensor);
    const std::size_t at = group.title.find(name);
    if (at != std::string::npos) group.title.replace(at, name.size(), word_for(name));
    if (group.shape.starts_with('[')) group.shape.clear();  // else it is "transposed"
  }
}

}  // namespace stage
