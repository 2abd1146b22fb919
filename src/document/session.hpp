// The document over time: commands in, a computed document out, undo and redo.
#pragma once

#include <optional>
#include <vector>

#include "document/computed.hpp"
#include "document/memo.hpp"

namespace document {

inline constexpr std::size_t max_undo_steps = 1000;
/// All steps together remember no more edits than this, so that long histories of large documents
/// stay small.
inline constexpr std::size_t max_undo_edits = 200'000;

/// Holds the current document with everything computed from it. A command either succeeds as a
/// whole or leaves all as it was.
class Session {
 public:
  /// Starts with `document`, or, if that cannot be computed, with the default document.
  explicit Session(Document document = {});

  const Document& document() const { return document_; }
  const Computed& computed() const { return computed_; }
  /// The attention that is looked at.
  const ComputedAttention& attention() const {
    return computed_.find(document_.view_state.attention);
  }

  /// Errors: one sentence naming what is wrong and what is allowed; nothing has changed then.
  /// `goes_on`: this command continues the last one, as each move of a drag does; undo takes them
  /// back together.
  base::Result<void> perform(const Command& command, bool goes_on = false);
  /// Replaces the whole document (the API): one undo step.
  base::Result<void> replace(const Document& document);
  /// The same for a document that did not grow out of this one (a link): where its view state
  /// differs from `before`, that was asked for, and is an error where it is not there.
  base::Result<void> replace(const Document& document, const ViewState& before);

  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  void undo();
  void redo();
  /// Makes the present document the one that everything began with: nothing to undo or redo.
  void clear_history();
  /// Takes back the last command with all that continued it, as if it had never been: there is
  /// nothing to redo then. For a drag that is broken off; does nothing where undo or redo came
  /// between.
  void take_back();

  /// What this document would compute without its mistake; nullptr where it makes none. Computed
  /// when it is first asked for; valid until the next change.
  const Computed* without_mistake() const;
  /// The example without any changed number, as after Reset but with this variant, sentence, sizes
  /// and seed; nullptr where nothing differs from it. Computed when it is first asked for; valid
  /// until the next change.
  const Computed* original() const;
  /// True where some number was changed: `original` is there then.
  bool differs() const;

  /// Grows by one whenever `computed` was computed anew.
  std::uint64_t revision() const { return revision_; }
  /// Grows by one whenever anything in the document changed.
  std::uint64_t changes() const { return changes_; }

 private:
  /// What happens to the configuration that is left.
  enum class Remember : unsigned char { step, nothing };
  base::Result<void> adopt(Document next, const ViewState& before, Remember remember);
  void remember(Configuration left);
  base::Result<void> perform_as_it_is(const Command& command, bool goes_on);
  /// The command that sets the whole row: each move of one drag rescales the row that was there
  /// before the drag, so that weights pushed down to 0 come back in proportion.
  base::Result<Command> drag(const CellAddress& cell, float value, bool goes_on);
  /// `configuration`, computed with the present problem; nullptr where it cannot be.
  using Kept = Memo<Configuration, std::optional<Computed>>;
  const Computed* computed_for(const Configuration& configuration, Kept& kept) const;
  /// Makes the last configuration of `from` the present one, which goes to the end of `to`.
  void walk(std::vector<Configuration>& from, std::vector<Configuration>& to);

  Document document_;
  Computed computed_;
  lesson::Problem problem_;  ///< of document_; kept so that what does not change keeps its storage
  bool step_is_open_ = false;  ///< past_.back() is where the last command of the person started
  std::optional<GivenRow> dragged_;  ///< the row of weights as it was before the last command,
                                     ///< where that dragged one
  // Each saves 25 ms whenever the stage is composed, with 9 tokens of 512 numbers.
  mutable Kept without_mistake_;
  mutable Kept original_;
  std::vector<Configuration> past_;
  std::vector<Configuration> future_;
  std::uint64_t revision_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace document
