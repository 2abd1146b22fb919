#include "document/state/state_fields.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "document/state/text.hpp"

namespace document {

namespace {

// clang-format off
constexpr std::array fields = std::to_array<std::string_view>({
    "example", "variant", "step", "attention", "head", "all_heads", "mean_heads", "query", "key", "sample",
    "all_samples", "shared_scale", "weights_to_one", "sort_heads", "held_out_heads", "map", "projection", "scrub", "cell", "framing", "show", "more", "compare",
    "guessing", "gradients", "learning", "learning_rate", "learns", "scale", "mask", "masks", "position_encoding", "seed", "sentence", "beam", "translation_begin", "picture",
    "embed_dim", "num_heads", "num_kv_heads", "kdim", "qk_norm", "rope", "alibi", "softcap", "window", "sink", "source_len", "target_len", "theme", "edits",
    "mistake", "ablated_heads", "given_weights", "target", "method", "training_rate", "batch_size",
    "sequence", "trained_steps"
});
// clang-format on

}  // namespace

std::span<const std::string_view> state_fields() { return fields; }

bool is_state_field(std::string_view name) {
  return std::find(fields.begin(), fields.end(), name) != fields.end();
}

std::string unknown_field(std::string_view name) {
  std::vector<std::string_view> alike;
  for (const std::string_view field : fields) {
    if (!name.empty() && field.front() == name.front()) alike.push_back(field);
  }
  if (alike.empty()) return base::text("document.state.unlike_any_field", {{"field", quote(name)}});
  return base::counted_text("document.state.unknown_field", alike.size(),
                            {{"field", quote(name)}, {"alike", list_of(alike)}});
}

}  // namespace document
