// "Guess which": a mistake is made at random, the reader finds out which.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/app.hpp"
#include "lesson/input/random.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "stage/highlight/mistake_diff.hpp"

namespace app {

namespace {

using model::Mistake;

/// True where the mistake changed a number that comes out.
bool shows(const document::Session& session) {
  const document::Computed* right = session.without_mistake();
  if (right == nullptr) return false;
  for (const document::ComputedAttention& attention : session.computed().attentions) {
    const std::vector<float> made = attention.trace["output"].values();
    const std::vector<float> wanted = right->find(attention.id).trace["output"].values();
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (stage::differ(made[i], wanted[i])) return true;
    }
  }
  return false;
}

}  // namespace

base::Result<void> App::begin_guessing() {
  const Mistake known = session_.document().configuration.mistake;
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  lesson::Random random(static_cast<std::uint32_t>(ticks), "guess");
  const auto texts = lesson::mistake_texts();
  std::vector<lesson::MistakeText> mistakes(texts.begin(), texts.end());
  for (std::size_t i = mistakes.size(); i > 1; --i)
    std::swap(mistakes[i - 1], mistakes[random.bits() % i]);
  view_.guess_answer.clear();
  request_frame();
  (void)session_.perform(document::Guess{true});
  bool goes_on = false;  // all that is tried is one step to take back
  for (const lesson::MistakeText& text : mistakes) {
    if (text.mistake == known) continue;
    const auto made = session_.perform(document::SetMistake{text.mistake}, goes_on);
    if (!made) continue;  // shapes do not allow this one here
    goes_on = true;
    if (shows(session_)) {
      view_.message.clear();
      return {};
    }
  }
  if (goes_on) (void)session_.perform(document::SetMistake{known}, true);
  (void)session_.perform(document::Guess{false});
  view_.message = "None of the mistakes changes a number here. Choose a mask or another example.";
  return base::fail(view_.message);
}

base::Result<std::string> App::guess(Mistake guessed) {
  const document::Document& document = session_.document();
  const Mistake made = document.configuration.mistake;
  if (!document.view_state.guessing || made == Mistake::none)
    return base::fail("There is no mistake to guess.");
  request_frame();
  const std::string label(lesson::text_of(guessed == Mistake::none ? made : guessed).label);
  if (guessed != made && guessed != Mistake::none)
    return view_.guess_answer = "It is not “" + label + "”. Look again.";
  (void)session_.perform(document::Guess{false});
  return view_.guess_answer = guessed == made ? "Right: " + label + "." : "It was “" + label + "”.";
}

}  // namespace app
