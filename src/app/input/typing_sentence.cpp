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
  // A field that is empty for a moment is no mistake; a sentence that is too long must be said to
  // be.
  const bool is_empty = typed.text.find_first_not_of(' ') == std::string::npos;
  static_cast<void>(told(typed.left || !is_empty ? result : base::Result<void>{}));
  if (typed.left) typing_.reset();
}

}  // namespace app
