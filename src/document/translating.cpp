#include "document/translating.hpp"

#include <algorithm>
#include <cmath>
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

/// The model that reads a target, with what the configuration changes.
Result<model::Model> changed_model(const Problem& problem, const Configuration& configuration) {
  const Configuration here = as_far_as_said(problem, configuration);
  auto unedited = with_choices(problem, here);
  if (!unedited) return fail(unedited.error());
  const auto given = with_edits(*std::move(unedited), here.edits);
  if (!given) return fail(given.error());
  return model_of(*given);
}

/// The decoder of the changed model. It reads each translation anew, since a mistake may let a
/// token change what earlier ones computed.
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

/// What the problem's translator says, and how probable that is for the changed one. `last`: as
/// model::compute.
Result<lesson::Translated::Unchanged> unchanged(const Problem& problem,
                                                const Configuration& configuration,
                                                const std::vector<model::Trace>& last) {
  const lesson::Translated& said = *problem.translated;
  const auto model =
      changed_model(lesson::with_target(problem, lesson::tokens_read(said)), configuration);
  if (!model) return fail(model.error());
  const Tensor output = model::compute(*model, last).back()["layer_output"];
  double before = 0.0;
  for (const lesson::Translated::Place& place : said.places)
    before += std::log(place.said.probability);
  return lesson::Translated::Unchanged{said.text, before, lesson::log_probability(said, output)};
}

}  // namespace

Result<Problem> translated(const Problem& problem, const Configuration& configuration,
                           const std::vector<model::Trace>& last) {
  if (!problem.translated || !changes_numbers(configuration)) return problem;
  // With another sentence everything is another; else most of the encoder may be as it was.
  const bool same_source = !last.empty() && last.front()[roles::embedding].defined() &&
                           last.front()[roles::embedding].has_same_bits(problem.source.embedding);
  ChangedDecoder decoder(problem, configuration, same_source ? last : problem.computed);
  auto said = lesson::say(problem.translated->trained, configuration.parameters,
                          lesson::longest_translation(problem), [&] {
                            decoder.begin();
                            return [&](const auto& from, const auto& tokens) {
                              return decoder.step(from, tokens);
                            };
                          });
  if (!said) return fail(said.error());
  auto before = unchanged(problem, configuration, decoder.parts());
  if (!before) return fail(before.error());
  said->unchanged = *std::move(before);
  Problem now = lesson::with_target(problem, lesson::tokens_read(*said));
  now.translated = *std::move(said);
  now.computed = decoder.parts();
  return now;
}

}  // namespace document
