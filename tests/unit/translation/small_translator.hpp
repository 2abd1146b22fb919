// A translator that has learned nothing, in a file: small, and deterministic.
#pragma once

#include <gtest/gtest.h>

#include "training/weights_file.hpp"
#include "translation/translator.hpp"

namespace translation {

inline const std::vector<std::string> small_pieces = {"▁", "a",  "b",  "c",  "d",   "e",
                                                      ".", "ab", "▁c", "cd", "▁ab", "▁de"};

inline model::Transformer small_model() {
  model::Transformer made;
  made.vocabulary = small_pieces.size() + Vocabulary::unknown + 1;
  made.embed_dim = 16;
  made.num_heads = 2;
  made.feed_forward = 24;
  made.encoder_layers = 2;
  made.decoder_layers = 2;
  made.tied = true;
  made.padding = static_cast<int>(Vocabulary::padding);
  return made;
}

inline files::Metadata small_metadata() {
  std::string pieces;
  for (const std::string& piece : small_pieces) pieces += (pieces.empty() ? "" : "\n") + piece;
  return {{"task", "translate"}, {"pieces", pieces}};
}

inline std::vector<std::byte> small_file(std::uint32_t seed,
                                         const model::Transformer& transformer = small_model()) {
  return training::write_weights({transformer, training::Method::adam, seed}, false,
                                 small_metadata())
      .value();
}

inline Translator small_translator(std::uint32_t seed) {
  auto made = Translator::read(small_file(seed));
  EXPECT_TRUE(made.has_value()) << made.error().message;
  return *std::move(made);
}

}  // namespace translation
