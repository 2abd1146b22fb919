// libFuzzer: whatever is opened as a link, the document can be computed, what is told is a few
// short sentences, and the link of what was opened opens just that.
#include <string>
#include <string_view>
#include <vector>

#include "document/link/link.hpp"
#include "document/state/state.hpp"
#include "safetensors_mutator.hpp"

using fuzz::require;

namespace {

/// Wide layers and long sequences take too long for every input; to the codec they are all the
/// same.
bool is_slow(std::string_view link) {
  return link.find("anthony") != std::string_view::npos ||
         link.find("counting") != std::string_view::npos ||
         link.find("embed_dim") != std::string_view::npos;
}

void check_link(std::string_view link) {
  document::Session session;
  const std::vector<std::string> problems = document::open_link(session, link);
  require(problems.size() <= document::max_link_problems);
  for (const std::string& problem : problems) {
    require(!problem.empty() && problem.size() <= document::max_problem_bytes);
  }
  const auto changed = document::with_link(document::Document{}, link);
  if (!changed) fuzz::require_sentence(changed.error().message);
  const auto told = document::to_link(session.document(), session.computed());
  if (!told) {
    fuzz::require_sentence(told.error().message);
    return;
  }
  document::Session again;
  require(document::open_link(again, *told).empty());
  require(again.document() == session.document());
  require(*document::to_link(again.document(), again.computed()) == *told);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> bytes = fuzz::exact_copy(data, size);
  const std::string_view link(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!is_slow(link)) check_link(link);
  return 0;
}
