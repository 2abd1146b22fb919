// Typing a sentence: every letter is computed at once.
#include "app/app.hpp"

namespace app {

void App::type_sentence(const draw::TypedSentence& typed) {
  const std::uint64_t before = session_.revision();
  // Anything else that changed the numbers since the last letter is an undo step of its own.
  const bool goes_on = typing_ && typing_->revision == before;
  const std::size_t query = goes_on ? typing_->query : session_.document().view_state.query;
  const base::Result<void> result = session_.perform(document::SetSentence{typed.text}, goes_on);
  if (session_.revision() != before) typing_ = Typing{session_.revision(), query};
  // A sentence that was shorter for a while had no such word.
  if (goes_on && session_.document().view_state.query != query)
    static_cast<void>(session_.perform(document::ChooseQuery{query}, true));
  if (result || typed.left) static_cast<void>(told(result));
  if (typed.left) typing_.reset();
}

}  // namespace app
