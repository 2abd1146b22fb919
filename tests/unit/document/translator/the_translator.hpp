// The example of the translator, with the weights that are in the repository.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "document/setups.hpp"
#include "lesson/examples/translating.hpp"
#include "translation/installed.hpp"

namespace document {

/// The weights that are in the repository.
inline const std::vector<char>& weights_file() {
  static const std::vector<char> bytes = [] {
    std::ifstream file(
        std::string(ATTENTION_LIVE_FIXTURES) + "/../../tools/translator/translator.safetensors",
        std::ios::binary);
    return std::vector<char>(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

class TheTranslator : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    translation::install(std::as_bytes(std::span(weights_file())));
    ASSERT_TRUE(translation::installed()) << translation::installed().error().message;
  }
  static void TearDownTestSuite() { translation::install({}); }

  static const translation::Translator& translator() { return **translation::installed(); }
  static Configuration saying(std::string sentence) {
    Configuration configuration = fresh(lesson::ExampleId::translator, 0);
    configuration.parameters.sentence = std::move(sentence);
    return configuration;
  }
  static std::vector<std::size_t> tokens_of(const lesson::Translated& translated) {
    std::vector<std::size_t> tokens;
    for (const lesson::Translated::Place& place : translated.places)
      tokens.push_back(place.said.token);
    return tokens;
  }
  static double log_probability_of(const lesson::Translated& translated) {
    double sum = 0.0;
    for (const lesson::Translated::Place& place : translated.places)
      sum += std::log(place.said.probability);
    return sum;
  }
};

}  // namespace document
