// A trained translator, English to Spanish: its twelve attentions while it says a sentence.
#include "translation/translator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/examples/translating.hpp"
#include "model/roles.hpp"
#include "translation/decoding/decoder.hpp"
#include "translation/decoding/translate.hpp"
#include "translation/installed.hpp"

namespace lesson {
namespace {

using tensor::Tensor;
using translation::Translator;
using translation::Vocabulary;

constexpr std::string_view length_reason = "lesson.example.translator.length";
constexpr LengthRange as_typed{.reason_key = length_reason};
constexpr std::array variants = {Variant{"trained", false, as_typed, as_typed},
                                 Variant{"untrained", false, as_typed, as_typed}};

constexpr std::array masks = {MaskKind::none,       MaskKind::none,       MaskKind::none,
                              MaskKind::none,       MaskKind::look_ahead, MaskKind::none,
                              MaskKind::look_ahead, MaskKind::none,       MaskKind::look_ahead,
                              MaskKind::none,       MaskKind::look_ahead, MaskKind::none};

/// Whether a piece is a part of a word, and no mark by itself.
bool is_of_letters(std::string_view piece) {
  const auto first = static_cast<unsigned char>(piece.empty() ? ' ' : piece.front());
  return first >= 0x80 || std::isalnum(first) != 0;
}

/// A token for a reader: a piece that goes on with a word begins with "…".
std::string shown(const Vocabulary& vocabulary, std::size_t token) {
  if (token == Vocabulary::begin) return "[start]";
  if (token == Vocabulary::end) return "[end]";
  const std::string& piece = vocabulary.piece(token);
  const std::string_view mark = translation::word_mark;
  if (piece.starts_with(mark) && piece.size() > mark.size()) return piece.substr(mark.size());
  if (token == Vocabulary::unknown) return "[unknown]";
  return is_of_letters(piece) ? "…" + piece : piece;
}

/// The embeddings of tokens, times √E as section 3.4 of the paper has it.
Sequence sequence_of(const Translator& translator, const std::vector<std::size_t>& tokens) {
  const Tensor table = translator.weights().at("embedding.weight").contiguous();
  const std::size_t width = table.dim(1);
  const float factor = std::sqrt(static_cast<float>(width));
  Sequence sequence;
  sequence.tokens.emplace_back();
  sequence.lengths = {tokens.size()};
  sequence.embedding = Tensor::uninitialized({1, tokens.size(), width});
  float* cell = sequence.embedding.mutable_data();
  for (const std::size_t token : tokens) {
    sequence.tokens[0].push_back(shown(translator.vocabulary(), token));
    for (std::size_t i = 0; i < width; ++i) *cell++ = table.data()[token * width + i] * factor;
  }
  return sequence;
}

Translated::Place place_of(const Vocabulary& vocabulary,
                           const std::vector<translation::Candidate>& best,
                           const translation::Candidate& said) {
  const auto made = [&vocabulary](const translation::Candidate& each) {
    return Translated::Candidate{each.token, shown(vocabulary, each.token), each.probability};
  };
  Translated::Place place{made(said), {}};
  for (const translation::Candidate& each : best) place.best.push_back(made(each));
  return place;
}

base::Result<void> check(const Vocabulary& vocabulary, const Parameters& parameters) {
  if (parameters.beam != 1 && parameters.beam != beam_width) {
    return base::fail(base::text("lesson.translation.beam",
                                 {{"wanted", parameters.beam}, {"width", beam_width}}));
  }
  for (const std::size_t token : parameters.begin) {
    if (token > Vocabulary::unknown && token < vocabulary.size()) continue;
    if (token == Vocabulary::end) continue;
    return base::fail(base::text("lesson.translation.begin",
                                 {{"token", token}, {"last", vocabulary.size() - 1}}));
  }
  return {};
}

/// What the encoder layers of a problem compute.
base::Result<std::vector<model::Trace>> encoded(const Problem& problem) {
  model::Tensors input;
  input[problem.position_encoding ? model::roles::embedding : model::roles::query] =
      problem.source.embedding;
  model::Model model;
  const auto added = add_encoder(input, {}, problem.encoder, problem.options, model);
  if (!added) return base::fail(added.error());
  return model::compute(model);
}

base::Result<Problem> make(const Parameters& parameters) {
  const bool trained = parameters.variant == 0;
  const auto installed = translation::installed(trained);
  if (!installed) return base::fail(installed.error());
  const Translator& translator = **installed;
  const model::Transformer& transformer = translator.transformer();
  if (const auto checked = check(translator.vocabulary(), parameters); !checked)
    return base::fail(checked.error());
  const auto source = translator.source_of(sentence_of(ExampleId::translator, parameters));
  if (!source) return base::fail(source.error());

  Problem problem;
  problem.arrangement = Arrangement::four_layers;
  problem.source = sequence_of(translator, *source);
  problem.position_encoding = transformer.positions;
  problem.options.num_heads = transformer.num_heads;
  problem.options.activation = transformer.activation;
  problem.options.norm_first = transformer.norm_first;
  problem.encoder = model::encoder_layers(transformer, translator.weights());
  problem.decoder = model::decoder_layers(transformer, translator.weights());
  problem.random = !trained;
  problem.note = base::text(trained ? "lesson.note.trained" : "lesson.note.untrained");
  auto computed = encoded(problem);
  if (!computed) return base::fail(computed.error());
  problem.computed = *std::move(computed);
  const Tensor& memory = problem.computed.back()["layer_output"];
  problem.translated.emplace().trained = trained;
  auto said = say(trained, parameters, translation::longest_translation(source->size()),
                  [&] { return decoding(problem, memory); });
  if (!said) return base::fail(said.error());
  const std::size_t longest = std::max(source->size(), said->places.size());
  if (longest > longest_target) {
    return base::fail(
        base::text("lesson.translation.too_long", {{"tokens", longest}, {"most", longest_target}}));
  }
  problem.translated = *std::move(said);
  return with_target(problem, tokens_read(*problem.translated));
}

/// The translator that a problem of it was made with.
const Translator& translator_of(const Translated& translated) {
  return **translation::installed(translated.trained);
}

}  // namespace

Problem with_target(const Problem& problem, const std::vector<std::size_t>& tokens) {
  std::vector<std::size_t> read{Vocabulary::begin};
  read.insert(read.end(), tokens.begin(), tokens.end());
  Problem next = problem;
  next.target = sequence_of(translator_of(*problem.translated), read);
  return next;
}

std::string bleu_of(const Translated& translated) {
  return translated.trained ? translator_of(translated).bleu() : std::string();
}

Tensor logits_after(const Translated& translated, const Tensor& output) {
  return translator_of(translated).logits(output);
}

double log_probability(const Translated& translated, const Tensor& output) {
  const Tensor logits = logits_after(translated, output);
  double sum = 0.0;
  for (std::size_t place = 0; place < translated.places.size(); ++place)
    sum += translation::log_probability(logits, place, translated.places[place].said.token);
  return sum;
}

base::Result<Translated> say(bool trained, const Parameters& parameters, std::size_t most,
                             const std::function<translation::Step()>& start) {
  const std::vector<std::size_t> begin(parameters.begin.begin(), parameters.begin.end());
  // A whole translation that was chosen stays among those that the beam finds.
  const bool is_whole = !begin.empty() && (is_end(begin.back()) || begin.size() >= most);
  const bool uses_beam = parameters.beam > 1;
  const bool among = uses_beam && is_whole;
  const std::vector<std::size_t> nothing;
  auto found = translation::search(start(), parameters.beam, among ? nothing : begin, most);
  if (!found) return base::fail(found.error());
  auto said = found->begin();
  if (among) {
    said = std::find_if(found->begin(), found->end(),
                        [&](const translation::Hypothesis& each) { return each.tokens == begin; });
  }
  if (said == found->end()) {  // it was found with another beginning, or by other weights
    auto forced = translation::search(start(), 1, begin, most);
    if (!forced) return base::fail(forced.error());
    const auto place =
        std::upper_bound(found->begin(), found->end(), forced->front(),
                         [](const translation::Hypothesis& a, const translation::Hypothesis& b) {
                           return a.mean_log_probability() > b.mean_log_probability();
                         });
    said = found->insert(place, std::move(forced->front()));
  }
  Translated made;
  made.trained = trained;
  const Vocabulary& vocabulary = translator_of(made).vocabulary();
  made.text = vocabulary.text_of(said->tokens);
  for (std::size_t i = 0; i < said->tokens.size(); ++i) {
    made.places.push_back(
        place_of(vocabulary, said->candidates[i], {said->tokens[i], said->probabilities[i]}));
  }
  if (!uses_beam) return made;
  for (const translation::Hypothesis& each : *found) {
    made.finished.push_back({each.tokens,
                             vocabulary.text_of(each.tokens) + (each.has_ended() ? "" : "…"),
                             each.log_probability});
  }
  return made;
}

translation::Step decoding(const Problem& problem, const Tensor& memory) {
  const Translator& translator = translator_of(*problem.translated);
  model::Transformer transformer = translator.transformer();
  transformer.scale = problem.options.scale;
  transformer.positions = problem.position_encoding;
  return
      [decoder = translation::Decoder(transformer, translator.weights(), problem.decoder, memory)](
          const auto& from, const auto& tokens) mutable { return decoder.step(from, tokens); };
}

std::vector<std::size_t> tokens_of(const Translated& translated) {
  std::vector<std::size_t> tokens;
  for (const Translated::Place& place : translated.places) tokens.push_back(place.said.token);
  return tokens;
}

std::vector<std::size_t> tokens_read(const Translated& translated) {
  std::vector<std::size_t> tokens = tokens_of(translated);
  tokens.pop_back();
  return tokens;
}

std::size_t longest_translation(const Problem& problem) {
  return std::min(longest_target,
                  translation::longest_translation(problem.source.embedding.dim(1)));
}

bool is_end(std::size_t token) { return token == Vocabulary::end; }

std::string_view sentence_to_translate() { return "He admired her as a great director."; }

Example translator() {
  Example made;
  made.id = ExampleId::translator;
  made.name = "translator";
  made.variants = variants;
  made.make = make;
  made.attentions = attentions_of(Arrangement::four_layers);
  made.masks = masks;
  made.has_sentence = true;
  made.sizes = {.embed_dim = 128,
                .num_heads = 8,
                .largest_num_heads = 8,
                .embed_dim_reason_key = "lesson.example.translator.embed_dim"};
  return made;
}

}  // namespace lesson
