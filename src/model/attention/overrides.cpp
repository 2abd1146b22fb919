#include "model/attention/overrides.hpp"

#include <algorithm>
#include <array>

namespace model {
namespace {

// In the order of Mistake.
constexpr std::array<std::string_view, mistake_count> names = {"none",
                                                               "no-transpose",
                                                               "no-scale",
                                                               "softmax-over-queries",
                                                               "mask-after-softmax",
                                                               "mask-with-zero",
                                                               "keys-not-transposed"};

}  // namespace

std::string_view name_of(Mistake mistake) { return names[static_cast<std::size_t>(mistake)]; }

std::optional<Mistake> mistake_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Mistake>(found - names.begin());
}

std::span<const std::string_view> mistake_names() { return names; }

bool Overrides::gives(std::size_t sample, std::size_t head, std::size_t query) const {
  return std::any_of(given_weights.begin(), given_weights.end(), [&](const GivenWeights& given) {
    return given.sample == sample && given.head == head && given.query == query;
  });
}

bool Overrides::ablates(std::size_t head) const {
  return std::find(ablated_heads.begin(), ablated_heads.end(), head) != ablated_heads.end();
}

}  // namespace model
