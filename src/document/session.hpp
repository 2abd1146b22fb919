// The current document with its computed numbers, changed by commands, with undo and redo.
#pragma once

#include <optional>
#include <vector>

#include "document/computed.hpp"
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
  /// The result of this document without edits, but with its variant, sentence, sizes and seed;
  /// nullptr if that is the same. Computed at the first call; valid until the next change.
  const Computed* original() const;
  /// True if `original` is not nullptr.
  bool differs() const;

  /// Grows by one whenever `computed` changes.
  std::uint64_t revision() const { return revision_; }
  /// Grows by one whenever anything in the document changed.
  std::uint64_t changes() const { return changes_; }

 private:
  /// What is done with the configuration that is replaced.
  enum class Remember : unsigned char { step, nothing };
  base::Result<void> adopt(Document next, const ViewState& before, Remember remember);
  void remember(Configuration left);
  base::Result<void> perform_as_it_is(const Command& command, bool goes_on);
  /// The command that sets the row of a dragged weight. Each move rescales the row as it was before
  /// the drag, so that weights that became 0 on the way get their share back.
  base::Result<Command> drag(const CellAddress& cell, float value, bool goes_on);
  /// `configuration` computed with the present problem; nullptr on error.
  using Kept = Memo<Configuration, std::optional<Computed>>;
  const Computed* computed_for(const Configuration& configuration, Kept& kept) const;
  /// Undo or redo: moves the present configuration to the end of `to` and takes the last of `from`.
  void walk(std::vector<Configuration>& from, std::vector<Configuration>& to);

  Document document_;
  Computed computed_;
  lesson::Problem problem_;    ///< of document_; kept so that unchanged tensors keep their storage
  bool step_is_open_ = false;  ///< a command that continues the last one belongs to past_.back()
  std::optional<GivenRow> dragged_;  ///< the row of weights as it was before the last command,
                                     ///< where that dragged one
  // Each cache saves 25 ms when the stage is composed, with 9 tokens of 512 numbers.
  mutable Kept without_mistake_;
  mutable Kept original_;
  std::vector<Configuration> past_;
  std::vector<Configuration> future_;
  std::uint64_t revision_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace document
