// libFuzzer: whatever the header, find_attentions ends with attentions whose tensors lie in the
// file and whose heads can be computed, or that say why not.
#include <cmath>
#include <vector>

#include "files/layers/attention_weights.hpp"
#include "files/layers/config/model_config.hpp"
#include "files/numbers/npy.hpp"
#include "files/safetensors.hpp"
#include "model/attention/attention_part.hpp"
#include "model/roles.hpp"
#include "safetensors_mutator.hpp"

using fuzz::require;
namespace roles = model::roles;

namespace {

/// Weights up to here are read, so that a run stays short.
constexpr std::uint64_t small = 1U << 16U;

void check_weights(const files::FoundAttention& found, std::span<const std::byte> file,
                   const files::Layout& layout) {
  std::vector<std::byte> data;
  for (const files::HeaderEntry& entry : found.tensors) {
    require(layout.data_begin + entry.end <= file.size());
    const auto bytes = file.subspan(static_cast<std::size_t>(layout.data_begin + entry.begin),
                                    static_cast<std::size_t>(entry.end - entry.begin));
    data.insert(data.end(), bytes.begin(), bytes.end());
  }
  auto given = files::weights_of(found, data);
  if (!given) return fuzz::require_sentence(given.error().message);
  (*given)[roles::query] = tensor::Tensor({1, 2, found.embed_dim});
  (*given)[roles::key] = tensor::Tensor({1, 2, found.kdim});
  (*given)[roles::value] = tensor::Tensor({1, 2, found.vdim});
  const std::size_t heads = files::usual_heads(found);
  const auto trace =
      model::multi_head_attention(*given, {.num_heads = heads,
                                           .scale = found.scale,
                                           .num_kv_heads = files::kv_heads(found, heads),
                                           .variants = found.variants,
                                           .head_dim = files::own_head_dim(found, heads)});
  require(trace.has_value());
}

/// Whatever a config.json says, heads are a choice that the widths allow.
void check_config(std::string_view json) {
  const auto config = files::read_model_config(json);
  if (!config) return fuzz::require_sentence(config.error().message);
  files::Header header;
  for (const char* part : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
    const std::size_t rows = part[0] == 'q' ? 24 : 12;
    const std::size_t columns = part[0] == 'o' ? 24 : 12;
    header.entries.push_back({std::string("decoder.self_attn.") + part + ".weight",
                              "F32",
                              {rows, columns},
                              0,
                              4 * rows * columns});
  }
  files::FoundAttentions all = files::find_attentions(header);
  files::take_config(*config, all);
  const files::FoundAttention& found = all.attentions.at(0);
  const std::vector<std::size_t> choices = files::head_choices(found);
  require(std::find(choices.begin(), choices.end(), files::usual_heads(found)) != choices.end());
  // No rotary positions where no part of a head is turned.
  const float base = found.variants.rope_base;
  require(base == 0.0F || (base >= 1.0F && std::isfinite(base)));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate(data, size, max_size, seed, 0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> file = fuzz::exact_copy(data, size);
  check_config({reinterpret_cast<const char*>(file.data()), file.size()});
  if (const auto array = files::read_npy(file); !array)
    fuzz::require_sentence(array.error().message);
  const auto layout = files::read_layout(file, file.size());
  if (!layout) return 0;  // safetensors_fuzz looks at these
  const files::FoundAttentions all = files::find_attentions(layout->header);
  for (const files::FoundAttention& found : all.attentions) {
    if (!found.problem.empty()) {
      fuzz::require_sentence(found.problem);
      continue;
    }
    const std::vector<std::size_t> choices = files::head_choices(found);
    const std::size_t usual = files::usual_heads(found);
    require(std::find(choices.begin(), choices.end(), usual) != choices.end());
    if (files::bytes_of(found) <= small) check_weights(found, file, *layout);
  }
  return 0;
}
