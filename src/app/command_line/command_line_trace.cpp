#include "app/command_line/command_line_trace.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line/command_line_io.hpp"
#include "app/command_line/command_line_json.hpp"
#include "app/command_line/layer/command_line_cache.hpp"
#include "app/named_traces.hpp"
#include "document/computed.hpp"
#include "files/attention/trace_file.hpp"
#include "files/quote.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using files::NamedTrace;

Result<std::vector<NamedTrace>> trace_layer(const TraceRequest& request) {
  Result<LoadedLayer> loaded = load_layer(request.input, request, *request.layer);
  if (!loaded) return fail(loaded.error());
  model::Trace trace = std::move(model::compute(loaded->model).front());
  return std::vector<NamedTrace>{{"", std::move(trace), std::move(loaded->metadata)}};
}

Result<std::vector<NamedTrace>> trace_file(const TraceRequest& request) {
  if (request.layer) return trace_layer(request);
  const Result<LoadedAttention> loaded = load_attention(request.input, request);
  if (!loaded) return fail(loaded.error());
  return std::vector<NamedTrace>{{"", std::move(model::compute(loaded->model).front())}};
}

Result<lesson::Parameters> parameters_for(const lesson::Example& example,
                                          const TraceRequest& request) {
  const auto not_offered = [&](std::string_view option) {
    return fail("The example " + std::string(example.name) + " has no " + std::string(option) +
                " to choose.");
  };
  lesson::Parameters parameters;
  if (!request.variant.empty()) {
    const auto found = std::find_if(
        example.variants.begin(), example.variants.end(),
        [&](const lesson::Variant& variant) { return variant.name == request.variant; });
    if (found == example.variants.end()) {
      return fail("The example " + std::string(example.name) + " has no variant " +
                  files::in_quotes(request.variant) +
                  "; allowed: " + lesson::names_of(example.variants) + ".");
    }
    parameters.variant = static_cast<std::size_t>(found - example.variants.begin());
  }
  if (request.sentence) {
    if (!example.has_sentence) return not_offered("sentence");
    // In Parameters an empty sentence means the example's own.
    if (request.sentence->empty()) return fail("The sentence is empty: give at least one word.");
    parameters.sentence = *request.sentence;
  }
  if (request.seed) {
    if (!example.has_seed) return not_offered("seed");
    parameters.seed = *request.seed;
  }
  if (request.embed_dim) {
    if (!example.has_sizes) return not_offered("embed_dim");
    if (*request.embed_dim == 0) return fail("embed_dim is 0; it must be at least 1.");
    parameters.embed_dim = *request.embed_dim;
  }
  if (request.kdim) {
    if (!example.has_kdim) return not_offered("kdim");
    parameters.kdim = *request.kdim;
  }
  if (request.num_heads) {
    if (!example.has_sizes) return not_offered("number of heads");
    if (*request.num_heads == 0) return fail("The number of heads is 0; it must be at least 1.");
    parameters.num_heads = *request.num_heads;
  }
  if (request.num_kv_heads) {
    if (!example.has_kv_heads) return not_offered("number of heads for keys and values");
    parameters.num_kv_heads = *request.num_kv_heads;
  }
  return parameters;
}

lesson::MaskKind with_look_ahead(lesson::MaskKind mask) {
  const bool padded = mask == lesson::MaskKind::padding || mask == lesson::MaskKind::both;
  return padded ? lesson::MaskKind::both : lesson::MaskKind::look_ahead;
}

Result<std::vector<NamedTrace>> trace_example(const TraceRequest& request) {
  const lesson::Example& example = lesson::example(*request.example);
  Result<lesson::Parameters> parameters = parameters_for(example, request);
  if (!parameters) return fail(parameters.error());
  document::Configuration configuration;
  configuration.example = example.id;
  configuration.parameters = *std::move(parameters);
  configuration.scale = request.scale;
  configuration.variants = request.variants;
  for (std::size_t i = 0; request.causal && i < example.attentions.size(); ++i) {
    const lesson::AttentionId id = example.attentions[i];
    if (kind_of(id) != lesson::AttentionId::cross_attention) {
      configuration.masks[id] = with_look_ahead(example.masks[i]);
    }
  }
  Result<document::Computed> computed = document::compute(configuration);
  if (!computed) return fail(computed.error());

  return named_traces(*computed);
}

Result<void> print_json(const std::vector<NamedTrace>& traces, std::optional<std::size_t> query) {
  std::string text;
  for (const auto& [name, trace, _] : traces) {
    const Result<std::string> json =
        trace_to_json(trace, files::is_attention(trace) ? query : std::nullopt);
    if (!json)
      return fail(name.empty() ? json.error().message : name + ": " + json.error().message);
    if (name.empty()) return print(*json + '\n');
    text += (text.empty() ? "{" : ",\n") + ('"' + name + "\":") + *json;
  }
  return print(text + "}\n");
}

Result<void> write(const std::vector<NamedTrace>& traces, const TraceRequest& request) {
  const Result<std::vector<std::byte>> bytes = files::write_traces(traces, request.query);
  if (!bytes) return fail(bytes.error());
  return write_file(request.output, *bytes);
}

}  // namespace

Result<void> run_trace(const TraceRequest& request) {
  const Result<std::vector<NamedTrace>> traces =
      request.example ? trace_example(request) : trace_file(request);
  if (!traces) return fail(traces.error());
  if (request.cache) {
    const Result<std::string> tables = cache_tables(*traces);
    if (!tables) return fail(tables.error());
    const Result<void> written = write(*traces, request);
    return written ? print(*tables) : written;
  }
  return request.json ? print_json(*traces, request.query) : write(*traces, request);
}

}  // namespace app
