#include "app/news.hpp"

#include "base/text.hpp"
#include "document/places/arriving.hpp"
#include "stage/highlight/cell_diff.hpp"

namespace app {

std::string why_mistake_is_unseen(const document::Session& session) {
  const model::Mistake made = session.document().configuration.mistake;
  const document::ViewState& now = session.document().view_state;
  if (made == model::Mistake::none || now.guessing || stage::mistake_shows(session)) return {};
  const bool of_masks =
      made == model::Mistake::mask_after_softmax || made == model::Mistake::mask_with_zero;
  const model::Trace& trace = session.attention().trace;
  if (!of_masks || document::hides_a_key(trace, now.sample))
    return std::string(base::text("app.mistake.no_change"));
  if (const auto other = document::sample_with_a_hidden_key(trace))
    return base::text("app.mistake.hides_elsewhere", {{"sample", *other}});
  return std::string(base::text("app.mistake.hides_nothing"));
}

std::string where_it_landed(const document::Session& session, const document::ViewState& before) {
  const document::ViewState& now = session.document().view_state;
  if (!now.landed.by_itself) return {};
  const bool of_mask = now.step == lesson::StepId::mask;
  if (now.attention != before.attention)
    return std::string(base::text(of_mask ? "app.landed.attention.mask" : "app.landed.attention"));
  if (now.sample == before.sample) return {};
  return base::text("app.landed.sample", {{"sample", now.sample}});
}

}  // namespace app
