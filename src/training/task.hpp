// What can be learned: sequences that are made by a rule, and what is to be answered at each token.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "tensor/tensor.hpp"
#include "training/settings.hpp"

namespace training {

/// As `Task::name`: in links, API and command.
enum class TaskId : unsigned char { reverse, agree, look_back };

/// The target of a position that is not counted: nothing is asked there.
inline constexpr int not_counted = -1;

/// One sequence of a task: for each position a token, and the token that is the right answer there,
/// or not_counted. Both are indices into the task's vocabulary.
struct Sequence {
  std::vector<int> tokens;
  std::vector<int> targets;
};

struct Task {
  TaskId id = TaskId::reverse;
  std::string_view name;  ///< "look-back"
  std::span<const std::string_view> vocabulary;
  std::size_t length = 0;  ///< of every sequence
  Settings settings;       ///< learned with these, unless the reader chooses otherwise
  /// The next sequence of a stream, `length` long, with at least one position that counts.
  Sequence (*draw)(base::Random& random) = nullptr;

  std::string_view title() const;  ///< "look back"
  std::string_view brief() const;  ///< what is to be learned, in a short line
  std::string_view rule() const;   ///< the same in two sentences
};

/// All tasks, in the order of TaskId.
std::span<const Task> tasks();
const Task& task(TaskId id);
std::optional<TaskId> task_named(std::string_view name);

/// Sequences as a model takes them: whole numbers, stored as floats like all others.
struct Batch {
  tensor::Tensor tokens;   ///< [B,L]
  tensor::Tensor targets;  ///< [B,L]; −1 where a position is not counted
};

/// What is learned from at step `step`, none of it held out. Depends on these arguments and on
/// nothing else, so that training can begin anywhere. 0 < batch_size.
Batch make_batch(const Task& task, std::uint32_t seed, std::size_t step, std::size_t batch_size);

/// How many of them accuracy is measured on.
inline constexpr std::size_t held_out_sequences = 256;

/// `count` > 0 sequences that are never learned from, the same for every seed.
Batch held_out(const Task& task, std::size_t count);

/// True for about one in eight sequences: those are never learned from. The tokens alone decide, so
/// a sequence is on one side whenever and by whichever seed it is drawn.
bool is_held_out(const Sequence& sequence);

}  // namespace training
