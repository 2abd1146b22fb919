// Tests in another language: what is said must fit in its place in each.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/json/json.hpp"
#include "base/text.hpp"

inline constexpr std::array<const char*, 3> all_languages = {"en", "es", "de"};

/// The program speaks a language of src/texts as long as this lives, and so do views of its texts.
class Speaking {
 public:
  explicit Speaking(const std::string& language) {
    if (language == "en") return;  // as it does anyway
    base::Json texts = base::Json::object();
    const std::string folder =
        std::string(ATTENTION_LIVE_FIXTURES) + "/../../src/texts/" + language;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path());
      const std::string content{std::istreambuf_iterator<char>(file), {}};
      const base::Json part = base::Json::parse(content);
      for (std::size_t i = 0; i < part.size(); ++i) texts.add(part.names()[i], part.elements()[i]);
    }
    static_cast<void>(base::use_language(texts.dump()));
  }
  ~Speaking() { static_cast<void>(base::use_language("{}")); }
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;
};
