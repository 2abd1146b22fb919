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

/// How much of the time one piece is under way; the pieces start one after another.
constexpr float share_of_one = 0.4F;
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
    Motion{StepId::sentence, {}, "head_outputs"},
    Motion{StepId::input, {}, "query_input"},
    Motion{StepId::project, {}, "q"},
    Motion{StepId::project, {}, "k"},
    Motion{StepId::project, {}, "v"},
    Motion{StepId::split, TensorId("q"), "q_split"},
    Motion{StepId::split, TensorId("k"), "k_split"},
    Motion{StepId::split, TensorId("v"), "v_split"},
    Motion{StepId::transpose, TensorId("q_split"), "q_heads"},
    Motion{StepId::transpose, TensorId("k_split"), "k_heads"},
    Motion{StepId::transpose, TensorId("v_split"), "v_heads"},
    Motion{StepId::transpose, TensorId("k_split"), "k_groups", 0.0F, 0.55F},
    Motion{StepId::transpose, TensorId("v_split"), "v_groups", 0.0F, 0.55F},
    Motion{StepId::transpose, TensorId("k_groups"), "k_heads", 0.45F, 1.0F, Source::shared_head},
    Motion{StepId::transpose, TensorId("v_groups"), "v_heads", 0.45F, 1.0F, Source::shared_head},
    Motion{StepId::scores, {}, "scores"},
    Motion{StepId::scale, {}, "scaled_scores"},
    Motion{StepId::mask, {}, "masked_scores"},
    Motion{StepId::softmax, {}, "attention_weights"},
    Motion{StepId::reweight, {}, "weighted_values"},
    Motion{StepId::merge, TensorId("head_outputs"), "merged_split", 0.0F, 0.55F},
    Motion{StepId::merge, TensorId("merged_split"), "merged", 0.45F, 1.0F, Source::same_token},
    Motion{StepId::output, {}, "output"},
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

/// Every row of `to` arrives in pieces, cut where a head ends.
void travel(Stage& stage, const Group& before, const Group& to, const Motion& motion) {
  std::vector<Tween> tweens;
  for (std::size_t i = to.first_block; i < to.first_block + to.block_count; ++i) {
    const Block& block = stage.blocks[i];
    const std::size_t width = block.columns_per_head > 0 ? block.columns_per_head : block.columns();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); column += width) {
        const auto start = source_of(stage, before, to, motion.source, block, row, column, width);
        Tween tween{cut(block, row, column, width), {}, i, 0.0F, 0.0F};
        if (start) {
          const Block& other = stage.blocks[start->block];
          const Rect cell = other.cell(start->row, start->column);
          tween.from = {cell.x, cell.y, cell.width * static_cast<float>(width), cell.height};
          // In the hue of the head that the numbers belong to, wherever they are going.
          tween.piece.sharing = other.sharing;
          tween.piece.head = other.head ? other.head
                             : other.columns_per_head > 0
                                 ? std::optional(start->column / other.columns_per_head)
                                 : std::optional(column / width);
        } else {
          // From a head that is not on the stage: it appears where it belongs.
          tween.from = tween.piece.cells;
          tween.piece.head = column / width;
        }
        tweens.push_back(std::move(tween));
      }
    }
  }
  if (tweens.empty() || tweens.size() > most_pieces) return;
  // Token by token, as they are read: the heads of one token leave together.
  tweens = document::sorted_by(std::move(tweens), [](const Tween& tween) {
    return document::SortKey{static_cast<double>(tween.from.y), static_cast<double>(tween.from.x)};
  });
  const auto last = static_cast<float>(std::max<std::size_t>(1, tweens.size() - 1));
  for (std::size_t i = 0; i < tweens.size(); ++i) {
    const float start = static_cast<float>(i) / last * (1.0F - share_of_one);
    Tween& tween = tweens[i];
    tween.begin = motion.begin + (motion.end - motion.begin) * start;
    tween.end = motion.begin + (motion.end - motion.begin) * (start + share_of_one);
    stage.tweens.push_back(std::move(tween));
  }
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
  const float t = (progress - sweep.begin) / (sweep.end - sweep.begin);
  const auto count = static_cast<float>(block.rows() * block.columns());
  return static_cast<std::size_t>(std::floor(std::clamp(t, 0.0F, 1.0F) * count + 1e-3F));
}

/// Where there are groups, keys and values come to their heads through them.
bool is_through(const Stage& stage, const Motion& motion) {
  const bool direct = motion.from == TensorId("k_split") || motion.from == TensorId("v_split");
  const bool to_heads = motion.to == "k_heads" || motion.to == "v_heads";
  return direct && to_heads && (group_of(stage, "k_groups") || group_of(stage, "v_groups"));
}

}  // namespace

void plan_motion(Stage& stage, StepId step) {
  if (step == StepId::overview) return sweep_all(stage);
  // Its figure moves by itself.
  if (is_figure_moving(step) && !stage.figures.empty()) return;
  for (const Motion& motion : motions) {
    const auto to = motion.step == step ? group_of(stage, motion.to) : std::nullopt;
    if (!to) continue;
    const Group& group = stage.groups[*to];
    if (!motion.from) {
      for (std::size_t i = 0; i < group.block_count; ++i)
        stage.sweeps.push_back({group.first_block + i, motion.begin, motion.end});
    } else if (const auto from = group_of(stage, *motion.from);
               from && !is_through(stage, motion)) {
      travel(stage, stage.groups[*from], group, motion);
    }
  }
}

bool is_figure_moving(StepId step) { return step == StepId::sentence || step == StepId::reweight; }

float seconds_for(StepId step) {
  switch (step) {
    case StepId::split:
    case StepId::transpose:
      return 6.0F;
    case StepId::sentence:
    case StepId::overview:
    case StepId::merge:
      return 8.0F;
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
  // A sweep shows one cell after another: no row is special then.
  if (!stage.sweeps.empty()) {
    for (Block& block : result.blocks) block.lit_row.reset();
  }
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
    if (shown == 0 || (shown == block.rows() * block.columns() && sweep.end < progress)) continue;
    if (block.head && *block.head != head && last) continue;
    const Hit hit{sweep.block, (shown - 1) / block.columns(), (shown - 1) % block.columns()};
    if (!last || (block.head && *block.head == head)) last = hit;
  }
  return last;
}

}  // namespace stage
