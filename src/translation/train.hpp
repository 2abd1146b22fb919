// Training a translator: "Attention Is All You Need" in the size of a tutorial.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors_header.hpp"
#include "training/learner.hpp"
#include "translation/corpus.hpp"

namespace translation {

struct TranslatorSettings {
  std::size_t batch_size = 128;
  std::uint32_t seed = 1;
  std::size_t vocabulary = 8000;
  std::size_t warmup_steps = 3000;
  float dropout = 0.1F;
};

/// 4 + 4 layers, 128 wide, 8 heads, feed-forward 512, one vocabulary for both languages.
model::Transformer translator_of(std::size_t vocabulary, float dropout);

class TranslatorRun {
 public:
  /// `text`: pairs of sentences (read_pairs). 2,000 pairs are held out. Errors: as read_pairs.
  static base::Result<TranslatorRun> start(std::string_view text,
                                           const TranslatorSettings& settings);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const std::vector<HeldOut>& held_out() const { return held_out_; }
  std::size_t pairs() const { return pairs_.size(); }
  std::size_t steps_per_epoch() const;
  const training::Learner& learner() const { return learner_; }
  training::Learner& learner() { return learner_; }

  /// The next batch, in as many parts as there are cores.
  std::vector<model::TokenBatch> next_batch();
  float learning_rate() const;
  /// Learns from the next batch. Returns its loss, label smoothing included.
  base::Result<double> step();
  /// BLEU of the first `count` held-out sentences with these weights, against all references that
  /// each has.
  base::Result<double> held_out_bleu(std::size_t count, const model::Weights& weights) const;
  /// For the file of weights: the pieces of the vocabulary, and whom the data are from.
  files::Metadata metadata() const;

 private:
  TranslatorRun(const TranslatorSettings& settings, Vocabulary vocabulary);

  TranslatorSettings settings_;
  Vocabulary vocabulary_;
  std::vector<TokenPair> pairs_;
  std::vector<HeldOut> held_out_;
  training::Learner learner_;
  std::size_t epoch_ = 0;
  std::vector<std::vector<std::size_t>> batches_;  ///< of this epoch
};

}  // namespace translation
