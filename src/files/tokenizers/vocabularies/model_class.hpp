// How the models that have vocab.txt, or vocab.json with merges.txt, make tokens of a text: what
// Hugging Face's Transformers knows of each class of tokenizers, since its files do not say it.
#pragma once

#include <string_view>

#include "files/tokenizers/vocabularies/config.hpp"

namespace files {

/// What a text passes through before the model's words.
enum class Form : unsigned char {
  bert,     ///< WordPiece of vocab.txt
  gpt2,     ///< byte-pair encoding of bytes
  qwen2,    ///< the same of composed characters, split as Qwen 2 does
  clip,     ///< the same of small letters; a word's last symbol ends in </w>
  gpt1,     ///< of characters, as BERT splits them, in small letters; </w>
  herbert,  ///< the same with capitals
};

/// What stands around every text.
enum class Around : unsigned char {
  nothing,
  if_asked,  ///< add_bos_token, add_eos_token
  cls_sep,
  bos_eos,
  eos,
  whisper  ///< <|startoftranscript|><|notimestamps|> … and the last one
};

struct ModelClass {
  std::string_view names;  ///< of classes, without "Tokenizer" and "Fast", a comma around each
  Form form = Form::bert;
  Around around = Around::nothing;
  std::string_view roles[role_count];  ///< where no file says another; empty: none
};

/// By the name of a class, such as "CLIPTokenizerFast"; null where it is not known.
const ModelClass* class_named(std::string_view name);
/// The class of which a vocabulary looks, without a name.
const ModelClass& class_of(const Vocabulary& vocabulary, bool is_list, bool has_word_ends);

}  // namespace files
