#include "lesson/heads/recorded_heads.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.hpp"
#include "embedded_heads.hpp"

namespace lesson {
namespace {

using base::Json;

struct Recorded {
  std::size_t sentences = 0;
  /// Under the name of the attention.
  std::map<std::string, std::vector<Shares>, std::less<>> heads;
};

Recorded read_record() {
  const Json json = Json::parse(embedded_heads);
  Recorded made;
  if (const Json* sentences = json.find("sentences"))
    made.sentences = static_cast<std::size_t>(sentences->number());
  const Json* heads = json.find("heads");
  if (heads == nullptr) return made;
  for (std::size_t i = 0; i < heads->size(); ++i) {
    std::vector<Shares>& of_attention = made.heads[heads->names()[i]];
    for (const Json& head : heads->elements()[i].elements()) {
      Shares& shares = of_attention.emplace_back();
      for (std::size_t k = 0; k < std::min(head.size(), shares.size()); ++k)
        shares[k] = head.elements()[k].number();
    }
  }
  return made;
}

const Recorded& record() {
  static const Recorded read = read_record();
  return read;
}

}  // namespace

std::optional<Shares> recorded_shares(std::string_view attention, std::size_t head) {
  const auto found = record().heads.find(attention);
  if (found == record().heads.end() || head >= found->second.size()) return std::nullopt;
  return found->second[head];
}

std::size_t recorded_sentences() { return record().sentences; }

}  // namespace lesson
