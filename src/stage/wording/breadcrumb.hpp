// Where the reader of a model with many attentions is: from the whole of it down to one cell.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "document/computed.hpp"

namespace stage {

/// A level: the one where the reader is, or one above it.
struct Crumb {
  std::string words;
  std::string brief;          ///< the same where there is little room
  document::ViewState there;  ///< what is looked at on that level
  bool here = false;          ///< the reader is there; the deepest one, or the one before it
};

/// "decoder layer 2, cross"
std::string layer_words(lesson::AttentionId id);

/// The levels of the translator: "translator", "all 96 heads", "decoder layer 2, cross", "head 5",
/// "softmax", "cell [0, 5, 1, 2]", down to where the view state is; the first two always. Empty for
/// examples with fewer attentions, which one look shows.
std::vector<Crumb> breadcrumb(const document::Computed& computed,
                              const document::ViewState& view_state);

/// A part of the line that a breadcrumb is drawn as.
struct CrumbShown {
  std::string words;      ///< "…" for those that there is no room for
  std::size_t level = 0;  ///< where it leads; "…" to the deepest of those that it stands for
};

/// The line in at most `width`: first with brief words, then without what lies in the middle. Layer
/// and head go last, since the others mean little without them.
std::vector<CrumbShown> crumbs_in(const std::vector<Crumb>& path, float width, float between,
                                  const std::function<float(const std::string&)>& width_of);

}  // namespace stage
