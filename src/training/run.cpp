#include "training/run.hpp"

#include <algorithm>
#include <cmath>

namespace training {

using base::Result;
using tensor::Tensor;

model::Transformer transformer_of(const Task& task, const Settings& settings) {
  model::Transformer made;
  made.vocabulary = task.vocabulary.size();
  made.embed_dim = settings.embed_dim;
  made.num_heads = settings.num_heads;
  made.feed_forward = settings.feed_forward_dim;
  made.encoder_layers = settings.num_layers;
  made.causal = settings.causal;
  made.positions = settings.positions;
  made.scaled_embedding = false;
  if (!settings.scaled) made.scale.kind = model::Scale::Kind::none;
  return made;
}

namespace {

/// So many that a part's gradients take a small share of a frame, and its products are still large
/// enough to be computed fast.
constexpr std::size_t tokens_of_a_part = 256;

/// The batch in parts of at most as many sequences as one attention may have.
std::vector<model::TokenBatch> parts_of(const Batch& batch) {
  std::vector<model::TokenBatch> parts;
  const std::size_t count = batch.tokens.dim(0);
  const std::size_t most =
      std::clamp<std::size_t>(tokens_of_a_part / batch.tokens.dim(1), 1, model::Limits::batch);
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t rows = std::min(most, count - first);
    parts.push_back(
        {batch.tokens.narrow(0, first, rows), {}, batch.targets.narrow(0, first, rows)});
  }
  return parts;
}

}  // namespace

Run::Run(const Task& task, const Settings& settings)
    : task_(&task),
      settings_(settings),
      learner_(transformer_of(task, settings), settings.method, settings.seed) {}

Result<Run> Run::start(const Task& task, const Settings& settings) {
  if (const auto checked = check(settings); !checked) return base::fail(checked.error());
  return Run(task, settings);
}

std::vector<model::TokenBatch> Run::next_parts() const {
  return parts_of(make_batch(*task_, settings_.seed, steps(), settings_.batch_size));
}

Result<double> Run::step() {
  pieces_.clear();
  return learner_.learn(next_parts(), settings_.learning_rate);
}

Result<std::optional<double>> Run::piece_of_step() {
  const std::vector<model::TokenBatch> parts = next_parts();
  auto made = learner_.gradients_of_shard(parts, pieces_.size());
  if (!made) return base::fail(made.error());
  pieces_.push_back(*std::move(made));
  if (pieces_.size() < parts.size()) return std::nullopt;
  const double loss = learner_.step_along(pieces_, settings_.learning_rate);
  pieces_.clear();
  return loss;
}

Result<Score> score_of(const model::Transformer& transformer, const model::Weights& weights,
                       const Batch& batch) {
  Score score;
  std::size_t counted = 0;
  for (const model::TokenBatch& part : parts_of(batch)) {
    const auto model = model::transformer_model(transformer, weights, part);
    if (!model) return base::fail(model.error());
    const std::vector<model::Trace> traces = model::compute(*model);
    const Tensor logits = traces.back()["logits"].contiguous();
    const std::vector<float> right = part.right.values();
    const std::size_t width = logits.dim(2);
    std::size_t counted_here = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (right[i] < 0.0F) continue;
      const float* first = logits.data() + i * width;
      const auto best = std::max_element(first, first + width) - first;
      if (best == static_cast<std::ptrdiff_t>(right[i])) score.accuracy += 1.0;
      ++counted_here;
    }
    score.loss +=
        static_cast<double>(traces.back()["loss"].at({})) * static_cast<double>(counted_here);
    counted += counted_here;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(counted, 1));
  return Score{score.loss / count, score.accuracy / count};
}

namespace {

bool is_finite(const Tensor& tensor) {
  const std::vector<float> values = tensor.values();
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

}  // namespace

std::string_view first_lost_weight(const Learner& learner) {
  for (std::size_t i = 0; i < learner.names().size(); ++i) {
    if (!is_finite(learner.parameters()[i].value)) return learner.names()[i];
  }
  return {};
}

std::string first_lost(const Run& run) {
  if (const std::string_view weight = first_lost_weight(run.learner()); !weight.empty())
    return std::string(weight);
  const Batch batch =
      make_batch(run.task(), run.settings().seed, run.steps(), run.settings().batch_size);
  for (const model::TokenBatch& each : parts_of(batch)) {
    const auto model =
        model::transformer_model(run.learner().in_use(), run.learner().weights(), each);
    if (!model) return {};
    for (const model::Trace& part : model::compute(*model)) {
      for (const model::Node& row : part.nodes) {
        if (!part.has(row.id) || part.made_by(row.id) == nullptr || is_finite(part[row.id]))
          continue;
        const std::string_view name = model::name_of(row.id);
        if (name.find("mask") != std::string_view::npos) continue;
        return (part.name.empty() ? "" : part.name + ".") + std::string(name);
      }
    }
  }
  return {};
}

}  // namespace training
