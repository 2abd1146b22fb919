#include "app/command_line/command_line_train.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/command_line/command_line_io.hpp"
#include "base/decimal.hpp"
#include "files/quote.hpp"
#include "training/run.hpp"
#include "training/weights_file.hpp"
#include "translation/train.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;

std::string decimals(double number, int places) {
  if (std::isfinite(number) && std::fabs(number) >= base::too_large_to_write_out)
    return base::with_exponent(number, 2);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, number);
  return text.data();
}

void progress(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

Result<void> write(const std::string& path, const Result<std::vector<std::byte>>& bytes) {
  if (!bytes) return fail(bytes.error());
  return write_file(path, *bytes);
}

/// Goes on from the checkpoint if there is one.
Result<void> resume(const std::string& path, training::Learner& learner) {
  if (path.empty() || !std::filesystem::exists(path)) return {};
  const auto bytes = read_file(path);
  if (!bytes) return fail(bytes.error());
  const auto in_file = [&](const base::Error& error) {
    return fail(path_in_quotes(path) + ": " + error.message);
  };
  const auto file = files::read_safetensors(*bytes);
  if (!file) return in_file(file.error());
  if (const auto restored = training::restore(*file, learner); !restored)
    return in_file(restored.error());
  progress("goes on after " + std::to_string(learner.steps()) + " steps");
  return {};
}

Result<void> train_task(const training::Task& task, const TrainRequest& request) {
  training::Settings settings = task.settings;
  settings.steps = request.steps.value_or(settings.steps);
  settings.batch_size = request.batch_size.value_or(settings.batch_size);
  settings.learning_rate = request.learning_rate.value_or(settings.learning_rate);
  settings.method = request.method.value_or(settings.method);
  settings.seed = request.seed.value_or(settings.seed);
  auto run = training::Run::start(task, settings);
  if (!run) return fail(run.error());
  if (auto resumed = resume(request.checkpoint, run->learner()); !resumed) return resumed;
  const training::Batch held_out = training::held_out(task, training::held_out_sequences);
  const auto score = [&] {
    return training::score_of(run->learner().in_use(), run->learner().weights(), held_out);
  };
  const std::size_t often = std::max<std::size_t>(settings.steps / 20, 1);
  while (run->steps() < settings.steps) {
    const training::Run before = *run;
    const auto loss = run->step();
    if (!loss) return fail(loss.error());
    if (!std::isfinite(*loss)) {
      const std::string first = training::first_lost(before);
      return fail("After " + std::to_string(before.steps()) + " steps " +
                  (first.empty() ? "the loss" : first) +
                  " is the first tensor with a number that is not finite: with a smaller learning "
                  "rate that does not happen.");
    }
    if (run->steps() % often != 0) continue;
    const auto now = score();
    if (!now) return fail(now.error());
    progress("step " + std::to_string(run->steps()) + ": loss " + decimals(*loss, 4) +
             ", held-out loss " + decimals(now->loss, 4) + ", accuracy " +
             decimals(now->accuracy, 3));
  }
  const auto reached = score();
  if (!reached) return fail(reached.error());
  const std::string result = "held-out accuracy " + decimals(reached->accuracy, 3) + " after " +
                             std::to_string(run->steps()) + " steps";
  if (!request.checkpoint.empty()) {
    auto written = write(request.checkpoint, training::write_weights(run->learner(), true, {}));
    if (!written) return written;
  }
  const files::Metadata metadata = {{"generator", "attention-live " ATTENTION_LIVE_VERSION},
                                    {"task", std::string(task.name)},
                                    {"result", result}};
  auto written = write(request.output, training::write_weights(run->learner(), false, metadata));
  if (!written) return written;
  return print(result + '\n');
}

/// The weights before the first step, the batches, the losses, and the gradients of the first step,
/// for somebody else to compute again. Nothing is dropped.
Result<void> record(translation::TranslatorRun& run, std::size_t steps, const std::string& path) {
  std::vector<files::NamedTensor> tensors;
  for (const auto& [name, weight] : run.learner().weights())
    tensors.push_back({"weight." + name, weight.clone()});
  std::vector<float> losses;
  std::vector<float> rates;
  for (std::size_t i = 0; i < steps; ++i) {
    const std::vector<model::TokenBatch> shards = run.next_batch();
    for (std::size_t shard = 0; shard < shards.size(); ++shard) {
      const std::string name = "batch." + std::to_string(i) + '.' + std::to_string(shard) + '.';
      tensors.push_back({name + "source", shards[shard].source});
      tensors.push_back({name + "target", shards[shard].target});
      tensors.push_back({name + "right", shards[shard].right});
      if (i > 0) continue;
      const auto made = training::gradients_of(run.learner().transformer(), run.learner().weights(),
                                               shards[shard]);
      if (!made) return fail(made.error());
      for (const auto& [weight, gradient] : made->of)
        tensors.push_back({"gradient." + std::to_string(shard) + '.' + weight, gradient});
    }
    rates.push_back(run.learning_rate());
    const auto loss = run.learner().learn(shards, rates.back());
    if (!loss) return fail(loss.error());
    losses.push_back(static_cast<float>(*loss));
  }
  tensors.push_back({"losses", tensor::Tensor({losses.size()}, losses)});
  tensors.push_back({"learning_rates", tensor::Tensor({rates.size()}, rates)});
  return write(path, files::write_safetensors(tensors));
}

/// BLEU with the weights as they are and rounded as they are written; writes these.
Result<void> write_translator(const translation::TranslatorRun& run, const std::string& path) {
  const auto bleu_of = [&](const model::Weights& weights) {
    return run.held_out_bleu(run.held_out().size(), weights);
  };
  const auto bleu = bleu_of(run.learner().weights());
  if (!bleu) return fail(bleu.error());
  const auto bytes = training::write_rounded_weights(run.learner(), {});
  if (!bytes) return fail(bytes.error());
  const auto file = files::read_safetensors(*bytes);
  if (!file) return fail(file.error());
  const auto rounded = training::weights_from(*file);
  if (!rounded) return fail(rounded.error());
  const auto rounded_bleu = bleu_of(*rounded);
  if (!rounded_bleu) return fail(rounded_bleu.error());
  const std::string result = "held-out BLEU " + decimals(*bleu, 2) + ", with rounded weights " +
                             decimals(*rounded_bleu, 2) + ", after " +
                             std::to_string(run.learner().steps()) + " steps";
  files::Metadata metadata = run.metadata();
  metadata.insert(metadata.begin(), {"generator", "attention-live " ATTENTION_LIVE_VERSION});
  metadata.emplace_back("result", result);
  auto written = write(path, training::write_rounded_weights(run.learner(), metadata));
  if (!written) return written;
  return print(result + '\n');
}

Result<void> train_translator(const TrainRequest& request) {
  if (request.data.empty()) {
    return fail(
        "--task translate needs --data FILE: pairs of sentences, one pair a line, with a tab "
        "between them.");
  }
  const auto bytes = read_file(request.data);
  if (!bytes) return fail(bytes.error());
  auto run = translation::TranslatorRun::start(
      {reinterpret_cast<const char*>(bytes->data()), bytes->size()},
      {.batch_size = request.batch_size.value_or(128),
       .seed = request.seed.value_or(1),
       .dropout = request.record.empty() ? 0.1F : 0.0F});
  if (!run) return fail(path_in_quotes(request.data) + ": " + run.error().message);
  progress(std::to_string(run->pairs()) + " pairs to learn from, " +
           std::to_string(run->vocabulary().size()) + " tokens, " +
           std::to_string(run->learner().parameter_count()) + " weights");
  if (!request.record.empty()) return record(*run, request.steps.value_or(200), request.record);
  if (auto resumed = resume(request.checkpoint, run->learner()); !resumed) return resumed;
  const std::size_t epoch = run->steps_per_epoch();
  const std::size_t steps = request.steps.value_or(epoch * 20);
  const auto since = std::chrono::steady_clock::now();
  double loss_sum = 0.0;
  std::size_t loss_count = 0;
  while (run->learner().steps() < steps) {
    const auto loss = run->step();
    if (!loss) return fail(loss.error());
    loss_sum += *loss;
    ++loss_count;
    const std::size_t now = run->learner().steps();
    if (now % 50 == 0) {
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
      progress("step " + std::to_string(now) + ", epoch " +
               decimals(static_cast<double>(now) / static_cast<double>(epoch), 2) + ": loss " +
               decimals(loss_sum / static_cast<double>(loss_count), 4) + ", " +
               decimals(seconds, 0) + " s");
      loss_sum = 0.0;
      loss_count = 0;
    }
    if (now % 500 == 0 && !request.checkpoint.empty()) {
      auto written = write(request.checkpoint, training::write_weights(run->learner(), true, {}));
      if (!written) return written;
    }
    if (now % (2 * epoch) == 0 && now < steps) {
      const auto bleu = run->held_out_bleu(400, run->learner().weights());
      if (!bleu) return fail(bleu.error());
      progress("held-out BLEU of 400 sentences: " + decimals(*bleu, 2));
    }
  }
  if (!request.checkpoint.empty()) {
    auto written = write(request.checkpoint, training::write_weights(run->learner(), true, {}));
    if (!written) return written;
  }
  return write_translator(*run, request.output);
}

}  // namespace

Result<void> run_train(const TrainRequest& request) {
  for (const std::string& path : {request.output, request.checkpoint, request.record}) {
    if (path.empty()) continue;
    if (auto writable = check_writable(path); !writable) return writable;
  }
  if (request.task == "translate") return train_translator(request);
  if (!request.data.empty()) return fail("--data is for --task translate.");
  if (const auto task = training::task_named(request.task))
    return train_task(training::task(*task), request);
  std::string names;
  for (const training::Task& task : training::tasks()) names += std::string(task.name) + ", ";
  return fail("There is no task " + files::in_quotes(request.task) + "; allowed: " + names +
              "translate.");
}

}  // namespace app
