// Training as a WebAssembly module of two plain functions, for the page of `make bench`: the task
// that the page begins with, and what this room takes for its steps.
#include <cstddef>
#include <optional>

#include "training/run.hpp"

#define EXPORTED(name) extern "C" __attribute__((used, export_name(#name)))

namespace {

std::optional<training::Run>& run() {
  static std::optional<training::Run> made;
  return made;
}

}  // namespace

/// Begins *reverse* anew with the task's own settings. True if it did.
EXPORTED(training_begin)
bool training_begin() {
  const training::Task& task = training::task(training::TaskId::reverse);
  base::Result<training::Run> begun = training::Run::start(task, task.settings);
  if (begun) run().emplace(*std::move(begun));
  return begun.has_value();
}

/// Takes so many steps; the loss before the last of them, or −1 if one failed.
EXPORTED(training_steps)
double training_steps(std::size_t steps) {
  double loss = 0.0;
  for (std::size_t step = 0; step < steps; ++step) {
    const base::Result<double> learned = run()->step();
    if (!learned) return -1.0;
    loss = *learned;
  }
  return loss;
}
