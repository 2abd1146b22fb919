#include "training/run.hpp"

#include <algorithm>

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

/// The batch in parts of at most as many sequences as one attention may have.
std::vector<model::TokenBatch> parts_of(const Batch& batch) {
  std::vector<model::TokenBatch> parts;
  const std::size_t count = batch.tokens.dim(0);
  for (std::size_t first = 0; first < count; first += model::Limits::batch) {
    const std::size_t rows = std::min(model::Limits::batch, count - first);
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

Result<double> Run::step() {
  const Batch batch = make_batch(*task_, settings_.seed, steps(), settings_.batch_size);
  return learner_.learn(parts_of(batch), settings_.learning_rate);
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

}  // namespace training
