// Table of contents: 1. journeys; 2. sweeps; 3. the plan of a step; 4. the stage at a scrub.
#include "stage/motion/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include "document/state/order.hpp"

namespace stage {

using attention::TensorId;
using lesson::StepId;

namespace {

// 1. Journeys. ------------------------------------------------------------------------------------

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
std::optional<Hit> find_float(const Stage& stage, const Group& group, const attention::Tensor& like,
                              std::size_t position) {
  for (std::size_t i = group.first_block; i < group.first_block + group.block_count; ++i) {
    const attention::Tensor& matrix = stage.blocks[i].matrix;
    if (!matrix.shares_storage_with(like)) continue;
    if (const auto place = matrix.index_at(position)) return Hit{i, (*place)[0], (*place)[1]};
  }
  return std::nullopt;
}

/// Every row of `to` arrives in pieces, cut where a head ends; `source` says where on the stage the
/// cell (row, column) of a block of `to` comes from.
template <typename Source>
void travel(Stage& stage, const Group& to, float begin, float end, Source source) {
  std::vector<Journey> journeys;
  for (std::size_t i = to.first_block; i < to.first_block + to.block_count; ++i) {
    const Block& block = stage.blocks[i];
    const std::size_t width = block.columns_per_head > 0 ? block.columns_per_head : block.columns();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); column += width) {
        const std::optional<Hit> start = source(block, row, column);
        Journey journey{cut(block, row, column, width), {}, i, 0.0F, 0.0F};
        if (start) {
          const Block& other = stage.blocks[start->block];
          const Rect cell = other.cell(start->row, start->column);
          journey.from = {cell.x, cell.y, cell.width * static_cast<float>(width), cell.height};
          // In the hue of the head that the numbers belong to, wherever they are going.
          journey.piece.head = other.head ? other.head
                               : other.columns_per_head > 0
                                   ? std::optional(start->column / other.columns_per_head)
                                   : std::optional(column / width);
        } else {
          // From a head that is not on the stage: it appears where it belongs.
          journey.from = journey.piece.cells;
          journey.piece.head = column / width;
        }
        journeys.push_back(std::move(journey));
      }
    }
  }
  if (journeys.empty() || journeys.size() > most_pieces) return;
  // Token by token, as they are read: the heads of one token leave together.
  std::vector<document::SortKey> keys;
  for (const Journey& journey : journeys) {
    keys.push_back({static_cast<double>(journey.from.y), static_cast<double>(journey.from.x)});
  }
  const std::vector<std::size_t> order = document::order_of(keys);
  const auto last = static_cast<float>(std::max<std::size_t>(1, journeys.size() - 1));
  for (std::size_t i = 0; i < journeys.size(); ++i) {
    const float start = static_cast<float>(i) / last * (1.0F - share_of_one);
    Journey& journey = journeys[order[i]];
    journey.begin = begin + (end - begin) * start;
    journey.end = begin + (end - begin) * (start + share_of_one);
    stage.journeys.push_back(std::move(journey));
  }
}

/// A view: each cell comes from where the same float is read.
void travel_same_float(Stage& stage, TensorId from, TensorId to, float begin, float end) {
  const auto source = group_of(stage, from);
  const auto target = group_of(stage, to);
  if (!source || !target) return;
  const Group before = stage.groups[*source];
  travel(stage, stage.groups[*target], begin, end,
         [&stage, before](const Block& block, std::size_t row,
                          std::size_t column) -> std::optional<Hit> {
           return find_float(stage, before, block.matrix, block.matrix.position({row, column}));
         });
}

/// A copy: each cell comes from the cell of the same token and dimension. merged_split [B,L,H,D] is
/// shown one head beside the other, merged [B,L,E] in one piece.
void travel_into_one(Stage& stage, TensorId from, TensorId to, float begin, float end) {
  const auto source = group_of(stage, from);
  const auto target = group_of(stage, to);
  if (!source || !target) return;
  const Group before = stage.groups[*source];
  travel(stage, stage.groups[*target], begin, end,
         [&stage, before](const Block& block, std::size_t row,
                          std::size_t column) -> std::optional<Hit> {
           const std::size_t width =
               block.columns_per_head > 0 ? block.columns_per_head : block.columns();
           const std::size_t head = column / width;
           for (std::size_t i = 0; i < before.block_count; ++i) {
             const Block& other = stage.blocks[before.first_block + i];
             if (other.head.value_or(0) == head) return Hit{before.first_block + i, row, 0};
           }
           return std::nullopt;
         });
}

// 2. Sweeps. --------------------------------------------------------------------------------------

void sweep(Stage& stage, TensorId tensor, float begin, float end) {
  const auto group = group_of(stage, tensor);
  if (!group) return;
  const Group& found = stage.groups[*group];
  for (std::size_t i = 0; i < found.block_count; ++i)
    stage.sweeps.push_back({found.first_block + i, begin, end});
}

/// The whole way: one tensor after another, in the order in which they are computed.
void sweep_all(Stage& stage) {
  std::vector<std::size_t> computed;
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    const Group& group = stage.groups[i];
    if (group.block_count == 0 || attention::is_given(group.tensor)) continue;
    // Pictures of other attentions stand still: what is explained is the one that is looked at.
    if (!stage.blocks[group.first_block].only_seen) computed.push_back(i);
  }
  std::vector<document::SortKey> keys;
  for (const std::size_t i : computed)
    keys.push_back({static_cast<double>(stage.groups[i].tensor), 0.0});
  const std::vector<std::size_t> order = document::order_of(keys);
  const auto count = static_cast<float>(computed.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Group& group = stage.groups[computed[order[i]]];
    const float begin = static_cast<float>(i) / count;
    for (std::size_t j = 0; j < group.block_count; ++j)
      stage.sweeps.push_back({group.first_block + j, begin, begin + 1.0F / count});
  }
}

std::size_t cells_shown(const Block& block, const Sweep& sweep, float scrub) {
  const float t = (scrub - sweep.begin) / (sweep.end - sweep.begin);
  const auto count = static_cast<float>(block.rows() * block.columns());
  return static_cast<std::size_t>(std::floor(std::clamp(t, 0.0F, 1.0F) * count + 1e-3F));
}

float eased(float t) { return t * t * (3.0F - 2.0F * t); }

Rect mixed(const Rect& a, const Rect& b, float t) {
  const auto mix = [t](float from, float to) { return from + (to - from) * t; };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.width, b.width), mix(a.height, b.height)};
}

}  // namespace

// 3. The plan of a step. --------------------------------------------------------------------------

void plan_motion(Stage& stage, StepId step) {
  switch (step) {
    case StepId::overview:
      return sweep_all(stage);
    case StepId::input:
      return sweep(stage, TensorId::query_input, 0.0F, 1.0F);
    case StepId::project:
      for (const TensorId tensor : {TensorId::q, TensorId::k, TensorId::v})
        sweep(stage, tensor, 0.0F, 1.0F);
      return;
    case StepId::split:
      travel_same_float(stage, TensorId::q, TensorId::q_split, 0.0F, 1.0F);
      travel_same_float(stage, TensorId::k, TensorId::k_split, 0.0F, 1.0F);
      return travel_same_float(stage, TensorId::v, TensorId::v_split, 0.0F, 1.0F);
    case StepId::transpose:
      travel_same_float(stage, TensorId::q_split, TensorId::q_heads, 0.0F, 1.0F);
      travel_same_float(stage, TensorId::k_split, TensorId::k_heads, 0.0F, 1.0F);
      return travel_same_float(stage, TensorId::v_split, TensorId::v_heads, 0.0F, 1.0F);
    case StepId::scores:
      return sweep(stage, TensorId::scores, 0.0F, 1.0F);
    case StepId::scale:
      return sweep(stage, TensorId::scaled_scores, 0.0F, 1.0F);
    case StepId::mask:
      return sweep(stage, TensorId::masked_scores, 0.0F, 1.0F);
    case StepId::softmax:
      return sweep(stage, TensorId::attention_weights, 0.0F, 1.0F);
    case StepId::reweight:
      // Its figure adds one key after another by itself.
      if (!stage.figures.empty()) return;
      return sweep(stage, TensorId::weighted_values, 0.0F, 1.0F);
    case StepId::merge:
      travel_same_float(stage, TensorId::head_outputs, TensorId::merged_split, 0.0F, 0.55F);
      return travel_into_one(stage, TensorId::merged_split, TensorId::merged, 0.45F, 1.0F);
    case StepId::output:
      return sweep(stage, TensorId::output, 0.0F, 1.0F);
  }
}

float seconds_for(StepId step) {
  switch (step) {
    case StepId::split:
    case StepId::transpose:
      return 6.0F;
    case StepId::overview:
    case StepId::merge:
      return 8.0F;
    default:
      return 5.0F;
  }
}

// 4. The stage at a scrub. ------------------------------------------------------------------------

Stage at(const Stage& stage, float scrub) {
  if (scrub >= 1.0F || (stage.journeys.empty() && stage.sweeps.empty())) return stage;
  Stage result = stage;
  for (const Sweep& sweep : stage.sweeps) {
    Block& block = result.blocks[sweep.block];
    block.shown = cells_shown(block, sweep, scrub);
  }
  // A sweep shows one cell after another: no row is special then.
  if (!stage.sweeps.empty()) {
    for (Block& block : result.blocks) block.lit_row.reset();
  }
  std::vector<Block> under_way;
  for (const Journey& journey : stage.journeys) {
    result.blocks[journey.into].shown = 0;
    if (scrub < journey.begin) continue;  // it has not left the matrix that shows it
    const float t = std::min((scrub - journey.begin) / (journey.end - journey.begin), 1.0F);
    Block piece = journey.piece;
    piece.cells = mixed(journey.from, journey.piece.cells, eased(t));
    // What has arrived lies still, under what is yet to come.
    (t < 1.0F ? under_way : result.blocks).push_back(std::move(piece));
  }
  result.first_piece = result.blocks.size();
  result.blocks.insert(result.blocks.end(), under_way.begin(), under_way.end());
  return result;
}

std::optional<Hit> computed_last(const Stage& stage, float scrub, std::size_t head) {
  if (scrub >= 1.0F) return std::nullopt;
  std::optional<Hit> last;
  for (const Sweep& sweep : stage.sweeps) {
    const Block& block = stage.blocks[sweep.block];
    const std::size_t shown = cells_shown(block, sweep, scrub);
    if (shown == 0 || (shown == block.rows() * block.columns() && sweep.end < scrub)) continue;
    if (block.head && *block.head != head && last) continue;
    const Hit hit{sweep.block, (shown - 1) / block.columns(), (shown - 1) % block.columns()};
    if (!last || (block.head && *block.head == head)) last = hit;
  }
  return last;
}

}  // namespace stage
