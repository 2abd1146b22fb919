#include "stage/wording/changed_words.hpp"

#include <vector>

#include "base/text.hpp"
#include "model/roles.hpp"

namespace stage {

namespace {

/// The computed tensors whose bits are others than before, or the same but for those that come in,
/// in the order of the table.
std::vector<std::string> tensors_of(const model::Trace& before, const model::Trace& after,
                                    bool changed) {
  std::vector<std::string> names;
  for (const model::TensorId id : after.present()) {
    const model::Node* row = after.made_by(id);
    if (row == nullptr || before[id].has_same_bits(after[id]) == changed) continue;
    if (!changed && (model::roles::is_input(id) || row->operation == &ops::position)) continue;
    if (id == model::roles::output || !after.view_of(id)) names.emplace_back(model::name_of(id));
  }
  return names;
}

/// "a, b, c, … z": at most four names.
std::string list_of(std::vector<std::string> names) {
  constexpr std::size_t most = 4;
  if (names.size() > most) {
    names[most - 1] = "… " + names.back();
    names.resize(most);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string changed_words(const document::Computed& before, const document::Computed& after,
                          lesson::AttentionId shown) {
  const auto changed = [&](const document::ComputedAttention& attention) {
    return tensors_of(before.find(attention.id).trace, attention.trace, true);
  };
  const std::vector<std::string> here = changed(after.find(shown));
  const std::vector<std::string> kept =
      tensors_of(before.find(shown).trace, after.find(shown).trace, false);
  std::vector<std::string> elsewhere;
  for (const document::ComputedAttention& attention : after.attentions) {
    if (attention.id != shown && !changed(attention).empty())
      elsewhere.emplace_back(lesson::name_of(attention.id));
  }
  const std::string tensors = list_of(here);
  const std::string others = list_of(elsewhere);
  if (here.empty() && elsewhere.empty()) return std::string(base::text("stage.changed.nothing"));
  if (here.empty()) return base::text("stage.changed.elsewhere", {{"attentions", others}});
  const std::string said =
      elsewhere.empty()
          ? base::text("stage.changed.here", {{"tensors", tensors}})
          : base::text("stage.changed.both", {{"tensors", tensors}, {"attentions", others}});
  if (kept.empty()) return said;
  return base::text("stage.changed.and_kept", {{"changed", said}, {"kept", list_of(kept)}});
}

}  // namespace stage
