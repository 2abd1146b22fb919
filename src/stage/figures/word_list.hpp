// The labels of a block's rows or columns.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace stage {

/// An immutable list of words that copies share: eight heads of ten tensors have the same 64
/// tokens, and the stage is copied for every frame.
class WordList {
 public:
  WordList() = default;
  WordList(std::vector<std::string> words) {  // NOLINT(google-explicit-constructor): so are lists
    if (!words.empty()) words_ = std::make_shared<const std::vector<std::string>>(std::move(words));
  }

  bool empty() const { return words_ == nullptr; }
  std::size_t size() const { return words().size(); }
  const std::string& operator[](std::size_t place) const { return words()[place]; }
  auto begin() const { return words().begin(); }
  auto end() const { return words().end(); }
  const std::vector<std::string>& words() const {
    static const std::vector<std::string> none;
    return words_ ? *words_ : none;
  }
  void clear() { words_.reset(); }

 private:
  std::shared_ptr<const std::vector<std::string>> words_;
};

}  // namespace stage
