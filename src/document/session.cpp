#include "document/session.hpp"

#include <utility>

#include "document/commands.hpp"
#include "document/edits/edit_cells.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;

namespace {

/// How many numbers an undo step keeps in memory.
std::size_t numbers_in(const Configuration& configuration) {
  std::size_t count = configuration.edits.size();
  for (const GivenRow& given : configuration.given_weights) count += given.row.weights.size();
  return count;
}

/// The cell of attention_weights that a command sets while rescaling its row; nothing for others.
std::optional<Edit> dragged_weight(const Command& command) {
  if (const auto* drag = std::get_if<DragWeight>(&command)) {
    return Edit{{drag->attention, model::roles::weights, drag->index}, drag->value};
  }
  const auto* edit = std::get_if<EditCell>(&command);
  if (edit == nullptr || edit->cell.tensor != model::roles::weights) return std::nullopt;
  return Edit{edit->cell, edit->value};
}

bool is_in(const CellAddress& cell, const GivenRow& row) {
  return cell.attention == row.attention && cell.index.rank() == 4 &&
         cell.index[0] == row.row.sample && cell.index[1] == row.row.head &&
         cell.index[2] == row.row.query && cell.index[3] < row.row.weights.size();
}

/// The configuration without any changed number: its variant, sentence, sizes and seed.
Configuration unedited(const Configuration& configuration) {
  Configuration result = fresh(configuration.example, configuration.parameters.variant);
  result.parameters = configuration.parameters;
  return result;
}

}  // namespace

Session::Session(Document document) {
  // Passing the same view state twice makes `settle` correct what does not exist, without errors.
  const ViewState view_state = document.view_state;
  if (adopt(std::move(document), view_state, Remember::nothing)) return;
  static_cast<void>(adopt(Document{}, ViewState{}, Remember::nothing));
}

Result<void> Session::perform(const Command& command, bool goes_on) {
  const auto weight = dragged_weight(command);
  if (!weight) {
    dragged_.reset();
    return perform_as_it_is(command, goes_on);
  }
  const auto whole_row = drag(weight->cell, weight->value, goes_on);
  if (!whole_row) return fail(whole_row.error());
  return perform_as_it_is(*whole_row, goes_on);
}

Result<Command> Session::drag(const CellAddress& cell, float value, bool goes_on) {
  if (!goes_on || !step_is_open_ || !dragged_ || !is_in(cell, *dragged_)) {
    auto row = row_of_weights(computed_, cell);
    if (!row) return fail(row.error());
    dragged_ = *std::move(row);
  }
  auto moved = dragged(*dragged_, cell.index[3], value);
  if (!moved) return fail(moved.error());
  return Command(SetWeights{moved->attention, std::move(moved->row)});
}

Result<void> Session::perform_as_it_is(const Command& command, bool goes_on) {
  auto next = apply(document_, computed_, command);
  if (!next) return fail(next.error());
  if (!goes_on || !step_is_open_)
    return adopt(*std::move(next), document_.view_state, Remember::step);
  auto adopted = adopt(*std::move(next), document_.view_state, Remember::nothing);
  // The drag ended where it began, so there is nothing to undo.
  if (past_.back() == document_.configuration) {
    past_.pop_back();
    step_is_open_ = false;
  }
  return adopted;
}

Result<void> Session::replace(const Document& document) {
  return adopt(document, document_.view_state, Remember::step);
}

Result<void> Session::replace(const Document& document, const ViewState& before) {
  return adopt(document, before, Remember::step);
}

void Session::undo() { walk(past_, future_); }

void Session::redo() { walk(future_, past_); }

void Session::clear_history() {
  past_.clear();
  future_.clear();
  step_is_open_ = false;
}

void Session::take_back() {
  if (!step_is_open_ || past_.empty()) return;
  walk(past_, future_);
  if (!future_.empty()) future_.pop_back();
}

Result<void> Session::adopt(Document next, const ViewState& before, Remember remember_step) {
  Configuration& configuration = next.configuration;
  configuration.parameters = lesson::shortest(configuration.example, configuration.parameters);
  const bool first = revision_ == 0;
  const bool same_problem = !first && configuration.example == document_.configuration.example &&
                            configuration.parameters == document_.configuration.parameters;
  lesson::Problem problem = problem_;
  if (!same_problem) {
    auto made = lesson::make_problem(configuration.example, configuration.parameters);
    if (!made) return fail(made.error());
    problem = *std::move(made);
  }
  auto short_configuration = shortest(configuration, problem);
  if (!short_configuration) return fail(short_configuration.error());
  configuration = *std::move(short_configuration);

  const bool changed = first || !(configuration == document_.configuration);
  if (changed) {
    auto done = recompute(configuration, problem, computed_);
    if (!done) return done;
  }
  auto view_state = settle(next.view_state, before, computed_);
  if (!view_state) {
    // It was computed before, so it cannot fail and gives the same bits.
    if (first) {
      computed_ = {};
    } else if (changed) {
      static_cast<void>(recompute(document_.configuration, problem_, computed_));
    }
    return fail(view_state.error());
  }

  // Nothing can fail from here on. (`before` may refer to the view state that is replaced here.)
  if (changed || !(*view_state == document_.view_state)) ++changes_;
  document_.view_state = *view_state;
  if (!changed) return {};
  if (remember_step == Remember::step) remember(std::move(document_.configuration));
  document_.configuration = std::move(configuration);
  problem_ = std::move(problem);
  ++revision_;
  return {};
}

const Computed* Session::computed_for(const Configuration& configuration, Kept& kept) const {
  const auto& made = kept.of(configuration, [&] {
    auto result = compute(configuration, problem_);
    return result ? std::optional(*std::move(result)) : std::nullopt;
  });
  return made ? &*made : nullptr;
}

const Computed* Session::without_mistake() const {
  if (document_.configuration.mistake == model::Mistake::none) return nullptr;
  Configuration configuration = document_.configuration;
  configuration.mistake = model::Mistake::none;
  return computed_for(configuration, without_mistake_);
}

const Computed* Session::original() const {
  if (!differs()) return nullptr;
  return computed_for(unedited(document_.configuration), original_);
}

bool Session::differs() const {
  return unedited(document_.configuration) != document_.configuration;
}

void Session::remember(Configuration left) {
  past_.push_back(std::move(left));
  future_.clear();
  step_is_open_ = true;
  std::size_t edits = 0;
  std::size_t kept = 0;
  while (kept < past_.size() && kept < max_undo_steps) {
    edits += numbers_in(past_[past_.size() - 1 - kept]);
    if (kept > 0 && edits > max_undo_edits) break;
    ++kept;
  }
  past_.erase(past_.begin(), past_.end() - static_cast<std::ptrdiff_t>(kept));
}

void Session::walk(std::vector<Configuration>& from, std::vector<Configuration>& to) {
  if (from.empty()) return;
  dragged_.reset();
  Configuration left = document_.configuration;
  if (!adopt({from.back(), document_.view_state}, document_.view_state, Remember::nothing)) return;
  from.pop_back();
  to.push_back(std::move(left));
  step_is_open_ = false;
}

}  // namespace document
