#include "document/session.hpp"

#include <utility>

#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/edits/edit_cells.hpp"
#include "document/learning/learn.hpp"
#include "document/places/settle.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;

namespace {

/// How many numbers an undo step keeps in memory.
std::size_t numbers_in(const Configuration& configuration) {
  std::size_t count = configuration.edits.size();
  for (const GivenRow& given : configuration.given_weights) count += given.row.weights.size();
  return count + configuration.target.size();
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

/// A new training where the present one is not that of the configuration; nothing where it is.
Result<std::optional<TrainingRun>> run_for(const Configuration& configuration,
                                           const std::optional<TrainingRun>& present) {
  if (const auto checked = check_training(configuration); !checked) return fail(checked.error());
  const training::Task& task = training::task(*lesson::example(configuration.example).task);
  const training::Settings settings = training_settings(configuration);
  if (present && &present->task() == &task && present->settings() == settings)
    return std::optional<TrainingRun>();
  auto run = TrainingRun::start(task, settings);
  if (!run) return fail(run.error());
  return std::optional(*std::move(run));
}

/// The number of steps whose weights are shown where those after `steps` are asked for.
std::size_t shown_of(const TrainingRun& run, std::size_t steps) {
  return run.at(steps) != nullptr ? steps : run.nearest_kept(steps);
}

/// The configuration without any changed number: its variant, sentence, sizes and seed.
Configuration unedited(const Configuration& configuration) {
  Configuration result = fresh(configuration.example, configuration.parameters.variant);
  result.parameters = configuration.parameters;
  if (lesson::example(configuration.example).task) {
    // How it was trained is no change of what was learned.
    result.training = configuration.training;
    result.position_encoding = configuration.position_encoding;
    result.scale = configuration.scale;
  }
  return result;
}

}  // namespace

Session::Session(Document document) {
  // Passing the same view state twice makes `settle` correct what does not exist, without errors.
  const ViewState view_state = document.view_state;
  if (adopt(std::move(document), view_state, Remember::nothing)) return;
  static_cast<void>(adopt(Document{}, ViewState{}, Remember::nothing));
}

namespace {

/// What is added to the sentence that refuses a command: where it would do something.
std::string elsewhere(const Command& command) {
  const auto* set = std::get_if<SetMistake>(&command);
  if (set == nullptr || set->mistake != model::Mistake::keys_not_transposed) return "";
  const std::string_view example = lesson::example(lesson::ExampleId::counting).title();
  return ' ' + base::text("document.mistake.fits_in", {{"example", example}});
}

}  // namespace

Result<void> Session::perform(const Command& command, bool goes_on) {
  if (!allows(allowed_, command)) return fail(base::text("document.lesson.not_allowed"));
  const auto weight = dragged_weight(command);
  if (!weight) {
    dragged_.reset();
    auto done = perform_as_it_is(command, goes_on);
    return done ? done : fail(done.error().message + elsewhere(command));
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
  if (std::holds_alternative<Learn>(command)) {
    // Numbers that are not finite must not become the document: the last good ones stay.
    Computed result = computed_;
    const auto done = recompute(next->configuration, problem_, result);
    if (!done) return fail(done.error());
    if (auto finite = check_finite(result); !finite) return finite;
  }
  if (std::holds_alternative<Reset>(command)) return reset(*std::move(next));
  if (!goes_on || !step_is_open_)
    return adopt(*std::move(next), document_.view_state, Remember::step);
  auto adopted = adopt(*std::move(next), document_.view_state, Remember::nothing);
  // The drag ended where it began, so there is nothing to undo.
  if (past_.back().configuration == document_.configuration) {
    past_.pop_back();
    step_is_open_ = false;
  }
  return adopted;
}

Result<void> Session::reset(Document next) {
  const Document left = document_;
  if (auto done = adopt(std::move(next), left.view_state, Remember::nothing); !done) return done;
  if (document_ == left) return {};
  remember({left.configuration, left.view_state});
  step_is_open_ = false;
  return {};
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
  const bool learns = lesson::example(configuration.example).task.has_value();
  const bool same_problem = !learns && !first &&
                            configuration.example == document_.configuration.example &&
                            configuration.parameters == document_.configuration.parameters;
  lesson::Problem problem = problem_;
  std::optional<TrainingRun> started;
  std::size_t shown = 0;
  if (!same_problem) {
    auto made = lesson::make_problem(configuration.example, configuration.parameters);
    if (!made) return fail(made.error());
    problem = *std::move(made);
  }
  if (learns) {
    auto run = run_for(configuration, run_);
    if (!run) return fail(run.error());
    started = *std::move(run);
    const TrainingRun& used = started ? *started : *run_;
    shown = shown_of(used, configuration.training.steps);
    const bool same = !started && !first &&
                      document_.configuration.example == configuration.example &&
                      shown == shown_steps_ &&
                      configuration.training.sequence == document_.configuration.training.sequence;
    problem = same ? problem_ : problem_of(configuration, *used.at(shown), used.held_out());
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
  std::optional<ViewState> left;
  if (configuration.example != document_.configuration.example) left = document_.view_state;
  document_.view_state = *view_state;
  if (!changed) return {};
  const bool learns_on = configuration.example == document_.configuration.example && !started &&
                         configuration.training.steps == document_.configuration.training.steps;
  if (!learns_on) pause_training();
  if (started) run_ = std::move(started);
  shown_steps_ = shown;
  if (remember_step == Remember::step) remember({std::move(document_.configuration), left});
  document_.configuration = std::move(configuration);
  problem_ = std::move(problem);
  ++revision_;
  return {};
}

bool Session::trains() const {
  if (!run_ || !has_task()) return false;
  return !run_->is_done(end_.value_or(document_.configuration.training.steps));
}

tensor::Tensor Session::weights_after(std::size_t steps) const {
  FilmOf now{document_.configuration, document_.view_state.attention};
  now.configuration.training.steps = 0;
  auto film = film_.has(now) ? film_.value() : std::map<std::size_t, tensor::Tensor>();
  if (const auto kept = film.find(steps); kept != film.end()) return kept->second;
  const training::Learner* learner = run_ ? run_->at(steps) : nullptr;
  if (learner == nullptr) return {};
  const auto computed =
      compute(now.configuration, problem_of(now.configuration, *learner, run_->held_out()));
  if (!computed) return {};
  tensor::Tensor weights = computed->find(now.attention).trace[model::roles::weights];
  film[steps] = weights;
  film_.keep(std::move(now), std::move(film));
  return weights;
}

Result<void> Session::play_training() {
  if (!has_task()) {
    return fail(base::text("document.example.not_learned",
                           {{"example", lesson::example(document_.configuration.example).name}}));
  }
  if (!run_->failure().empty()) return fail(run_->failure());
  remember({document_.configuration, {}});
  step_is_open_ = false;
  end_ = next_end(run_->settings(), run_->reached());
  document_.configuration.training.steps = run_->reached();
  show_learned();
  return {};
}

Result<void> Session::restart_training() {
  if (!has_task()) return {};
  Document next = document_;
  next.configuration.training.steps = 0;
  auto run = TrainingRun::start(run_->task(), run_->settings());
  if (!run) return fail(run.error());
  if (auto done = adopt(std::move(next), document_.view_state, Remember::step); !done) return done;
  run_ = *std::move(run);
  pause_training();
  film_ = {};
  return {};
}

void Session::train(double seconds) {
  if (!trains()) return;
  std::size_t& steps = document_.configuration.training.steps;
  const bool done = run_->work(end_.value_or(steps), seconds);
  if (end_ || (done && steps > run_->reached())) steps = run_->reached();
  if (done) pause_training();
  show_learned();
}

void Session::show_learned() {
  ++changes_;
  const Configuration& configuration = document_.configuration;
  const std::size_t shown = shown_of(*run_, configuration.training.steps);
  if (shown == shown_steps_) return;
  lesson::Problem problem = problem_of(configuration, *run_->at(shown), run_->held_out());
  if (!recompute(configuration, problem, computed_)) return pause_training();
  problem_ = std::move(problem);
  shown_steps_ = shown;
  without_mistake_ = {};
  without_edits_ = {};
  original_ = {};
  ++revision_;
}

const Computed* Session::computed_for(const Configuration& configuration, Kept& kept) const {
  const auto& made = kept.of(configuration, [&] {
    auto result = compute(configuration, problem_);
    return result ? std::optional(*std::move(result)) : std::nullopt;
  });
  if (!made) return nullptr;
  // A translator that is changed may say fewer tokens or more: nothing to compare cell by cell.
  for (std::size_t i = 0; i < made->attentions.size(); ++i) {
    const model::Config& other = made->attentions[i].trace.config;
    const model::Config& own = computed_.attentions[i].trace.config;
    if (other.query_len != own.query_len || other.key_len != own.key_len) return nullptr;
  }
  return &*made;
}

const Computed* Session::without_mistake() const {
  if (document_.configuration.mistake == model::Mistake::none) return nullptr;
  Configuration configuration = document_.configuration;
  configuration.mistake = model::Mistake::none;
  return computed_for(configuration, without_mistake_);
}

const Computed* Session::without_edits() const {
  Configuration configuration = document_.configuration;
  configuration.edits.clear();
  configuration.given_weights.clear();
  configuration.ablated_heads.clear();
  if (configuration == document_.configuration) return nullptr;
  return computed_for(configuration, without_edits_);
}

const Computed* Session::original() const {
  if (!differs()) return nullptr;
  return computed_for(unedited(document_.configuration), original_);
}

bool Session::differs() const {
  return unedited(document_.configuration) != document_.configuration;
}

void Session::remember(Moment left) {
  past_.push_back(std::move(left));
  future_.clear();
  step_is_open_ = true;
  std::size_t edits = 0;
  std::size_t kept = 0;
  while (kept < past_.size() && kept < max_undo_steps) {
    edits += numbers_in(past_[past_.size() - 1 - kept].configuration);
    if (kept > 0 && edits > max_undo_edits) break;
    ++kept;
  }
  past_.erase(past_.begin(), past_.end() - static_cast<std::ptrdiff_t>(kept));
}

void Session::walk(std::vector<Moment>& from, std::vector<Moment>& to) {
  if (from.empty()) return;
  dragged_.reset();
  Moment left{document_.configuration, {}};
  ViewState view_state = document_.view_state;
  if (const auto& shown = from.back().shown) {
    left.shown = view_state;
    // What one looked at in another example is no place in this one.
    const bool same = from.back().configuration.example == left.configuration.example;
    view_state = same ? shown_as(*shown, view_state) : seen_again(*shown, view_state);
  }
  if (!adopt({from.back().configuration, view_state}, view_state, Remember::nothing)) return;
  from.pop_back();
  to.push_back(std::move(left));
  step_is_open_ = false;
}

}  // namespace document
