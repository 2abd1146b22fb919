#include "draw/view.hpp"

namespace draw {

const char* link_label(const View& view, const document::Session& session) {
  return view.copied == session.changes() ? "Link copied##link" : "Copy link##link";
}

}  // namespace draw
