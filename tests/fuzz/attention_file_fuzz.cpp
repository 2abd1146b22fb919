// libFuzzer: whatever the file and the options, attention_from_file ends with an attention that can
// be computed (and small ones are) or with one sentence.
#include <cmath>
#include <vector>

#include "files/attention/attention_file.hpp"
#include "files/attention/trace_file.hpp"
#include "safetensors_mutator.hpp"

using fuzz::require;
using model::Scale;

namespace {

/// The bytes before the file: number of heads; scale; switches.
constexpr std::size_t option_bytes = 3;

/// Scores up to here are computed, so that a run stays short.
constexpr std::size_t small = 4096;

files::AttentionFileOptions options_from(const std::uint8_t* data) {
  files::AttentionFileOptions options;
  options.num_heads = data[0];
  options.scale.kind = static_cast<Scale::Kind>(data[1] % 4);
  const int number = data[1] / 4;  // whole: what the kind leaves of the byte
  options.scale.number = static_cast<float>(number) - 8.0F;
  options.causal = (data[2] & 1U) != 0;
  options.ignore_unknown = (data[2] & 2U) != 0;
  return options;
}

/// Each query's weights sum to 1, or are all 0 where it sees no key; overflowing numbers may give
/// NaN.
void check_weights(const model::Trace& trace) {
  const std::vector<float> weights = trace["attention_weights"].values();
  const std::size_t keys = trace.config.key_len;
  for (std::size_t row = 0; row < weights.size(); row += keys) {
    double sum = 0.0;
    for (std::size_t j = 0; j < keys; ++j) sum += static_cast<double>(weights[row + j]);
    require(std::isnan(sum) || sum == 0.0 || std::abs(sum - 1.0) < 1e-4);
  }
}

void compute(const files::AttentionFile& file) {
  const auto trace = model::multi_head_attention(file.given, file.options);
  if (!trace) {
    fuzz::require_sentence(trace.error().message);
    return;
  }
  check_weights(*trace);
  const auto tensors = files::tensors_of(*trace, trace->config.query_len - 1);
  require(tensors.has_value());
  std::vector<files::NamedTensor> named;
  for (const auto& [id, tensor] : *tensors) named.push_back({std::string(name_of(id)), tensor});
  const auto written = files::write_safetensors(named, files::metadata_of(trace->config, ""));
  require(written.has_value());
  const auto again = files::read_safetensors(*written);
  require(again.has_value() && again->tensors.size() == named.size());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate(data, size, max_size, seed, option_bytes);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < option_bytes) return 0;
  const files::AttentionFileOptions options = options_from(data);
  const std::vector<std::byte> bytes = fuzz::exact_copy(data + option_bytes, size - option_bytes);
  const auto file = files::read_safetensors(bytes);
  if (!file) return 0;  // safetensors_fuzz looks at these
  const auto attention = files::attention_from_file(*file, options);
  if (!attention) {
    fuzz::require_sentence(attention.error().message);
    return 0;
  }
  const tensor::Shape& query = attention->given["query_input"].shape();
  const std::size_t keys = attention->given["key_input"].dim(1);
  const std::size_t scores = query[0] * options.num_heads * query[1] * keys;
  if (scores <= small) compute(*attention);
  return 0;
}
