#include "document/translating.hpp"

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

namespace {

/// The natural logarithm of how probable all of these tokens are together.
double log_probability(const std::vector<lesson::Translated::Place>& places) {
  double sum = 0.0;
  for (const lesson::Translated::Place& place : places) sum += std::log(place.said.probability);
  return sum;
}

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

/// What the problem's translator says, and how probable that is for the changed one.
Result<lesson::Translated::Unchanged> unchanged(const Problem& problem,
                                                const Configuration& configuration) {
  const std::vector<lesson::Translated::Place>& places = problem.translated->places;
  std::vector<std::size_t> tokens;
  for (const lesson::Translated::Place& place : places) tokens.push_back(place.said.token);
  const std::size_t last = tokens.back();
  tokens.pop_back();
  const auto model = changed_model(lesson::with_target(problem, tokens), configuration);
  if (!model) return fail(model.error());
  tokens.push_back(last);
  const tensor::Tensor output = model::compute(*model).back()["layer_output"];
  std::vector<lesson::Translated::Place> now;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    now.push_back(lesson::place_after(problem, output.narrow(1, 0, i + 1), tokens[i]));
  return lesson::Translated::Unchanged{problem.translated->text, log_probability(places),
                                       log_probability(now)};
}

}  // namespace

Result<Problem> translated(const Problem& problem, const Configuration& configuration) {
  if (!problem.translated || !changes_numbers(configuration)) return problem;
  const std::vector<std::uint32_t>& begin = configuration.parameters.begin;
  const std::size_t longest =
      std::min(lesson::longest_target, 2 * problem.source.embedding.dim(1) + 10);
  lesson::Translated said;
  said.trained = problem.translated->trained;
  std::vector<std::size_t> tokens;
  std::vector<model::Trace> parts;
  Problem now = problem;
  while (true) {
    now = lesson::with_target(problem, tokens);
    const auto model = changed_model(now, configuration);
    if (!model) return fail(model.error());
    parts = model::compute(*model, parts);
    std::optional<std::size_t> forced;
    if (tokens.size() < begin.size()) forced = begin[tokens.size()];
    said.places.push_back(lesson::place_after(problem, parts.back()["layer_output"], forced));
    const std::size_t next = said.places.back().said.token;
    if (lesson::is_end(next) || tokens.size() + 1 == longest) break;
    tokens.push_back(next);
  }
  said.text = lesson::text_of(said);
  auto before = unchanged(problem, configuration);
  if (!before) return fail(before.error());
  said.unchanged = *std::move(before);
  now.translated = std::move(said);
  return now;
}

}  // namespace document
