#include "translation/train.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "training/parallel.hpp"
#include "translation/bleu.hpp"
#include "translation/decoding/translate.hpp"

namespace translation {

using base::fail;
using base::Result;

model::Transformer translator_of(std::size_t vocabulary, float dropout) {
  model::Transformer made;
  made.vocabulary = vocabulary;
  made.embed_dim = 128;
  made.num_heads = 8;
  made.feed_forward = 512;
  made.encoder_layers = 4;
  made.decoder_layers = 4;
  made.tied = true;
  made.padding = static_cast<int>(Vocabulary::padding);
  made.dropout = dropout;
  made.label_smoothing = 0.1F;
  return made;
}

TranslatorRun::TranslatorRun(const TranslatorSettings& settings, Vocabulary vocabulary)
    : settings_(settings),
      vocabulary_(std::move(vocabulary)),
      learner_(translator_of(vocabulary_.size(), settings.dropout), training::Method::adam,
               settings.seed) {}

Result<TranslatorRun> TranslatorRun::start(std::string_view text,
                                           const TranslatorSettings& settings) {
  auto pairs = read_pairs(text);
  if (!pairs) return fail(pairs.error());
  Split parts = split(*pairs);
  std::vector<std::string> sentences;
  for (const SentencePair& pair : parts.training) {
    sentences.push_back(pair.source);
    sentences.push_back(pair.target);
  }
  TranslatorRun run(settings, Vocabulary(learn_pieces(sentences, settings.vocabulary)));
  run.pairs_ = tokens_of(parts.training, run.vocabulary_);
  run.held_out_ = std::move(parts.held_out);
  if (run.pairs_.empty()) return fail(base::text("translation.corpus.none_left"));
  return run;
}

std::size_t TranslatorRun::steps_per_epoch() const {
  return (pairs_.size() + settings_.batch_size - 1) / settings_.batch_size;
}

std::vector<model::TokenBatch> TranslatorRun::next_batch() {
  const std::size_t epoch = learner_.steps() / steps_per_epoch();
  if (batches_.empty() || epoch != epoch_)
    batches_ = batches_of(pairs_, settings_.batch_size, settings_.seed, epoch);
  epoch_ = epoch;
  const std::vector<std::size_t>& places = batches_[learner_.steps() % steps_per_epoch()];
  // Each part takes every so many-th pair: sentences are in the order of their lengths.
  const std::size_t count =
      std::max(std::min(training::most_threads(), places.size()),
               (places.size() + model::Limits::batch - 1) / model::Limits::batch);
  std::vector<model::TokenBatch> shards;
  for (std::size_t shard = 0; shard < count; ++shard) {
    std::vector<std::size_t> part;
    for (std::size_t i = shard; i < places.size(); i += count) part.push_back(places[i]);
    shards.push_back(batch_of(pairs_, part));
  }
  return shards;
}

float TranslatorRun::learning_rate() const {
  return training::warmup_then_decay(learner_.steps() + 1, learner_.transformer().embed_dim,
                                     settings_.warmup_steps);
}

Result<double> TranslatorRun::step() { return learner_.learn(next_batch(), learning_rate()); }

Result<double> TranslatorRun::held_out_bleu(std::size_t count,
                                            const model::Weights& weights) const {
  count = std::min(count, held_out_.size());
  constexpr std::size_t at_once = 50;
  std::vector<std::size_t> order(count);
  std::vector<std::vector<std::size_t>> sources(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = i;
    sources[i] = vocabulary_.tokens_of(held_out_[i].source);
    sources[i].push_back(Vocabulary::end);
  }
  // Sentences of about the same length together.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(sources[a].size(), a) < std::pair(sources[b].size(), b);
  });
  const model::Transformer transformer = learner_.in_use();
  std::vector<std::string> translations(count);
  const std::size_t batches = (count + at_once - 1) / at_once;
  const std::size_t threads = std::max<std::size_t>(std::min(training::most_threads(), batches), 1);
  std::vector<Result<void>> results(threads);
  training::parallel(threads, [&](std::size_t thread) {
    model::Weights own;
    for (const auto& [name, weight] : weights) own[name] = weight.clone();
    for (std::size_t batch = thread; batch < batches; batch += threads) {
      const std::size_t first = batch * at_once;
      const std::size_t last = std::min(first + at_once, count);
      std::vector<std::vector<std::size_t>> some;
      for (std::size_t i = first; i < last; ++i) some.push_back(sources[order[i]]);
      const auto made = translate(transformer, own, some);
      if (!made) {
        results[thread] = fail(made.error());
        return;
      }
      for (std::size_t i = first; i < last; ++i)
        translations[order[i]] = vocabulary_.text_of((*made)[i - first]);
    }
  });
  for (const Result<void>& result : results) {
    if (!result) return fail(result.error());
  }
  std::vector<std::vector<std::string>> references;
  for (std::size_t i = 0; i < count; ++i) references.push_back(held_out_[i].references);
  return bleu(translations, references);
}

files::Metadata TranslatorRun::metadata() const {
  std::string pieces;
  for (std::size_t i = Vocabulary::unknown + 1; i < vocabulary_.size(); ++i)
    pieces += (pieces.empty() ? "" : "\n") + vocabulary_.piece(i);
  return {{"task", "translate"},
          {"licence",
           "Trained on sentence pairs from www.manythings.org/anki and tatoeba.org, CC-BY 2.0"},
          {"pieces", pieces}};
}

}  // namespace translation
