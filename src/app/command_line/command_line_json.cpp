#include "app/command_line/command_line_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/decimal.hpp"
#include "files/attention/trace_file.hpp"

namespace app {
namespace {

using model::TensorId;
using model::Trace;
using tensor::Tensor;

// By hand: a trace has millions of numbers, and a JSON library would hold each as a value of its
// own. No text but names of our own goes in, so nothing needs escaping.

std::string name(std::string_view text) { return '"' + std::string(text) + '"'; }

void append_number(std::string& json, float value) {
  if (std::isnan(value)) {
    json += name("NaN");
  } else if (std::isinf(value)) {
    json += name(value > 0.0F ? "Infinity" : "-Infinity");
  } else {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    json.append(digits.data(), end);
  }
}

void append_list(std::string& json, const tensor::Extents& extents) {
  json += '[';
  for (const std::size_t number : extents) {
    if (json.back() != '[') json += ',';
    json += std::to_string(number);
  }
  json += ']';
}

void append_config(std::string& json, const model::Config& config) {
  const auto size = [&](std::string_view key, std::size_t value) {
    json += name(key) + ':' + std::to_string(value) + ',';
  };
  json += '{';
  size("batch", config.batch);
  size("query_len", config.query_len);
  size("key_len", config.key_len);
  size("embed_dim", config.embed_dim);
  size("num_heads", config.num_heads);
  size("num_kv_heads", config.num_kv_heads);
  size("head_dim", config.head_dim());
  size("kdim", config.kdim);
  size("vdim", config.vdim);
  json += name("scale") + ':';
  if (config.scale.kind == model::Scale::Kind::number) {
    append_number(json, config.scale.number);
  } else {
    json += name(files::scale_name(config.scale));
  }
  for (const auto& [option, value] : files::variants_of(config))
    json += ',' + name(option) + ':' +
            (value == "true" || base::read_float(value) ? value : name(value));
  json += ',' + name("divisor") + ':';
  append_number(json, config.scale.divisor(config.head_dim(), config.key_len));
  json += '}';
}

/// The rows [sample,head,query] for which `applies` holds.
template <typename Predicate>
void append_rows(std::string& json, const model::Config& config, Predicate applies) {
  json += '[';
  for (std::size_t sample = 0; sample < config.batch; ++sample) {
    for (std::size_t head = 0; head < config.num_heads; ++head) {
      for (std::size_t query = 0; query < config.query_len; ++query) {
        if (!applies(sample, head, query)) continue;
        if (json.back() != '[') json += ',';
        append_list(json, {sample, head, query});
      }
    }
  }
  json += ']';
}

void append_tensor(std::string& json, const Trace& trace, TensorId id, const Tensor& tensor) {
  json += '{' + name("shape") + ':';
  append_list(json, tensor.shape());
  json += ',' + name("strides") + ':';
  append_list(json, tensor.strides());
  json += ',' + name("offset") + ':' + std::to_string(tensor.offset());
  const std::optional<TensorId> base = trace.view_of(id);
  json += ',' + name("view_of") + ':' + (base ? name(name_of(*base)) : "null");
  json += ',' + name("data") + ":[";
  for (const float value : tensor.values()) {
    if (json.back() != '[') json += ',';
    append_number(json, value);
  }
  json += "]}";
}

/// What an attention has besides tensors.
void append_attention(std::string& json, const Trace& trace) {
  json += name("config") + ':';
  append_config(json, trace.config);
  json += ',' + name("fully_masked") + ':';
  append_rows(json, trace.config, [&](std::size_t sample, std::size_t head, std::size_t row) {
    return trace.fully_masked(sample, head, row);
  });
  json += ',' + name("given_weights") + ':';
  append_rows(json, trace.config, [&](std::size_t sample, std::size_t head, std::size_t row) {
    for (const model::GivenWeights& given : trace.overrides.given_weights) {
      if (given.sample == sample && given.head == head && given.query == row) return true;
    }
    return false;
  });
  json += ',';
}

}  // namespace

base::Result<std::string> trace_to_json(const Trace& trace, std::optional<std::size_t> query) {
  const auto tensors = files::tensors_of(trace, query);
  if (!tensors) return base::fail(tensors.error());

  std::string json = "{";
  if (trace.config.num_heads > 0) append_attention(json, trace);
  json += name("tensors") + ":{";
  for (const auto& [id, tensor] : *tensors) {
    if (json.back() != '{') json += ',';
    json += '\n' + name(name_of(id)) + ':';
    append_tensor(json, trace, id, tensor);
  }
  return json + "}}";
}

}  // namespace app
