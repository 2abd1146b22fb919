#include "attention/interventions.hpp"

#include <algorithm>
#include <array>

namespace attention {
namespace {

// In the order of Mistake.
constexpr std::array names = std::to_array<std::string_view>(
    {"none", "no-transpose", "no-scale", "softmax-over-queries", "mask-after-softmax",
     "mask-with-zero", "keys-not-transposed"});
static_assert(names.size() == static_cast<std::size_t>(Mistake::keys_not_transposed) + 1);

}  // namespace

std::string_view name_of(Mistake mistake) { return names[static_cast<std::size_t>(mistake)]; }

std::optional<Mistake> mistake_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Mistake>(found - names.begin());
}

std::span<const std::string_view> mistake_names() { return names; }

const GivenWeights* Interventions::given_for(std::size_t sample, std::size_t head,
                                             std::size_t query) const {
  const auto found =
      std::find_if(given_weights.rbegin(), given_weights.rend(), [&](const GivenWeights& given) {
        return given.sample == sample && given.head == head && given.query == query;
      });
  return found == given_weights.rend() ? nullptr : &*found;
}

bool Interventions::ablates(std::size_t head) const {
  return std::find(ablated_heads.begin(), ablated_heads.end(), head) != ablated_heads.end();
}

}  // namespace attention
