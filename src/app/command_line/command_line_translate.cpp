#include "app/command_line/command_line_translate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iostream>

#include "app/command_line/command_line_io.hpp"
#include "base/json/json.hpp"
#include "files/attention/trace_file.hpp"
#include "lesson/heads/measured_heads.hpp"
#include "translation/installed.hpp"
#include "translation/translator.hpp"

// tools/translator/translator.safetensors, linked into the program (src/CMakeLists.txt).
extern "C" const std::byte attention_live_translator_begin[];
extern "C" const std::byte attention_live_translator_end[];

namespace app {
namespace {

using base::fail;
using base::Json;
using base::Result;
using translation::Translation;
using translation::Translator;

}  // namespace

void install_translator() {
  translation::install({attention_live_translator_begin, attention_live_translator_end});
}

namespace {

Result<Translator> translator_from(const std::string& path) {
  if (path.empty()) {
    return Translator::read({attention_live_translator_begin, attention_live_translator_end});
  }
  const auto bytes = read_file(path);
  if (!bytes) return fail(bytes.error());
  auto made = Translator::read(*bytes);
  if (!made) return fail(path_in_quotes(path) + ": " + made.error().message);
  return made;
}

Json pieces_of(const Translator& translator, const std::vector<std::size_t>& tokens) {
  Json list = Json::array();
  for (const std::size_t token : tokens) list.push_back(translator.vocabulary().piece(token));
  return list;
}

/// For each token of the target, how much of each source token its layer's cross-attention takes:
/// the mean over the heads of the last decoder layer.
Json alignments_of(const std::vector<model::Trace>& traces, std::size_t count) {
  Json rows = Json::array();
  const model::Trace* cross = nullptr;
  for (const model::Trace& trace : traces) {
    if (trace.name.ends_with("cross_attention")) cross = &trace;
  }
  if (cross == nullptr) return rows;
  const tensor::Tensor& weights = (*cross)["attention_weights"];  // [1,H,Lt,Ls]
  for (std::size_t query = 0; query < std::min(count, weights.dim(2)); ++query) {
    Json row = Json::array();
    for (std::size_t key = 0; key < weights.dim(3); ++key) {
      double sum = 0.0;
      for (std::size_t head = 0; head < weights.dim(1); ++head)
        sum += static_cast<double>(weights.at({0, head, query, key}));
      row.push_back(sum / static_cast<double>(weights.dim(1)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json json_of(const Translator& translator, const Translation& made,
             const std::vector<model::Trace>& traces) {
  Json candidates = Json::array();
  for (const auto& at_place : made.candidates) {
    Json list = Json::array();
    for (const translation::Candidate& candidate : at_place) {
      list.push_back(Json::object()
                         .with("token", translator.vocabulary().piece(candidate.token))
                         .with("probability", candidate.probability));
    }
    candidates.push_back(std::move(list));
  }
  return Json::object()
      .with("text", made.text)
      .with("source", pieces_of(translator, made.source))
      .with("target", pieces_of(translator, made.target))
      .with("log_probability", made.log_probability)
      .with("alignments", alignments_of(traces, made.target.size()))
      .with("candidates", std::move(candidates));
}

Result<void> write_trace(const std::vector<model::Trace>& traces, const std::string& path) {
  std::vector<files::NamedTensor> tensors;
  for (const model::Trace& trace : traces) {
    const auto named = files::tensors_of(trace, std::nullopt);
    if (!named) return fail(named.error());
    for (const auto& [id, tensor] : *named)
      tensors.push_back({files::tensor_name(trace.name, name_of(id)), tensor});
  }
  const auto bytes =
      files::write_safetensors(tensors, {{"generator", "attention-live " ATTENTION_LIVE_VERSION}});
  if (!bytes) return fail(bytes.error());
  return write_file(path, *bytes);
}

/// What is printed for one text, without the end of its line. Writes the trace if one is asked for.
Result<std::string> answer_to(const Translator& translator, const std::string& text,
                              const TranslateRequest& request) {
  const auto made = translator.translate(text, request.beam);
  if (!made) return fail(made.error());
  std::vector<model::Trace> traces;
  if (request.json || !request.trace.empty()) {
    auto computed = translator.trace(*made);
    if (!computed) return fail(computed.error());
    traces = *std::move(computed);
  }
  if (!request.trace.empty()) {
    if (const auto written = write_trace(traces, request.trace); !written)
      return fail(written.error());
  }
  return request.json ? json_of(translator, *made, traces).dump() : made->text;
}

/// Each line of standard input, as soon as it is there.
Result<void> translate_lines(const Translator& translator, const TranslateRequest& request) {
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    std::string answer;
    // Nothing for nothing: lines of the output stay beside those of the input.
    if (line.find_first_not_of(" \t") != std::string::npos) {
      auto made = answer_to(translator, line, request);
      if (!made) return fail("Line " + std::to_string(number) + ": " + made.error().message);
      answer = *std::move(made);
    }
    if (auto printed = print(answer + '\n'); !printed) return printed;
  }
  return {};
}

/// Over the first of the held-out sentences of a file of pairs.
Result<std::string> measured_heads(const Translator& translator, const std::string& path) {
  constexpr std::size_t count = 500;
  const auto bytes = read_file(path);
  if (!bytes) return fail(bytes.error());
  const auto in_file = [&](const base::Error& error) {
    return fail(path_in_quotes(path) + ": " + error.message);
  };
  const auto pairs =
      translation::read_pairs({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!pairs) return in_file(pairs.error());
  const std::vector<translation::HeldOut> sentences = translation::split(*pairs).held_out;
  const auto heads = lesson::measure_heads(translator, sentences, count);
  if (!heads) return in_file(heads.error());
  Json json = Json::object();
  for (const auto& [attention, of_heads] : *heads) {
    Json list = Json::array();
    for (const lesson::Shares& shares : of_heads)
      list.push_back(std::vector<double>(shares.begin(), shares.end()));
    json.add(attention, std::move(list));
  }
  return Json::object()
      .with("sentences", std::min(count, sentences.size()))
      .with("heads", std::move(json))
      .dump();
}

}  // namespace

Result<void> run_translate(const TranslateRequest& request) {
  const auto translator = translator_from(request.weights);
  if (!translator) return fail(translator.error());
  if (!request.measure_heads.empty()) {
    const auto heads = measured_heads(*translator, request.measure_heads);
    if (!heads) return fail(heads.error());
    return print(*heads + '\n');
  }
  if (request.text == standard_input) return translate_lines(*translator, request);
  const auto answer = answer_to(*translator, request.text, request);
  if (!answer) return fail(answer.error());
  return print(*answer + '\n');
}

}  // namespace app
