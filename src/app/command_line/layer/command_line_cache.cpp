#include "app/command_line/layer/command_line_cache.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "model/attention/kv_cache.hpp"
#include "model/roles.hpp"

namespace app {
namespace {

namespace roles = model::roles;
using model::Trace;
using tensor::Tensor;

/// Whether the sequence looks at itself, and no query at a later key: only then are keys and values
/// of earlier tokens what they were.
bool can_keep(const Trace& trace) {
  if (!files::is_attention(trace) || !trace.has(roles::mask)) return false;
  const Tensor& query = trace[roles::query];
  const bool is_self = trace[roles::key].storage_id() == query.storage_id() &&
                       trace[roles::value].storage_id() == query.storage_id();
  const Tensor& mask = trace[roles::mask];
  if (!is_self || trace.overrides.mistake != model::Mistake::none) return false;
  tensor::Index at = tensor::Extents::filled(mask.rank(), 0);
  do {
    if (at[3] > at[2] && mask.at(at) != ops::hidden) return false;
  } while (next_index(at, mask.shape()));
  return true;
}

/// The tensor of keys or values that a decoder keeps: normed and turned, and before heads share it.
const Tensor& kept_of(const Trace& trace, std::initializer_list<model::TensorId> names) {
  return trace[*std::find_if(names.begin(), names.end() - 1,
                             [&](model::TensorId name) { return trace.has(name); })];
}

std::string line_of(const std::string& token, const model::KvCache& cache, std::size_t bytes,
                    std::size_t samples) {
  std::vector<char> text(160);
  std::snprintf(text.data(), text.size(), "%7s %7zu %12zu %16zu %16zu\n", token.c_str(),
                cache.tokens, bytes, samples * cache.multiplications,
                samples * cache.multiplications_without);
  return text.data();
}

std::string table_of(const std::string& name, const Trace& trace) {
  const Tensor& keys = kept_of(trace, {"k_rotated", "k_normed", "k_groups", "k_heads"});
  const Tensor& values = kept_of(trace, {"v_groups", "v_heads"});
  const std::size_t tokens = trace.config.key_len;
  const std::size_t of_one = (keys.size() + values.size()) / tokens * sizeof(float);
  const std::size_t samples = trace.config.batch;
  std::string text = name.empty() ? "" : name + '\n';
  text += "  token    kept        bytes  multiplications    without cache\n";
  for (std::size_t place = 0; place < tokens; ++place) {
    const model::KvCache cache = kv_cache_at(trace.config, place);
    text += line_of(std::to_string(place), cache, cache.tokens * of_one, samples);
  }
  const model::KvCache all = kv_cache_of_all(trace.config);
  return text + line_of("all", all, all.tokens * of_one, samples);
}

}  // namespace

base::Result<std::string> cache_tables(std::span<const files::NamedTrace> traces) {
  std::string text;
  for (const files::NamedTrace& each : traces)
    if (can_keep(each.trace)) text += table_of(each.name, each.trace);
  if (!text.empty()) return text;
  return base::fail(
      "--cache is for self-attention in which no query sees a later key: give --causal or "
      "--window N.");
}

}  // namespace app
