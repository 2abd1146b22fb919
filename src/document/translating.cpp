#include "document/translating.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "document/edits/given.hpp"
#include "document/model_of.hpp"
#include "lesson/examples/translating.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::Problem;
namespace roles = model::roles;
using tensor::Tensor;

namespace {

bool changes_numbers(const Configuration& configuration) {
  Configuration unchanged;
  unchanged.example = configuration.example;
  unchanged.parameters = configuration.parameters;
  unchanged.target = configuration.target;
  unchanged.training = configuration.training;
  return configuration != unchanged;
}

/// What of the configuration belongs to tokens that are there.
Configuration as_far_as_said(const Problem& problem, Configuration configuration) {
  Configuration without = configuration;
  without.given_weights.clear();
  without.edits.clear();
  auto given = with_choices(problem, without);
  if (!given) return configuration;
  std::erase_if(configuration.edits,
                [&](const Edit& edit) { return !tensor_behind(*given, edit.cell); });
  std::erase_if(configuration.given_weights, [&](const GivenRow& row) {
    const std::size_t queries = query_sequence(problem, row.attention).embedding.dim(1);
    const std::size_t keys = key_sequence(problem, row.attention).embedding.dim(1);
    return row.row.query >= queries || row.row.weights.size() != keys;
  });
  return configuration;
}

/// The problem with what the configuration changes.
Result<Given> changed(const Problem& problem, const Configuration& configuration) {
  const Configuration here = as_far_as_said(problem, configuration);
  auto unedited = with_choices(problem, here);
  if (!unedited) return fail(unedited.error());
  return with_edits(*std::move(unedited), here.edits);
}

/// The model that reads a target, with what the configuration changes.
Result<model::Model> changed_model(const Problem& problem, const Configuration& configuration) {
  const auto given = changed(problem, configuration);
  if (!given) return fail(given.error());
  return model_of(*given);
}

/// Whether a token of the decoder changes nothing of what earlier ones computed, so that their keys
/// and values can be kept.
bool keeps_earlier(const Configuration& configuration) {
  const auto encodes = [](lesson::AttentionId id) {
    return lesson::kind_of(id) == lesson::AttentionId::encoder_self_attention;
  };
  if (configuration.mistake != model::Mistake::none &&
      configuration.mistake != model::Mistake::no_scale)
    return false;
  if (configuration.scale && configuration.scale->kind == model::Scale::Kind::sqrt_keys)
    return false;
  // Of the decoder, weights may be edited: its masks and embeddings are as long as the translation.
  return std::all_of(configuration.masks.begin(), configuration.masks.end(),
                     [&](const auto& mask) { return encodes(mask.first); }) &&
         std::all_of(configuration.edits.begin(), configuration.edits.end(),
                     [&](const Edit& edit) {
                       return encodes(edit.cell.attention) || edit.cell.index.rank() <= 2;
                     }) &&
         std::all_of(configuration.given_weights.begin(), configuration.given_weights.end(),
                     [](const GivenRow& given) {
                       return lesson::kind_of(given.attention) !=
                              lesson::AttentionId::decoder_self_attention;
                     });
}

/// The decoder of the changed model where keys and values cannot be kept: it reads each translation
/// anew.
class ChangedDecoder {
 public:
  /// `last`: what was computed before, as for model::compute.
  ChangedDecoder(const Problem& problem, const Configuration& configuration,
                 std::vector<model::Trace> last)
      : problem_(problem), configuration_(configuration), rows_{{{}, std::move(last)}} {
    problem_.computed.clear();  // it is copied for each token
  }

  /// Decodes anew.
  void begin() {
    rows_.resize(1);
    rows_[0].tokens.clear();
    has_begun_ = false;
  }

  /// As translation::Step.
  Result<Tensor> step(const std::vector<std::size_t>& from,
                      const std::vector<std::size_t>& tokens) {
    std::vector<Row> next;
    Tensor logits;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Row& before = rows_[from[i]];
      Row row{before.tokens, {}};
      if (has_begun_) row.tokens.push_back(tokens[i]);
      const auto model = changed_model(lesson::with_target(problem_, row.tokens), configuration_);
      if (!model) return fail(model.error());
      row.parts = model::compute(*model, before.parts);
      const Tensor& output = row.parts.back()["layer_output"];
      const Tensor own = lesson::logits_after(*problem_.translated,
                                              output.narrow(1, output.dim(1) - 1, 1).contiguous());
      if (i == 0) logits = Tensor::uninitialized({tokens.size(), 1, own.dim(2)});
      std::copy_n(own.data(), own.size(), logits.mutable_data() + i * own.size());
      next.push_back(std::move(row));
    }
    has_begun_ = true;
    rows_ = std::move(next);
    return logits;
  }

  /// What the whole model computed for one of the translations.
  const std::vector<model::Trace>& parts() const { return rows_.front().parts; }

 private:
  struct Row {
    std::vector<std::size_t> tokens;  ///< that follow [start]
    std::vector<model::Trace> parts;
  };
  Problem problem_;
  const Configuration& configuration_;
  bool has_begun_ = false;
  std::vector<Row> rows_;
};

/// Says what the changed model says. `parts`: what was computed before, as for model::compute, and
/// afterwards what of it decoding has computed.
Result<lesson::Translated> say_changed(const Problem& problem, const Configuration& configuration,
                                       std::vector<model::Trace>& parts) {
  const auto say = [&](const std::function<translation::Step()>& start) {
    return lesson::say(problem.translated->trained, configuration.parameters,
                       lesson::longest_translation(problem), start);
  };
  if (!keeps_earlier(configuration)) {
    ChangedDecoder decoder(problem, configuration, std::move(parts));
    auto said = say([&] {
      decoder.begin();
      return [&](const auto& from, const auto& tokens) { return decoder.step(from, tokens); };
    });
    parts = decoder.parts();
    return said;
  }
  const auto given = changed(problem, configuration);
  if (!given) return fail(given.error());
  auto encoder = model_of(*given);
  if (!encoder) return fail(encoder.error());
  encoder->resize(problem.computed.size());  // the encoder comes first
  parts = model::compute(*encoder, parts);
  return say([&] { return lesson::decoding(given->problem, parts.back()["layer_output"]); });
}

double log_probability_of(const lesson::Translated& said) {
  double sum = 0.0;
  for (const lesson::Translated::Place& place : said.places)
    sum += std::log(place.said.probability);
  return sum;
}

/// What the problem's translator says, and how probable that is for the changed one. `parts`: as of
/// say_changed.
Result<lesson::Translated::Unchanged> unchanged(const Problem& problem,
                                                const Configuration& configuration,
                                                std::vector<model::Trace>& parts) {
  const lesson::Translated& said = *problem.translated;
  lesson::Translated::Unchanged made{said.text, log_probability_of(said), 0.0};
  if (!keeps_earlier(configuration)) {  // no token may know the later ones
    Configuration forced = configuration;
    const auto tokens = lesson::tokens_of(said);
    forced.parameters.begin.assign(tokens.begin(), tokens.end());
    forced.parameters.beam = 1;
    const auto again = say_changed(problem, forced, parts);
    if (!again) return fail(again.error());
    made.log_probability_now = log_probability_of(*again);
    return made;
  }
  const auto model =
      changed_model(lesson::with_target(problem, lesson::tokens_read(said)), configuration);
  if (!model) return fail(model.error());
  parts = model::compute(*model, parts);
  made.log_probability_now = lesson::log_probability(said, parts.back()["layer_output"]);
  return made;
}

}  // namespace

Result<Problem> translated(const Problem& problem, const Configuration& configuration,
                           const std::vector<model::Trace>& last) {
  if (!problem.translated || !changes_numbers(configuration)) return problem;
  // With another sentence everything is another; else most of the encoder may be as it was.
  const bool same_source = !last.empty() && last.front()[roles::embedding].defined() &&
                           last.front()[roles::embedding].has_same_bits(problem.source.embedding);
  std::vector<model::Trace> parts = same_source ? last : problem.computed;
  auto said = say_changed(problem, configuration, parts);
  if (!said) return fail(said.error());
  auto before = unchanged(problem, configuration, parts);
  if (!before) return fail(before.error());
  said->unchanged = *std::move(before);
  said->kept = keeps_earlier(configuration);
  Problem now = lesson::with_target(problem, lesson::tokens_read(*said));
  now.translated = *std::move(said);
  now.computed = std::move(parts);
  return now;
}

}  // namespace document
