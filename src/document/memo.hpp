// A cache of one value.
#pragma once

#include <optional>
#include <utility>

namespace document {

/// Keeps one value together with its key, and makes it again only for another key.
template <typename Key, typename Value>
class Memo {
 public:
  /// True where the value was made for this key.
  bool has(const Key& key) const { return kept_ && kept_->first == key; }
  /// `make()`, called only where the value was made for another key. Valid until the next call.
  template <typename Make>
  const Value& of(const Key& key, const Make& make) {
    if (!has(key)) keep(key, make());
    return kept_->second;
  }
  void keep(Key key, Value value) { kept_.emplace(std::move(key), std::move(value)); }

  bool empty() const { return !kept_; }
  /// Of the value that was kept last; there must be one.
  const Key& key() const { return kept_->first; }
  const Value& value() const { return kept_->second; }

 private:
  std::optional<std::pair<Key, Value>> kept_;
};

}  // namespace document
