#include "stage/motion/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "document/state/order.hpp"

namespace stage {

using lesson::StepId;
using model::TensorId;

namespace {

// Nothing is under way in the first moment, to see what there is, nor in the last.
constexpr float sets_out = 0.03F;
constexpr float all_there = 0.94F;
/// More pieces than this travel as whole rows of a head at a time.
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

/// Some columns of one row of a block, as a block of its own.
Block cut(const Block& block, std::size_t row, std::size_t column, std::size_t columns) {
  Block piece = block;
  piece.matrix = block.matrix.narrow(0, row, 1).narrow(1, column, columns);
  piece.corner = block.index_of(row, column);
  const Rect first = block.cell(row, column);
  piece.cells = {first.x, first.y, first.width * static_cast<float>(columns), first.height};
  piece.wrong.clear();
  piece.row_labels.clear();
  piece.column_labels.clear();
  piece.rows_are_queries = false;
  piece.show_row_labels = false;
  piece.row_heads.clear();
  piece.tag = {};
  piece.columns_per_head = 0;
  piece.rows_per_head = 0;
  piece.piece = true;
  return piece;
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

/// Where a cell that moves comes from.
enum class Source : unsigned char {
  same_float,  ///< a view: from where the same float is read
  /// A copy, from the cell of the same token and dimension: merged_split [B,L,H,D] is shown one
  /// head beside the other, merged [B,L,E] in one piece.
  same_token,
  shared_head,  ///< a copy, from the head of a group that several query heads share
};

/// Cells that move, or appear one after another, while a step is played.
struct Motion {
  StepId step;
  std::optional<TensorId> from;  ///< nothing: they appear in their places
  TensorId to;
  float begin = 0.0F;
  float end = 1.0F;
  Source source = Source::same_float;
};

constexpr std::array motions = {
    Motion{StepId::input, {}, "query_input"},
    Motion{StepId::transpose, TensorId("q_split"), "q_heads"},
    Motion{StepId::transpose, TensorId("k_split"), "k_heads"},
    Motion{StepId::transpose, TensorId("v_split"), "v_heads"},
    Motion{StepId::transpose, TensorId("k_split"), "k_groups", 0.0F, 0.55F},
    Motion{StepId::transpose, TensorId("v_split"), "v_groups", 0.0F, 0.55F},
    Motion{StepId::transpose, TensorId("k_groups"), "k_heads", 0.45F, 1.0F, Source::shared_head},
    Motion{StepId::transpose, TensorId("v_groups"), "v_heads", 0.45F, 1.0F, Source::shared_head},
    Motion{StepId::scale, {}, "scaled_scores"},
    Motion{StepId::mask, {}, "masked_scores"},
    Motion{StepId::softmax, {}, "attention_weights"},
    Motion{StepId::merge, TensorId("head_outputs"), "merged_split", 0.0F, 0.55F},
    Motion{StepId::merge, TensorId("merged_split"), "merged", 0.45F, 1.0F, Source::same_token},
};

/// Where on the stage the cell (row, column) of a block comes from, whose row of a head is `width`
/// wide.
std::optional<Hit> source_of(const Stage& stage, const Group& before, const Group& after,
                             Source source, const Block& block, std::size_t row, std::size_t column,
                             std::size_t width) {
  if (source == Source::same_float)
    return find_float(stage, before, block.matrix, block.matrix.position({row, column}));
  if (source == Source::shared_head) {
    const auto place = static_cast<std::size_t>(&block - stage.blocks.data());
    const std::size_t head = place - after.first_block;
    return Hit{before.first_block + head * before.block_count / after.block_count, row, column};
  }
  for (std::size_t i = 0; i < before.block_count; ++i) {
    const std::size_t head = stage.blocks[before.first_block + i].head.value_or(0);
    if (head == column / width) return Hit{before.first_block + i, row, 0};
  }
  return std::nullopt;
}

/// Where a piece stands in the order in which pieces leave.
std::size_t place_of(const Tween& tween, Source source) {
  // A copy: the token that it is of.
  if (source == Source::same_float) return tween.piece.matrix.position({0, 0});
  return tween.piece.corner[source == Source::same_token ? 1 : 2];
}

/// Gives the pieces, which are sorted, their times: one token's after the other's, those of one
/// token closely together.
void put_in_turn(Stage& stage, std::vector<Tween> tweens, std::size_t tokens,
                 const Motion& motion) {
  const auto turns = static_cast<float>(tokens);
  const std::size_t each = std::max<std::size_t>(1, (tweens.size() + tokens - 1) / tokens);
  const float begin = mixed(motion.begin, motion.end, sets_out);
  const float length = mixed(motion.begin, motion.end, all_there) - begin;
  // So many of a token's time that it has arrived before the one after the next sets out.
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

/// Every row of `to` arrives in pieces, cut where a head ends.
void travel(Stage& stage, const Group& before, const Group& to, const Motion& motion) {
  std::vector<Tween> tweens;
  for (std::size_t i = to.first_block; i < to.first_block + to.block_count; ++i) {
    const Block& block = stage.blocks[i];
    const std::size_t width = block.columns_per_head > 0 ? block.columns_per_head : block.columns();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); column += width) {
        const auto start = source_of(stage, before, to, motion.source, block, row, column, width);
        Tween tween{cut(block, row, column, width), {}, i};
        if (start) {
          const Block& other = stage.blocks[start->block];
          const Rect cell = other.cell(start->row, start->column);
          tween.from = {cell.x, cell.y, cell.width * static_cast<float>(width), cell.height};
          // In the hue of the head that the numbers belong to, wherever they are going.
          tween.piece.sharing = other.sharing;
          tween.piece.head = !other.row_heads.empty() ? std::optional(other.row_heads[start->row])
                             : other.head             ? other.head
                             : other.columns_per_head > 0
                                 ? std::optional(start->column / other.columns_per_head)
                                 : std::optional(column / width);
          tween.leaves = motion.source == Source::same_float;
        } else {
          // From a head or a token that is not on the stage: it appears where it belongs.
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
  // Token by token, in the order in which the numbers lie in memory.
  tweens = document::sorted_by(std::move(tweens), [&](const Tween& tween) {
    return document::SortKey{static_cast<double>(place_of(tween, motion.source)),
                             static_cast<double>(tween.piece.head.value_or(0))};
  });
  const std::size_t tokens = stage.blocks[to.first_block].rows();
  put_in_turn(stage, std::move(tweens), tokens, motion);
}

/// The whole way: one tensor after another, in the order in which they are computed.
void sweep_all(Stage& stage) {
  std::vector<std::size_t> computed;
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    const Group& group = stage.groups[i];
    if (group.block_count == 0 || model::is_given(group.tensor)) continue;
    // Pictures of other attentions stand still: what is explained is the one that is looked at.
    if (!stage.blocks[group.first_block].only_seen) computed.push_back(i);
  }
  computed = document::sorted_by(std::move(computed), [&stage](std::size_t i) {
    return document::SortKey{static_cast<double>(stage.groups[i].tensor.place())};
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

/// Where there are groups, keys and values come to their heads through them.
bool is_through(const Stage& stage, const Motion& motion) {
  const bool direct = motion.from == TensorId("k_split") || motion.from == TensorId("v_split");
  const bool to_heads = motion.to == "k_heads" || motion.to == "v_heads";
  return direct && to_heads && (group_of(stage, "k_groups") || group_of(stage, "v_groups"));
}

/// Memory that cells are copied to fills up as they arrive: so far, in the order of its floats, up
/// to the first that is missing.
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

/// What has left: an empty place, until it is said again at the end that both are the same floats.
void veil(Stage& stage, float progress) {
  const float there = std::clamp((1.0F - progress) / (1.0F - all_there), 0.0F, 1.0F);
  Figure figure;
  figure.name = "what has left";
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

/// The cells of a block one after another.
Sweep sweep_over(const Stage& stage, std::size_t place, const Motion& motion, std::size_t query) {
  const Block& block = stage.blocks[place];
  const bool one_row =
      motion.step == StepId::scale || motion.step == StepId::mask || motion.step == StepId::softmax;
  if (one_row && block.rows_are_queries && query < block.rows())
    return sweep_of_rows(motion.step, place, query, block.columns());
  return {place, motion.begin, motion.end};
}

/// What the step makes, where its layout has not said how its cells appear.
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

void plan_motion(Stage& stage, StepId step, std::size_t query) {
  if (step == StepId::overview) return sweep_all(stage);
  sweep_made(stage, step);
  for (const Motion& motion : motions) {
    const auto to = motion.step == step ? group_of(stage, motion.to) : std::nullopt;
    if (!to) continue;
    const Group& group = stage.groups[*to];
    if (!motion.from) {
      for (std::size_t i = 0; i < group.block_count; ++i)
        stage.sweeps.push_back(sweep_over(stage, group.first_block + i, motion, query));
    } else if (const auto from = group_of(stage, *motion.from);
               from && !is_through(stage, motion)) {
      travel(stage, stage.groups[*from], group, motion);
    }
  }
}

namespace {

/// How a sweep divides its time, in shares of it.
struct Pace {
  float quick = 0.0F;   ///< of each cell that is not slow
  float before = 0.0F;  ///< of those before the slow ones
  float slow = 0.0F;    ///< of all slow ones together
};

Pace pace_of(const Sweep& sweep, std::size_t count) {
  const std::size_t slow = std::min(sweep.slow_count, count - std::min(count, sweep.slow_first));
  const std::size_t others = count - slow;
  Pace pace;
  // So that a few others do not take long.
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

bool is_figure_moving(StepId step) {
  switch (step) {
    case StepId::sentence:
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
    if (progress < tween.begin) continue;  // it has not left the matrix that shows it
    const float t = std::min((progress - tween.begin) / (tween.end - tween.begin), 1.0F);
    Block piece = tween.piece;
    piece.cells = mixed(tween.from, tween.piece.cells, eased(t));
    // What has arrived lies still, under what is yet to come.
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
