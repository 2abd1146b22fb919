#include "training/task.hpp"

#include <array>
#include <cassert>
#include <string>

#include "base/text.hpp"
#include "training/tasks/tasks.hpp"

namespace training {
namespace {

/// The next sequence of a stream that is held out, or the next that is not.
Sequence draw(const Task& task, base::Random& random, bool from_held_out) {
  while (true) {
    Sequence sequence = task.draw(random);
    assert(sequence.tokens.size() == task.length && sequence.targets.size() == task.length);
    if (is_held_out(sequence) == from_held_out) return sequence;
  }
}

Batch make(const Task& task, base::Random random, std::size_t count, bool from_held_out) {
  Batch batch{.tokens = tensor::Tensor::uninitialized({count, task.length}),
              .targets = tensor::Tensor::uninitialized({count, task.length})};
  float* token = batch.tokens.mutable_data();
  float* target = batch.targets.mutable_data();
  for (std::size_t i = 0; i < count; ++i) {
    const Sequence sequence = draw(task, random, from_held_out);
    for (const int index : sequence.tokens) *token++ = static_cast<float>(index);
    for (const int index : sequence.targets) *target++ = static_cast<float>(index);
  }
  return batch;
}

}  // namespace

std::string_view Task::title() const {
  return base::text("training.task." + std::string(name) + ".title");
}

std::string_view Task::brief() const {
  return base::text("training.task." + std::string(name) + ".brief");
}

std::string_view Task::rule() const {
  return base::text("training.task." + std::string(name) + ".rule");
}

std::span<const Task> tasks() {
  static const std::array all = {reverse(), agree(), look_back()};
  return all;
}

const Task& task(TaskId id) { return tasks()[static_cast<std::size_t>(id)]; }

std::optional<TaskId> task_named(std::string_view name) {
  for (const Task& each : tasks()) {
    if (each.name == name) return each.id;
  }
  return std::nullopt;
}

Batch make_batch(const Task& task, std::uint32_t seed, std::size_t step, std::size_t batch_size) {
  const std::string stream = std::string(task.name) + ".batch." + std::to_string(step);
  return make(task, base::Random(seed, stream), batch_size, false);
}

Batch held_out(const Task& task, std::size_t count) {
  return make(task, base::Random(0, std::string(task.name) + ".held_out"), count, true);
}

bool is_held_out(const Sequence& sequence) {
  // Random hashes a name to begin its stream with; the tokens are that name.
  std::string name;
  for (const int token : sequence.tokens) name += static_cast<char>(token);
  return base::Random(0, name).bits() % 8 == 0;
}

}  // namespace training
