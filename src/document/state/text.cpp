#include "document/state/text.hpp"

#include <cmath>
#include <vector>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace document {

std::string number_text(float number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  return base::shortest_decimal(number);
}

std::string list_of(std::span<const std::string_view> words) {
  if (words.empty()) return {};
  std::string list(words.front());
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    list = base::text("document.list.more", {{"list", list}, {"next", words[i]}});
  if (words.size() == 1) return list;
  return base::text("document.list.last", {{"list", list}, {"last", words.back()}});
}

std::string list_of(std::span<const lesson::AttentionId> attentions) {
  std::vector<std::string_view> names;
  for (const lesson::AttentionId id : attentions) names.push_back(lesson::name_of(id));
  return list_of(names);
}

tl::unexpected<base::Error> no_attention(lesson::AttentionId id,
                                         std::span<const lesson::AttentionId> there) {
  return base::fail(base::text("document.place.no_attention",
                               {{"attention", lesson::name_of(id)}, {"there", list_of(there)}}));
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t length = text.size();
  if (length > longest) {
    length = longest;
    // Do not cut inside a UTF-8 character: bytes 10xxxxxx continue the one before.
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  }
  std::string shown;
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return length < text.size() ? base::text("document.quote.cut", {{"text", shown}})
                              : base::text("document.quote.whole", {{"text", shown}});
}

}  // namespace document
