#include "translation/translator.hpp"

#include "base/text.hpp"
#include "training/initial_weights.hpp"
#include "training/weights_file.hpp"
#include "translation/corpus.hpp"
#include "translation/decoding/decoder.hpp"
#include "translation/decoding/translate.hpp"

namespace translation {
namespace {

using base::fail;
using base::Result;
using tensor::Tensor;

/// Of the file that the program comes with, which says none itself: tools/translator.
constexpr std::string_view checksum_of_ours = "287b12272786158d";

const std::string* find(const files::Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace

std::string Translator::bleu() const {
  // "held-out BLEU 43.60, with rounded weights 43.57, after 8500 steps"
  const std::string* result = find(metadata_, "result");
  const std::size_t at = result == nullptr ? std::string::npos : result->find("weights");
  const std::size_t first = at == std::string::npos ? at : result->find_first_of("0123456789", at);
  if (first == std::string::npos) return {};
  return result->substr(first, result->find_first_not_of("0123456789.", first) - first);
}

Result<Translator> Translator::read(std::span<const std::byte> bytes) {
  const auto file = files::read_safetensors(bytes);
  if (!file) return fail(file.error());
  Translator made;
  made.metadata_ = file->metadata;
  const auto transformer = training::transformer_from(file->metadata);
  if (!transformer) return fail(transformer.error());
  made.transformer_ = *transformer;
  const std::string* pieces = find(file->metadata, "pieces");
  if (pieces == nullptr) return fail(base::text("translation.weights.no_vocabulary"));
  std::vector<std::string> list;
  for (std::size_t first = 0; first <= pieces->size();) {
    const std::size_t end = std::min(pieces->find('\n', first), pieces->size());
    list.push_back(pieces->substr(first, end - first));
    first = end + 1;
  }
  made.vocabulary_ = Vocabulary(list);
  if (made.vocabulary_.size() != transformer->vocabulary) {
    return fail(
        base::text("translation.weights.vocabulary",
                   {{"tokens", made.vocabulary_.size()}, {"wanted", transformer->vocabulary}}));
  }
  if (transformer->decoder_layers == 0) return fail(base::text("translation.weights.no_decoder"));
  auto weights = training::weights_from(*file);
  if (!weights) return fail(weights.error());
  made.weights_ = *std::move(weights);
  // One token through everything finds a weight that is missing or has another shape.
  const Tensor token = Tensor::full({1, 1}, static_cast<float>(Vocabulary::end));
  const auto model = model::transformer_model(made.transformer_, made.weights_, {token, token, {}});
  if (!model) return fail(model.error());
  const std::string* said = find(file->metadata, "checksum");
  const std::string_view wanted = said == nullptr ? checksum_of_ours : *said;
  const std::string checksum = training::checksum_of(*file);
  if (checksum != wanted) {
    return fail(base::text("translation.weights.changed",
                           {{"checksum", checksum}, {"wanted", std::string(wanted)}}));
  }
  return made;
}

Translator Translator::untrained(std::uint32_t seed) const {
  Translator made = *this;
  made.weights_ = training::initial_weights(transformer_, seed);
  return made;
}

Result<std::vector<std::size_t>> Translator::source_of(std::string_view text) const {
  std::vector<std::size_t> source = vocabulary_.tokens_of(text);
  if (source.empty()) return fail(base::text("translation.sentence.empty"));
  if (source.size() > most_tokens) {
    return fail(base::text("translation.sentence.too_long",
                           {{"tokens", source.size()}, {"most", most_tokens}}));
  }
  source.push_back(Vocabulary::end);
  return source;
}

Result<Translation> Translator::translate(std::string_view text, std::size_t beam,
                                          std::span<const std::size_t> begin) const {
  auto source = source_of(text);
  if (!source) return fail(source.error());
  auto decoder = Decoder::start(transformer_, weights_, padded({*source}));
  if (!decoder) return fail(decoder.error());
  auto found =
      search([&](const auto& from, const auto& tokens) { return decoder->step(from, tokens); },
             beam, begin, longest_translation(source->size()));
  if (!found) return fail(found.error());
  Hypothesis& best = found->front();
  Translation made;
  made.source = *std::move(source);
  made.target = std::move(best.tokens);
  made.candidates = std::move(best.candidates);
  made.probabilities = std::move(best.probabilities);
  made.log_probability = best.log_probability;
  made.text = vocabulary_.text_of(made.target);
  return made;
}

Tensor Translator::logits(const Tensor& output) const {
  model::Part part = model::output_part(transformer_, weights_, {}, {1, output.dim(1)});
  part.trace.tensors["final"] = output;
  return model::compute({std::move(part)})[0]["logits"];
}

Result<std::vector<model::Trace>> Translator::trace(const Translation& translation) const {
  std::vector<std::size_t> read{Vocabulary::begin};
  const auto& target = translation.target;
  const bool ended = !target.empty() && target.back() == Vocabulary::end;
  read.insert(read.end(), target.begin(), target.end() - (ended ? 1 : 0));
  const auto model = model::transformer_model(transformer_, weights_,
                                              {padded({translation.source}), padded({read}), {}});
  if (!model) return fail(model.error());
  return model::compute(*model);
}

}  // namespace translation
