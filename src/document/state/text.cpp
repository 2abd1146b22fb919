#include "document/state/text.hpp"

#include <cmath>
#include <vector>

#include "base/decimal.hpp"

namespace document {

std::string number_text(float number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  return base::shortest_decimal(number);
}

std::string list_of(std::span<const std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " and " : ", ";
    list += words[i];
  }
  return list;
}

std::string list_of(std::span<const lesson::AttentionId> attentions) {
  std::vector<std::string_view> names;
  for (const lesson::AttentionId id : attentions) names.push_back(lesson::name_of(id));
  return list_of(names);
}

tl::unexpected<base::Error> no_attention(lesson::AttentionId id,
                                         std::span<const lesson::AttentionId> there) {
  return base::fail("There is no " + std::string(lesson::name_of(id)) + " here; there is " +
                    list_of(there) + ".");
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t length = text.size();
  if (length > longest) {
    length = longest;
    // Do not cut inside a UTF-8 character: bytes 10xxxxxx continue the one before.
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  }
  std::string quoted = "“";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return quoted + (length < text.size() ? "…”" : "”");
}

}  // namespace document
