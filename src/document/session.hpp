// The current document with its computed numbers, changed by commands, with undo and redo.
#pragma once

#include <optional>
#include <vector>

#include "document/computed.hpp"
#include "document/learning/training_run.hpp"
#include "document/lesson_file/allowed.hpp"
#include "document/memo.hpp"

namespace document {

inline constexpr std::size_t max_undo_steps = 1000;
/// The most edits that all undo steps together may hold, to bound the memory of long histories.
inline constexpr std::size_t max_undo_edits = 200'000;

/// Holds the current document and everything computed from it. A command that fails changes
/// nothing.
class Session {
 public:
  /// Starts with `document`, or, if that cannot be computed, with the default document.
  explicit Session(Document document = {});

  const Document& document() const { return document_; }
  const Computed& computed() const { return computed_; }
  /// The attention on screen.
  const ComputedAttention& attention() const {
    return computed_.find(document_.view_state.attention);
  }

  /// Carries out a command. `goes_on`: it continues the last one, as each move of a drag does, and
  /// both are one undo step. Errors: a sentence that says what is wrong and what is allowed.
  base::Result<void> perform(const Command& command, bool goes_on = false);
  /// Commands for anything else are refused from now on: for a step of a lesson.
  void allow(const Allowed& allowed) { allowed_ = allowed; }
  /// Replaces the whole document (the API): one undo step.
  base::Result<void> replace(const Document& document);
  /// The same for a document from a link. Whatever differs between its view state and `before` was
  /// asked for, and is an error if it does not exist.
  base::Result<void> replace(const Document& document, const ViewState& before);

  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  void undo();
  void redo();
  /// Forgets all undo and redo steps.
  void clear_history();
  /// Takes back the last command and those that continued it, without a step to redo: for a drag
  /// that is cancelled. Does nothing if undo or redo came in between.
  void take_back();

  /// The result of this document without its mistake; nullptr if it makes none. Computed at the
  /// first call; valid until the next change.
  const Computed* without_mistake() const;
  /// The result of this document without the numbers and weights that were set by hand and with all
  /// heads on; nullptr if that is the same. Computed at the first call; valid until the next
  /// change.
  const Computed* without_edits() const;
  /// The result of this document without edits, but with its variant, sentence, sizes and seed;
  /// nullptr if that is the same. Computed at the first call; valid until the next change.
  const Computed* original() const;
  /// True if `original` is not nullptr.
  bool differs() const;

  // Training, where the example has a task. It runs in slices; between them the numbers are those
  // of the weights so far. All commands can be carried out meanwhile.

  bool has_task() const {
    return lesson::example(document_.configuration.example).task.has_value();
  }
  /// The training of this example, or of one before; nullptr if there is none yet.
  const TrainingRun* training_run() const { return run_ ? &*run_ : nullptr; }
  /// The number of steps whose weights are shown: less than the document asks for until that is
  /// reached.
  std::size_t shown_steps() const { return shown_steps_; }
  /// attention_weights [B,H,Lq,Lk] of the attention on screen after so many steps, otherwise as the
  /// document is; undefined where those weights are not known. Kept until something changes.
  tensor::Tensor weights_after(std::size_t steps) const;
  /// Learns on until next_end, from the last weights that were reached. Errors: no task.
  base::Result<void> play_training();
  void pause_training() { end_.reset(); }
  /// Back to the weights before the first step, and everything that was learned is forgotten.
  base::Result<void> restart_training();
  /// True while play_training goes on.
  bool plays_training() const { return end_.has_value(); }
  /// True while there is something to learn: train() is to be called again.
  bool trains() const;
  /// Learns for about so many seconds, at least a little.
  void train(double seconds);

  /// Grows by one whenever `computed` changes.
  std::uint64_t revision() const { return revision_; }
  /// Grows by one whenever anything in the document changed.
  std::uint64_t changes() const { return changes_; }

 private:
  /// What is done with the configuration that is replaced.
  enum class Remember : unsigned char { step, nothing };
  /// What undo or redo goes to: numbers, and what was shown of them if Reset or the choice of
  /// another example changed that too.
  struct Moment {
    Configuration configuration;
    std::optional<ViewState> shown;
  };
  base::Result<void> adopt(Document next, const ViewState& before, Remember remember);
  base::Result<void> reset(Document next);
  void remember(Moment left);
  base::Result<void> perform_as_it_is(const Command& command, bool goes_on);
  /// The command that sets the row of a dragged weight. Each move rescales the row as it was before
  /// the drag, so that weights that became 0 on the way get their share back.
  base::Result<Command> drag(const CellAddress& cell, float value, bool goes_on);
  /// Computes the document with the weights that are to be shown, if they are others than before.
  void show_learned();
  /// `configuration` computed with the present problem; nullptr on error.
  using Kept = Memo<Configuration, std::optional<Computed>>;
  const Computed* computed_for(const Configuration& configuration, Kept& kept) const;
  /// Undo or redo: moves the present moment to the end of `to` and takes the last of `from`.
  void walk(std::vector<Moment>& from, std::vector<Moment>& to);

  Document document_;
  Allowed allowed_;
  Computed computed_;
  lesson::Problem problem_;  ///< of document_; kept so that unchanged tensors keep their storage
  std::optional<TrainingRun> run_;
  std::size_t shown_steps_ = 0;
  std::optional<std::size_t> end_;  ///< where play_training ends
  bool step_is_open_ = false;  ///< a command that continues the last one belongs to past_.back()
  std::optional<GivenRow> dragged_;  ///< the row of weights as it was before the last command,
                                     ///< where that dragged one
  // Each cache saves 25 ms when the stage is composed, with 9 tokens of 512 numbers.
  struct FilmOf {
    Configuration configuration;  ///< at 0 steps
    lesson::AttentionId attention;
    friend bool operator==(const FilmOf&, const FilmOf&) = default;
  };
  mutable Memo<FilmOf, std::map<std::size_t, tensor::Tensor>> film_;
  mutable Kept without_mistake_;
  mutable Kept without_edits_;
  mutable Kept original_;
  std::vector<Moment> past_;
  std::vector<Moment> future_;
  std::uint64_t revision_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace document
