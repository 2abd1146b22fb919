// "Guess which": a mistake is made at random, the reader finds out which.
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "app/app.hpp"
#include "lesson/input/random.hpp"
#include "stage/highlight/wrong.hpp"

namespace app {

namespace {

using attention::Mistake;

/// True where the mistake changed a number that comes out.
bool shows(const document::Session& session) {
  const document::Computed* right = session.without_mistake();
  if (right == nullptr) return false;
  for (const document::ComputedAttention& attention : session.computed().attentions) {
    const std::vector<float> made = attention.trace[attention::TensorId::output].values();
    const std::vector<float> wanted =
        right->find(attention.id).trace[attention::TensorId::output].values();
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (stage::differ(made[i], wanted[i])) return true;
    }
  }
  return false;
}

}  // namespace

void App::begin_guessing() {
  std::array mistakes = {Mistake::no_transpose,         Mistake::no_scale,
                         Mistake::softmax_over_queries, Mistake::mask_after_softmax,
                         Mistake::mask_with_zero,       Mistake::keys_not_transposed};
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  lesson::Random random(static_cast<std::uint32_t>(ticks), "guess");
  for (std::size_t i = mistakes.size(); i > 1; --i)
    std::swap(mistakes[i - 1], mistakes[random.bits() % i]);
  view_.guess_answer.clear();
  (void)session_.perform(document::Guess{true});
  bool goes_on = false;  // all that is tried is one step to take back
  for (const Mistake mistake : mistakes) {
    const auto made = session_.perform(document::SetMistake{mistake}, goes_on);
    if (!made) continue;  // shapes do not allow this one here
    goes_on = true;
    if (shows(session_)) {
      request_frames(3);
      return;
    }
  }
  if (goes_on) (void)session_.perform(document::SetMistake{Mistake::none}, true);
  (void)session_.perform(document::Guess{false});
  view_.message = "None of the mistakes changes a number here; choose a mask or another example.";
  request_frames(3);
}

}  // namespace app
