// Tests in another language: what is said must fit in its place in each.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/text.hpp"

inline constexpr std::array<const char*, 3> all_languages = {"en", "es", "de"};

/// The program speaks a language of src/texts as long as this lives.
class Speaking {
 public:
  explicit Speaking(const std::string& language) {
    base::Json texts = base::Json::object();
    const std::string folder =
        std::string(ATTENTION_LIVE_FIXTURES) + "/../../src/texts/" + language;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path());
      const std::string content{std::istreambuf_iterator<char>(file), {}};
      const base::Json part = base::Json::parse(content);
      for (std::size_t i = 0; i < part.size(); ++i) texts.add(part.names()[i], part.elements()[i]);
    }
    said_ = texts.size();
    static_cast<void>(base::use_language(texts.dump()));
  }
  ~Speaking() { static_cast<void>(base::use_language("{}")); }
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;

  /// How many texts there are.
  std::size_t said() const { return said_; }

 private:
  std::size_t said_ = 0;
};
