#include "document/session.hpp"

#include <utility>

#include "document/commands.hpp"

namespace document {

using attention::fail;
using attention::Result;

Session::Session(Document document) {
  // Nothing was asked for yet: what the look names and is not there moves to what is.
  const Look look = document.look;
  if (adopt(std::move(document), look, Remember::nothing)) return;
  static_cast<void>(adopt(Document{}, Look{}, Remember::nothing));
}

Result<void> Session::perform(const Command& command, bool goes_on) {
  auto next = apply(document_, computed_, command);
  if (!next) return fail(next.error().message);
  if (!goes_on || !step_is_open_) return adopt(*std::move(next), document_.look, Remember::step);
  auto adopted = adopt(*std::move(next), document_.look, Remember::nothing);
  // Dragged back to where it came from: there is nothing to undo.
  if (past_.back() == document_.setup) {
    past_.pop_back();
    step_is_open_ = false;
  }
  return adopted;
}

Result<void> Session::replace(const Document& document) {
  return adopt(document, document_.look, Remember::step);
}

Result<void> Session::replace(const Document& document, const Look& before) {
  return adopt(document, before, Remember::step);
}

void Session::undo() { walk(past_, future_); }

void Session::redo() { walk(future_, past_); }

void Session::take_back() {
  if (!step_is_open_ || past_.empty()) return;
  walk(past_, future_);
  if (!future_.empty()) future_.pop_back();
}

Result<void> Session::adopt(Document next, const Look& before, Remember remember_step) {
  Setup& setup = next.setup;
  setup.parameters = lesson::shortest(setup.example, setup.parameters);
  const bool first = revision_ == 0;
  const bool same_problem = !first && setup.example == document_.setup.example &&
                            setup.parameters == document_.setup.parameters;
  lesson::Problem problem = problem_;
  if (!same_problem) {
    auto made = lesson::make_problem(setup.example, setup.parameters);
    if (!made) return fail(made.error().message);
    problem = *std::move(made);
  }
  auto short_setup = shortest(setup, problem);
  if (!short_setup) return fail(short_setup.error().message);
  setup = *std::move(short_setup);

  const bool changed = first || !(setup == document_.setup);
  Computed computed;
  if (changed) {
    auto result = compute(setup, problem);
    if (!result) return fail(result.error().message);
    computed = *std::move(result);
  }
  auto look = settle(next.look, before, changed ? computed : computed_);
  if (!look) return fail(look.error().message);

  // Nothing can fail from here on. `before` may be the look that is replaced.
  if (changed || !(*look == document_.look)) ++changes_;
  document_.look = *look;
  if (!changed) return {};
  if (remember_step == Remember::step) remember(std::move(document_.setup));
  document_.setup = std::move(setup);
  problem_ = std::move(problem);
  computed_ = std::move(computed);
  ++revision_;
  return {};
}

void Session::remember(Setup left) {
  past_.push_back(std::move(left));
  future_.clear();
  step_is_open_ = true;
  std::size_t edits = 0;
  std::size_t kept = 0;
  while (kept < past_.size() && kept < max_undo_steps) {
    edits += past_[past_.size() - 1 - kept].edits.size();
    if (kept > 0 && edits > max_undo_edits) break;
    ++kept;
  }
  past_.erase(past_.begin(), past_.end() - static_cast<std::ptrdiff_t>(kept));
}

void Session::walk(std::vector<Setup>& from, std::vector<Setup>& to) {
  if (from.empty()) return;
  Setup left = document_.setup;
  if (!adopt({from.back(), document_.look}, document_.look, Remember::nothing)) return;
  from.pop_back();
  to.push_back(std::move(left));
  step_is_open_ = false;
}

}  // namespace document
