// The document over time: commands in, a computed document out, undo and redo.
#pragma once

#include <vector>

#include "document/compute.hpp"

namespace document {

/// Holds the current document with everything computed from it. A command either succeeds as a whole or leaves all as it was.
class Session {
 public:
  /// Starts with `document`, or, if that cannot be computed, with the default document.
  explicit Session(Document document = {});

  const Document& document() const { return document_; }
  const Computed& computed() const { return computed_; }
  /// The attention that is looked at.
  const ComputedAttention& attention() const { return computed_.find(document_.look.attention); }

  /// Errors: one sentence naming what is wrong and what is allowed; nothing has changed then.
  attention::Result<void> perform(const Command& command);
  /// Replaces the whole document (a link, the API): one undo step.
  attention::Result<void> replace(const Document& document);

  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  void undo();
  void redo();

  /// Grows by one whenever `computed` was computed anew.
  std::uint64_t revision() const { return revision_; }

 private:
  attention::Result<void> adopt(Document next, bool remember);

  Document document_;
  Computed computed_;
  std::vector<Setup> past_;
  std::vector<Setup> future_;
  std::uint64_t revision_ = 0;
};

}  // namespace document
