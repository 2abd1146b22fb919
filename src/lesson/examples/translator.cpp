// A trained translator, English to Spanish: its twelve attentions while it says a sentence.
#include "translation/translator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/text.hpp"
#include "lesson/examples/examples.hpp"
#include "lesson/examples/translating.hpp"
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

base::Result<translation::Translation> say(const Translator& translator,
                                           const Parameters& parameters) {
  const std::vector<std::size_t> begin(parameters.begin.begin(), parameters.begin.end());
  for (const std::size_t token : begin) {
    if (token > Vocabulary::unknown && token < translator.vocabulary().size()) continue;
    if (token == Vocabulary::end) continue;
    return base::fail(base::text("lesson.translation.begin",
                                 {{"token", token}, {"last", translator.vocabulary().size() - 1}}));
  }
  auto said = translator.translate(sentence_of(ExampleId::translator, parameters), 1, begin);
  if (!said) return said;
  const std::size_t longest = std::max(said->source.size(), said->target.size());
  if (longest > longest_target) {
    return base::fail(
        base::text("lesson.translation.too_long", {{"tokens", longest}, {"most", longest_target}}));
  }
  return said;
}

base::Result<Problem> make(const Parameters& parameters) {
  const bool trained = parameters.variant == 0;
  const auto installed = translation::installed(trained);
  if (!installed) return base::fail(installed.error());
  const Translator& translator = **installed;
  const model::Transformer& transformer = translator.transformer();
  const auto said = say(translator, parameters);
  if (!said) return base::fail(said.error());

  Problem problem;
  problem.arrangement = Arrangement::four_layers;
  problem.source = sequence_of(translator, said->source);
  problem.position_encoding = transformer.positions;
  problem.options.activation = transformer.activation;
  problem.options.norm_first = transformer.norm_first;
  problem.encoder = model::encoder_layers(transformer, translator.weights());
  problem.decoder = model::decoder_layers(transformer, translator.weights());
  problem.random = !trained;
  problem.note = base::text(trained ? "lesson.note.trained" : "lesson.note.untrained");
  problem.translated = Translated{said->text, trained, {}, {}};
  problem = with_target(problem, {said->target.begin(), said->target.end() - 1});
  for (std::size_t i = 0; i < said->target.size(); ++i) {
    problem.translated->places.push_back(place_of(translator.vocabulary(), said->candidates[i],
                                                  {said->target[i], said->probabilities[i]}));
  }
  return problem;
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

Translated::Place place_after(const Problem& problem, const Tensor& output,
                              std::optional<std::size_t> token) {
  const Translator& translator = translator_of(*problem.translated);
  const Tensor last = output.narrow(1, output.dim(1) - 1, 1).contiguous();
  const translation::Said said = translator.after(last, token);
  return place_of(translator.vocabulary(), said.best, said.token);
}

bool is_end(std::size_t token) { return token == Vocabulary::end; }

std::string text_of(const Translated& translated) {
  std::vector<std::size_t> tokens;
  for (const Translated::Place& place : translated.places) tokens.push_back(place.said.token);
  return translator_of(translated).vocabulary().text_of(tokens);
}

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
