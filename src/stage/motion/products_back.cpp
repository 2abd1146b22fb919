#include "stage/motion/products_back.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/highlight/gradients.hpp"
#include "stage/layout/steps/running_sum.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/motion.hpp"

namespace stage {

using lesson::StepId;
using model::TensorId;

namespace {

/// From here on all gradients are seen together.
constexpr float all_gradients = 0.94F;
/// How long the numbers of one tensor fade at the end of a turn, and those of the next one after
/// it.
constexpr float fades = 0.025F;
/// How many cells of each gradient are added up slowly, where it shares the time with so many.
std::size_t added_slowly(std::size_t turns) { return turns > 2 ? 1 : 2; }

/// These steps explain the query's row, forward and backward.
bool takes_row_slowly(StepId step) {
  return step == StepId::scale || step == StepId::mask || step == StepId::softmax;
}

bool multiplies(StepId step) {
  return step == StepId::project || step == StepId::scores || step == StepId::reweight ||
         step == StepId::output;
}

/// Whether a row reads the gradient of a tensor on the stage, or of one computed from those.
bool reads_gradient_on(const Stage& stage, const model::Trace& trace, const model::Node& row) {
  return std::any_of(row.operands().begin(), row.operands().end(), [&](TensorId read) {
    if (!read.is_gradient()) return false;
    const bool shown =
        std::any_of(stage.groups.begin(), stage.groups.end(), [&](const Group& group) {
          return gives_gradient(group, stage, trace) && group.tensor.gradient() == read;
        });
    const model::Node* before = trace.made_by(read);
    return shown || (before != nullptr && reads_gradient_on(stage, trace, *before));
  });
}

/// A cell of a block that is worth adding up: the chosen one, else a large one. In the query's row
/// where there is one; else in the column where the first row has its largest number, since a
/// matrix of weights is too large to be searched in every frame.
Hit slow_cell(const Stage& stage, std::size_t place, const document::ViewState& view_state) {
  const Block& block = stage.blocks[place];
  if (view_state.cell && view_state.cell->tensor == block.tensor) {
    if (const auto at = block.position_of(view_state.cell->index))
      return {place, at->row, at->column};
  }
  const bool of_query = block.rows_are_queries && view_state.query < block.rows();
  Hit largest{place, of_query ? view_state.query : 0, 0};
  const auto size = [&block](std::size_t row, std::size_t column) {
    return std::fabs(block.value(row, column));
  };
  for (std::size_t column = 0; column < block.columns(); ++column) {
    if (size(largest.row, column) > size(largest.row, largest.column)) largest.column = column;
  }
  for (std::size_t row = 0; row < block.rows() && !of_query; ++row) {
    if (size(row, largest.column) > size(largest.row, largest.column)) largest.row = row;
  }
  return largest;
}

Sweep sweep_back(const Stage& stage, std::size_t place, const PlayBack& play, const TurnBack& turn,
                 const document::ViewState& view_state) {
  const Block& block = stage.blocks[place];
  Sweep sweep{place};
  if (play.products) {
    const Hit slow = slow_cell(stage, place, view_state);
    sweep.slow_count = std::min(added_slowly(play.turns.size()), block.columns());
    sweep.slow_first =
        slow.row * block.columns() + std::min(slow.column, block.columns() - sweep.slow_count);
  } else if (takes_row_slowly(view_state.step) && view_state.query < block.rows()) {
    sweep = sweep_of_rows(view_state.step, place, view_state.query, block.columns());
  }
  // Of products, the first waits for its factors.
  sweep.begin = turn.begin + (play.products && turn.begin > 0.0F ? fades : 0.0F);
  sweep.end = turn.end;
  return sweep;
}

/// The cell that is added up when all are there.
std::optional<Hit> added_at_rest(const Stage& stage, const FigureInput& input,
                                 const PlayBack& play) {
  const document::CellRef step = gradient_cell(input.attention, input.view_state, {}, stage);
  for (const document::CellRef& cell : {input.view_state.cell.value_or(step), step}) {
    const auto hit = find_cell(stage, cell.tensor, cell.index);
    if (!hit) continue;
    const auto is_made = [&](const TurnBack& turn) { return turn.row->id == cell.tensor; };
    if (std::any_of(play.turns.begin(), play.turns.end(), is_made)) return hit;
  }
  return std::nullopt;
}

/// The tensor that a part of a gradient comes through: what the part's own tensor is read for.
std::optional<TensorId> through(const model::Trace& trace, TensorId part) {
  const model::Node* row = trace.made_by(part);
  if (row != nullptr && row->of[0].is_gradient()) return row->of[0].value();
  // It comes from the same tensor under another name.
  const auto present = trace.present();
  const auto same = std::find_if(present.begin(), present.end(), [&](TensorId other) {
    return other.is_whole_gradient() && other.value() != part.value() &&
           trace[other].shares_storage_with(trace[part]);
  });
  if (same == present.end()) return std::nullopt;
  for (const model::Node& reader : trace.nodes) {
    const auto read = reader.operands();
    if (std::find(read.begin(), read.end(), same->value()) != read.end()) return reader.id;
  }
  return std::nullopt;
}

/// What a group shows in a turn; after the last one, all gradients.
TensorId shown_in(const PlayBack& play, const Stage& stage, std::size_t group, std::size_t turn) {
  const TensorId tensor = stage.groups[group].tensor;
  if (!play.products || turn >= play.turns.size()) return tensor.gradient();
  const auto makes = [group](const TurnBack& each) {
    return std::find(each.groups.begin(), each.groups.end(), group) != each.groups.end();
  };
  const model::Node& row = *play.turns[turn].row;
  const std::span<const TensorId> read = row.operands();
  if (std::find(read.begin(), read.end(), tensor) != read.end()) return tensor;
  const auto now = play.turns.begin() + static_cast<std::ptrdiff_t>(turn);
  if (makes(*now)) return row.id;
  return std::any_of(now, play.turns.end(), makes) ? tensor : tensor.gradient();
}

}  // namespace

std::string words_of_part(const model::Trace& trace, TensorId part) {
  const auto way = through(trace, part);
  return way ? base::text("stage.sum.through", {{"tensor", model::name_of(*way)}}) : "";
}

PlayBack play_back(const Stage& stage, const FigureInput& input) {
  const model::Trace& trace = input.attention.trace;
  PlayBack play;
  for (const model::Node& row : trace.nodes) {
    TurnBack turn{{}, &row};
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      const Group& group = stage.groups[i];
      if (gives_gradient(group, stage, trace) && group.tensor.gradient() == row.id)
        turn.groups.push_back(i);
    }
    if (turn.groups.empty() || !reads_gradient_on(stage, trace, row)) continue;
    // Of a gradient that is a sum of parts, first the part that this step computes.
    for (const TensorId read : row.operands()) {
      const model::Node* part = trace.made_by(read);
      const bool made_here = part != nullptr && read.value() == row.id.value() &&
                             multiplies(input.view_state.step) &&
                             reads_gradient_on(stage, trace, *part);
      if (made_here) play.turns.push_back({turn.groups, part});
    }
    play.turns.push_back(turn);
  }
  play.products = multiplies(input.view_state.step) && has_crossing(input);
  const float whole = play.products ? all_gradients : 1.0F;
  const float each = whole / static_cast<float>(std::max<std::size_t>(1, play.turns.size()));
  for (std::size_t i = 0; i < play.turns.size(); ++i) {
    play.turns[i].begin = each * static_cast<float>(i);
    play.turns[i].end = each * static_cast<float>(i + 1);
    if (play.products && !play.now && input.view_state.progress < play.turns[i].end) play.now = i;
  }
  for (const Figure& figure : stage.figures) {
    if (figure.name == "running-sum") play.corner = figure.bounds;
  }
  return play;
}

TensorId shown_tensor(const PlayBack& play, const Stage& stage, std::size_t group) {
  return shown_in(play, stage, group, play.now.value_or(play.turns.size()));
}

float there_in(const PlayBack& play, const Stage& stage, std::size_t group, float progress) {
  float there = 1.0F;
  for (std::size_t i = 0; play.products && i < play.turns.size(); ++i) {
    const bool changes = shown_in(play, stage, group, i) != shown_in(play, stage, group, i + 1);
    const float apart = std::fabs(progress - play.turns[i].end);
    if (changes) there = std::min(there, eased(std::min(1.0F, apart / fades)));
  }
  return there;
}

void put_turns_back(Stage& stage, const FigureInput& input, const PlayBack& play) {
  for (std::size_t i = 0; i < play.turns.size(); ++i) {
    const TurnBack& turn = play.turns[i];
    // Of products the stage is composed anew for each moment, with what is made then.
    if (play.products && play.now != i) continue;
    for (const std::size_t group : turn.groups) {
      const std::size_t first = stage.groups[group].first_block;
      for (std::size_t j = 0; j < stage.groups[group].block_count; ++j)
        stage.sweeps.push_back(sweep_back(stage, first + j, play, turn, input.view_state));
    }
  }
  if (!play.products || input.view_state.guessing) return;
  RunningSum sum;
  if (play.now) {
    const Sweep& sweep = stage.sweeps.front();
    sum = explained_by(sweep, stage.blocks[sweep.block], {}, input.view_state.progress);
  } else if (const auto rest = added_at_rest(stage, input, play)) {
    sum.cell = *rest;
  } else {
    return;
  }
  sum.place = play.corner;
  put_running_sum(stage, input, sum);
}

}  // namespace stage
