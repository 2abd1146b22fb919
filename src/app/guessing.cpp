// "Guess which": a mistake is made at random, the reader finds out which.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/app.hpp"
#include "base/text.hpp"
#include "lesson/input/random.hpp"
#include "lesson/wording/mistake_text.hpp"
#include "model/roles.hpp"
#include "stage/highlight/cell_diff.hpp"

namespace app {

namespace {

using model::Mistake;

/// A query whose output the mistake changes.
struct Place {
  lesson::AttentionId attention;
  std::size_t sample;
  std::size_t query;
};

/// True where a query's row of the output is not the same in both.
bool differ(const model::Trace& made, const model::Trace& right, std::size_t sample,
            std::size_t query) {
  const auto row = [&](const model::Trace& trace) {
    return trace[model::roles::output].narrow(0, sample, 1).narrow(1, query, 1).values();
  };
  const std::vector<float> seen = row(made);
  const std::vector<float> wanted = row(right);
  return !std::equal(seen.begin(), seen.end(), wanted.begin(), wanted.end(),
                     [](float a, float b) { return !stage::differ(a, b); });
}

/// Where the mistake can be seen: at the query that is looked at if it changes there, else at the
/// first one; nothing where it changes no number that comes out.
std::optional<Place> changed_by_mistake(const document::Session& session) {
  const document::Computed* right = session.without_mistake();
  if (right == nullptr) return std::nullopt;
  const document::ViewState& view_state = session.document().view_state;
  std::optional<Place> first;
  for (const document::ComputedAttention& attention : session.computed().attentions) {
    const model::Config& config = attention.trace.config;
    for (std::size_t sample = 0; sample < config.batch; ++sample) {
      for (std::size_t query = 0; query < config.query_len; ++query) {
        if (!differ(attention.trace, right->find(attention.id).trace, sample, query)) continue;
        const Place place{attention.id, sample, query};
        const bool is_looked_at = attention.id == view_state.attention &&
                                  sample == view_state.sample && query == view_state.query;
        if (is_looked_at) return place;
        if (!first) first = place;
      }
    }
  }
  return first;
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
  (void)session_.perform(document::Compare{false});  // which would tell
  bool goes_on = false;  // all mistakes that are tried are one undo step
  for (const lesson::MistakeText& text : mistakes) {
    if (text.mistake == known) continue;
    const auto made = session_.perform(document::SetMistake{text.mistake}, goes_on);
    if (!made) continue;  // impossible with these shapes
    goes_on = true;
    if (const auto place = changed_by_mistake(session_)) {
      (void)session_.perform(document::ChooseAttention{place->attention});
      (void)session_.perform(document::ChooseSample{place->sample});
      (void)session_.perform(document::ChooseQuery{place->query});
      // Where scores become weights each of them shows, and the step does not tell which it is.
      (void)session_.perform(document::ChooseStep{lesson::StepId::softmax});
      view_.message.clear();
      return {};
    }
  }
  if (goes_on) (void)session_.perform(document::SetMistake{known}, true);
  (void)session_.perform(document::Guess{false});
  view_.message = base::text("app.guess.nothing_changes");
  return base::fail(view_.message);
}

base::Result<std::string> App::guess(Mistake guessed) {
  const document::Document& document = session_.document();
  const Mistake made = document.configuration.mistake;
  if (!document.view_state.guessing || made == Mistake::none)
    return base::fail(base::text("app.guess.no_mistake"));
  request_frame();
  const auto answer = [&](std::string_view key, Mistake mistake) {
    return view_.guess_answer = base::text(key, {{"mistake", lesson::text_of(mistake).label()}});
  };
  if (guessed != made && guessed != Mistake::none) return answer("app.guess.wrong", guessed);
  (void)session_.perform(document::Guess{false});
  return answer(guessed == made ? "app.guess.right" : "app.guess.given_up", made);
}

}  // namespace app
