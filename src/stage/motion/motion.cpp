#include "stage/motion/motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/order.hpp"
#include "document/places/places.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/motion/input_rows.hpp"
#include "stage/motion/pieces.hpp"

namespace stage {

using lesson::StepId;
using model::TensorId;

namespace {

// Nothing moves in the first and last moments, so that the reader sees the start and the result.
constexpr float sets_out = 0.03F;
constexpr float all_there = 0.94F;
/// With more pieces than this, whole rows of a head travel together.
constexpr std::size_t most_pieces = 1200;

std::optional<std::size_t> group_of(const Stage& stage, TensorId tensor) {
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (stage.groups[i].tensor == tensor && stage.groups[i].block_count > 0 &&
        !stage.blocks[stage.groups[i].first_block].run) {
      return i;
    }
  }
  return std::nullopt;
}

/// Where the group's blocks show the float at `position` of the storage of `like`.
std::optional<Hit> find_float(const Stage& stage, const Group& group, const tensor::Tensor& like,
                              std::size_t position) {
  for (std::size_t i = group.first_block; i < group.first_block + group.block_count; ++i) {
    const tensor::Tensor& matrix = stage.blocks[i].matrix;
    if (!matrix.shares_storage_with(like)) continue;
    if (const auto place = matrix.index_at(position)) return Hit{i, (*place)[0], (*place)[1]};
  }
  return std::nullopt;
}

/// Cells that travel from one group of the stage to another.
struct Travel {
  std::size_t from = 0;
  std::size_t to = 0;
  float begin = 0.0F;
  float end = 1.0F;
  /// True: they are copied, and the originals stay. False: the same floats are read in another
  /// order.
  bool copies = false;
};

/// The nearest group on the stage that the tensor is computed from, skipping tensors that are not
/// shown.
std::optional<std::size_t> group_behind(const Stage& stage, const model::Trace& trace,
                                        TensorId tensor) {
  const model::Node* row = trace.made_by(tensor);
  if (row == nullptr) return std::nullopt;
  const auto group = group_of(stage, row->of[0]);
  return group ? group : group_behind(stage, trace, row->of[0]);
}

/// Pairs every group with the group that it is computed from. Of two travels in a row (transpose,
/// then copy), the second one copies, and both share the time.
std::vector<Travel> travels_on(const Stage& stage, const model::Trace& trace) {
  std::vector<Travel> travels;
  for (std::size_t to = 0; to < stage.groups.size(); ++to) {
    if (group_of(stage, stage.groups[to].tensor) != to) continue;  // a stretch of memory
    const auto from = group_behind(stage, trace, stage.groups[to].tensor);
    if (from) travels.push_back({*from, to});
  }
  for (Travel& first : travels) {
    for (Travel& second : travels) {
      if (second.from != first.to) continue;
      first.end = 0.55F;
      second.begin = 0.45F;
      second.copies = true;
    }
  }
  return travels;
}

/// Where on the stage the cell (row, column) of a block comes from.
std::optional<Hit> source_of(const Stage& stage, const model::Trace& trace, const Travel& travel,
                             const Block& block, std::size_t row, std::size_t column) {
  const Group& before = stage.groups[travel.from];
  if (!travel.copies)
    return find_float(stage, before, block.matrix, block.matrix.position({row, column}));
  const auto places =
      document::at_places_of({}, trace, {block.tensor, block.index_of(row, column)});
  return find_cell(stage, before.tensor, document::chosen_index(trace, before.tensor, places));
}

/// A piece's position in the order in which pieces leave: by token for copies, else by place in
/// memory.
std::size_t place_of(const Tween& tween, const Travel& travel) {
  const Block& piece = tween.piece;
  return travel.copies ? piece.corner[*piece.row_axis] : piece.matrix.position({0, 0});
}

/// Gives the sorted pieces their times. Tokens leave one after another, and the pieces of one token
/// leave close together.
void put_in_turn(Stage& stage, std::vector<Tween> tweens, std::size_t tokens,
                 const Travel& travel) {
  const auto turns = static_cast<float>(tokens);
  const std::size_t each = std::max<std::size_t>(1, (tweens.size() + tokens - 1) / tokens);
  const float begin = mixed(travel.begin, travel.end, sets_out);
  const float length = mixed(travel.begin, travel.end, all_there) - begin;
  // A token's travel lasts so long that two tokens, but never three, are on their way together.
  const float under_way = std::clamp(1.5F / (turns + 0.5F), 0.06F, 1.0F);
  for (std::size_t i = 0; i < tweens.size(); ++i) {
    const auto turn = static_cast<float>(i / each);
    const float first = turns > 1.0F ? turn / (turns - 1.0F) * (1.0F - under_way) : 0.0F;
    const float later = under_way * 0.3F * static_cast<float>(i % each) / static_cast<float>(each);
    Tween& tween = tweens[i];
    tween.begin = begin + length * (first + later);
    tween.end = begin + length * (first + under_way - (under_way * 0.3F - later));
    stage.tweens.push_back(std::move(tween));
  }
}

/// Lets every row of `to` arrive in pieces, cut at the borders between heads.
void add_tweens(Stage& stage, const model::Trace& trace, const Travel& travel) {
  const Group& to = stage.groups[travel.to];
  std::vector<Tween> tweens;
  for (std::size_t i = to.first_block; i < to.first_block + to.block_count; ++i) {
    const Block& block = stage.blocks[i];
    const std::size_t width = block.columns_per_head > 0 ? block.columns_per_head : block.columns();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); column += width) {
        const auto start = source_of(stage, trace, travel, block, row, column);
        Tween tween{cut(block, row, column, width), {}, i};
        if (start) {
          const Block& other = stage.blocks[start->block];
          const Rect cell = other.cell(start->row, start->column);
          tween.from = {cell.x, cell.y, cell.width * static_cast<float>(width), cell.height};
          // A piece has the hue of the head that its numbers belong to, even if it goes to the
          // wrong one.
          tween.piece.sharing = other.sharing;
          tween.piece.head = !other.row_heads.empty() ? std::optional(other.row_heads[start->row])
                             : other.head             ? other.head
                             : other.columns_per_head > 0
                                 ? std::optional(start->column / other.columns_per_head)
                                 : std::optional(column / width);
          tween.leaves = !travel.copies;
        } else {
          // Its source (a hidden head or token) is not on the stage, so it appears where it
          // belongs.
          tween.from = tween.piece.cells;
          tween.piece.head = !block.row_heads.empty() ? std::optional(block.row_heads[row])
                             : block.head             ? block.head
                                                      : std::optional(column / width);
        }
        tweens.push_back(std::move(tween));
      }
    }
  }
  if (tweens.empty() || tweens.size() > most_pieces) return;
  // By token, which is the order of the numbers in memory.
  tweens = base::sorted_by(std::move(tweens), [&](const Tween& tween) {
    return base::SortKey{static_cast<double>(place_of(tween, travel)),
                         static_cast<double>(tween.piece.head.value_or(0))};
  });
  const std::size_t tokens = stage.blocks[to.first_block].rows();
  put_in_turn(stage, std::move(tweens), tokens, travel);
}

/// The map computes one tensor after another, in the order of the forward pass.
void sweep_all(Stage& stage) {
  std::vector<std::size_t> computed;
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    const Group& group = stage.groups[i];
    if (group.block_count == 0 || model::is_given(group.tensor)) continue;
    // Pictures of other attentions stay finished, since only the chosen one is explained.
    if (!stage.blocks[group.first_block].only_seen) computed.push_back(i);
  }
  computed = base::sorted_by(std::move(computed), [&stage](std::size_t i) {
    return base::SortKey{static_cast<double>(stage.groups[i].tensor.place())};
  });
  const auto count = static_cast<float>(computed.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Group& group = stage.groups[computed[i]];
    const float begin = static_cast<float>(i) / count;
    for (std::size_t j = 0; j < group.block_count; ++j)
      stage.sweeps.push_back({group.first_block + j, begin, begin + 1.0F / count});
  }
}

std::size_t cells_shown(const Block& block, const Sweep& sweep, float progress) {
  return done_at(sweep, block.rows() * block.columns(), progress).cells;
}

/// Memory that cells are copied into fills up as they arrive: in the order of its floats, up to the
/// first one that is still missing.
void fill_memory(Stage& stage, float progress) {
  for (Block& block : stage.blocks) {
    if (!block.run) continue;
    for (const Tween& tween : stage.tweens) {
      if (tween.leaves || tween.piece.tensor != block.tensor || progress >= tween.end) continue;
      const std::size_t missing = tween.piece.matrix.position({0, 0});
      block.shown = std::min(block.shown, missing - std::min(missing, block.run_start));
    }
  }
}

/// Fades the places that cells of a view have left. At the end they reappear, because both matrices
/// show the same floats.
void veil(Stage& stage, float progress) {
  const float there = std::clamp((1.0F - progress) / (1.0F - all_there), 0.0F, 1.0F);
  Figure figure;
  figure.name = "veil";
  figure.of_matrices = true;
  for (const Tween& tween : stage.tweens) {
    if (!tween.leaves || progress < tween.begin || tween.from == tween.piece.cells) continue;
    const Rect place = tween.from.inset(0.5F);
    Bar paper;
    paper.place = place;
    paper.tone = Tone::paper;
    paper.opacity = 0.82F * there;
    figure.bars.push_back(paper);
    figure.bounds = figure.bounds.united(tween.from);
  }
  if (!figure.bars.empty()) stage.figures.push_back(std::move(figure));
}

/// A sweep over the cells of a block, with the query's row in slow motion where there is one.
Sweep sweep_over(const Stage& stage, std::size_t place, StepId step, std::size_t query) {
  const Block& block = stage.blocks[place];
  if (block.rows_are_queries && query < block.rows())
    return sweep_of_rows(step, place, query, block.columns());
  return {place};
}

/// Sweeps over what the step computes, unless its layout has set up sweeps already.
void sweep_made(Stage& stage, StepId step) {
  if (step != StepId::project && step != StepId::scores && step != StepId::output) return;
  if (stage.groups.empty() || !stage.sweeps.empty()) return;
  const auto last = std::find_if(
      stage.groups.rbegin(), stage.groups.rend(),
      [](const Group& group) { return !group.in_figure && !model::is_given(group.tensor); });
  if (last == stage.groups.rend()) return;
  for (std::size_t i = 0; i < last->block_count; ++i)
    stage.sweeps.push_back({last->first_block + i});
}

}  // namespace

void plan_motion(Stage& stage, const model::Trace& trace, const document::ViewState& view_state) {
  switch (view_state.step) {
    case StepId::overview:
      return sweep_all(stage);
    case StepId::transpose:
    case StepId::merge:
      for (const Travel& travel : travels_on(stage, trace)) add_tweens(stage, trace, travel);
      return;
    case StepId::input:
      return plan_rows(stage, trace);
    case StepId::scale:
    case StepId::mask:
    case StepId::softmax: {
      const auto made = group_of(stage, way_of(trace, view_state).to);
      for (std::size_t i = 0; made && i < stage.groups[*made].block_count; ++i) {
        const std::size_t block = stage.groups[*made].first_block + i;
        stage.sweeps.push_back(sweep_over(stage, block, view_state.step, view_state.query));
      }
      return;
    }
    default:
      sweep_made(stage, view_state.step);
  }
}

namespace {

/// How a sweep divides its time; shares of the whole.
struct Pace {
  float quick = 0.0F;   ///< for each cell that is not slow
  float before = 0.0F;  ///< for all cells before the slow ones
  float slow = 0.0F;    ///< for all slow cells together
};

Pace pace_of(const Sweep& sweep, std::size_t count) {
  const std::size_t slow = std::min(sweep.slow_count, count - std::min(count, sweep.slow_first));
  const std::size_t others = count - slow;
  Pace pace;
  // Few quick cells must not take long, so each gets at most this share.
  constexpr float most_of_one = 0.04F;
  constexpr float least_slow = 0.7F;
  if (slow > 0)
    pace.slow =
        others == 0 ? 1.0F : std::max(least_slow, 1.0F - most_of_one * static_cast<float>(others));
  if (others > 0) pace.quick = (1.0F - pace.slow) / static_cast<float>(others);
  pace.before = pace.quick * static_cast<float>(slow == 0 ? count : sweep.slow_first);
  return pace;
}

float time_of(const Sweep& sweep, float progress) {
  return std::clamp((progress - sweep.begin) / (sweep.end - sweep.begin), 0.0F, 1.0F);
}

}  // namespace

float slow_time(const Sweep& sweep, std::size_t count, float progress) {
  const Pace pace = pace_of(sweep, count);
  if (pace.slow <= 0.0F) return time_of(sweep, progress);
  return std::clamp((time_of(sweep, progress) - pace.before) / pace.slow, 0.0F, 1.0F);
}

Done done_at(const Sweep& sweep, std::size_t count, float progress) {
  const Pace pace = pace_of(sweep, count);
  const float t = time_of(sweep, progress);
  float cells = 0.0F;
  if (pace.slow <= 0.0F || t < pace.before) {
    cells = t / pace.quick;
  } else {
    const std::size_t slow = std::min(sweep.slow_count, count - sweep.slow_first);
    const float waited = slow_time(sweep, count, progress) - sweep.slow_wait;
    cells = static_cast<float>(sweep.slow_first) +
            std::max(0.0F, waited / (1.0F - sweep.slow_wait)) * static_cast<float>(slow);
    if (pace.quick > 0.0F) cells += std::max(0.0F, t - pace.before - pace.slow) / pace.quick;
  }
  const auto whole = std::min(count, static_cast<std::size_t>(std::floor(cells + 1e-3F)));
  return {whole, std::clamp(cells - static_cast<float>(whole), 0.0F, 1.0F)};
}

Sweep sweep_of_rows(StepId step, std::size_t block, std::size_t query, std::size_t keys) {
  Sweep sweep{block};
  sweep.slow_first = query * keys;
  sweep.slow_count = keys;
  if (step == StepId::softmax) sweep.slow_wait = first_weight;
  return sweep;
}

Sweep sweep_of_row(StepId step, std::size_t block, std::size_t query, const model::Config& config,
                   std::size_t first, std::size_t count) {
  const std::size_t keys = config.key_len;
  const Sweep rows = sweep_of_rows(step, block, query, keys);
  const Pace pace = pace_of(rows, config.query_len * keys);
  const float begin = pace.before + pace.slow * rows.slow_wait;
  const float each = (pace.before + pace.slow - begin) / static_cast<float>(keys);
  return {block, begin + each * static_cast<float>(first),
          begin + each * static_cast<float>(first + count)};
}

bool is_figure_moving(StepId step) {
  switch (step) {
    case StepId::sentence:
    case StepId::input:
    case StepId::project:
    case StepId::split:
    case StepId::transpose:
    case StepId::scores:
    case StepId::softmax:
    case StepId::reweight:
    case StepId::output:
      return true;
    default:
      return false;
  }
}

float seconds_for(StepId step) {
  switch (step) {
    case StepId::split:
      return 6.0F;
    case StepId::sentence:
    case StepId::transpose:
    case StepId::scores:
    case StepId::overview:
    case StepId::merge:
      return 8.0F;
    case StepId::project:
    case StepId::reweight:
    case StepId::output:
      return 10.0F;
    default:
      return 5.0F;
  }
}

Stage at(const Stage& stage, float progress) {
  if (progress >= 1.0F || (stage.tweens.empty() && stage.sweeps.empty())) return stage;
  Stage result = stage;
  for (const Sweep& sweep : stage.sweeps) {
    Block& block = result.blocks[sweep.block];
    block.shown = cells_shown(block, sweep, progress);
  }
  fill_memory(result, progress);
  veil(result, progress);
  std::vector<Block> under_way;
  for (const Tween& tween : stage.tweens) {
    result.blocks[tween.into].shown = 0;
    if (progress >= tween.gone) continue;
    if (progress < tween.begin) continue;  // the matrix that it leaves still shows it
    const float t = std::min((progress - tween.begin) / (tween.end - tween.begin), 1.0F);
    Block piece = tween.piece;
    piece.cells = mixed(tween.from, tween.piece.cells, eased(t));
    // What has arrived is drawn first, below what is still travelling.
    (t < 1.0F ? under_way : result.blocks).push_back(std::move(piece));
  }
  result.first_piece = result.blocks.size();
  result.blocks.insert(result.blocks.end(), under_way.begin(), under_way.end());
  return result;
}

std::optional<Hit> computed_last(const Stage& stage, float progress, std::size_t head) {
  if (progress >= 1.0F) return std::nullopt;
  std::optional<Hit> last;
  for (const Sweep& sweep : stage.sweeps) {
    const Block& block = stage.blocks[sweep.block];
    const std::size_t shown = cells_shown(block, sweep, progress);
    const bool begun = progress > sweep.begin && (!block.head || *block.head == head || !last);
    if (begun && shown >= sweep.slow_first && shown < sweep.slow_first + sweep.slow_count) {
      last = Hit{sweep.block, shown / block.columns(), shown % block.columns()};
      continue;
    }
    if (shown == 0 || (shown == block.rows() * block.columns() && sweep.end < progress)) continue;
    if (block.head && *block.head != head && last) continue;
    const Hit hit{sweep.block, (shown - 1) / block.columns(), (shown - 1) % block.columns()};
    if (!last || (block.head && *block.head == head)) last = hit;
  }
  return last;
}

}  // namespace stage
