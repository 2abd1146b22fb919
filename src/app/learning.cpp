// Targets and steps of gradient descent.
#include <cmath>

#include "app/app.hpp"
#include "document/learning/learn.hpp"
#include "document/learning/target.hpp"

namespace app {

namespace {

constexpr double seconds_a_step = 0.05;  // slow enough to see the numbers go
constexpr float small_enough = 1e-9F;    // a loss that is 0 but for rounding

}  // namespace

std::optional<document::CellAddress> App::targeted(const document::CellRef& cell) const {
  if (!session_.document().view_state.learning) return std::nullopt;
  return document::targeted(session_.attention(), cell);
}

document::Command App::command_to_set(const document::CellAddress& cell, float value) const {
  if (cell.attention == session_.attention().id && targeted({cell.tensor, cell.index}))
    return document::SetTarget{cell, value};
  return document::EditCell{cell, value};
}

base::Result<void> App::learn() {
  const std::optional<float> before = document::loss_of(session_.computed());
  // Steps without anything in between are undone together while they play.
  const bool follows = view_.learned.revision == session_.revision();
  const bool goes_on = view_.learns && follows;
  auto done = told(session_.perform(document::Learn{}, goes_on));
  const std::optional<float> after = document::loss_of(session_.computed());
  if (done && before && after) {
    if (!follows) view_.learned.first = *before;
    view_.learned.steps = follows ? view_.learned.steps + 1 : 1;
    view_.learned.before = *before;
    view_.learned.after = *after;
    view_.learned.revision = session_.revision();
  }
  return done;
}

void App::set_learning(bool on) {
  view_.learns = on;
  if (on) view_.learned.revision = 0;  // what is learned from now on is undone by itself
  learned_at_ = -1.0;
  request_frame();
}

void App::play_learning(double seconds) {
  if (!view_.learns) return;
  request_frame();
  if (learned_at_ >= 0.0 && seconds - learned_at_ < seconds_a_step) return;
  // Anything else that changes numbers ends it.
  const bool interrupted =
      view_.learned.revision != 0 && view_.learned.revision != session_.revision();
  learned_at_ = seconds;
  const std::uint64_t before = session_.revision();
  if (interrupted || !learn() || session_.revision() == before ||
      view_.learned.after < small_enough)
    view_.learns = false;
}

}  // namespace app
