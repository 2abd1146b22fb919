#include "stage/motion/input_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "stage/motion/pieces.hpp"

namespace stage {

using model::TensorId;

namespace {

constexpr float rows_begin = 0.03F;
constexpr float rows_end = 0.94F;
/// Where something is computed from the rows.
constexpr float rows_end_early = 0.6F;
/// What grows out of a word begins this narrow, as a part of its width.
constexpr float narrow = 0.02F;

bool is_input(TensorId tensor) {
  return tensor == "token_embedding" || tensor == "query_input" || tensor == "key_input" ||
         tensor == "value_input";
}

std::optional<std::size_t> block_with(const Stage& stage, TensorId tensor) {
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    if (stage.blocks[i].tensor == tensor && !stage.blocks[i].only_seen) return i;
  }
  return std::nullopt;
}

/// The blocks of what a tensor is the sum of; empty if it is no sum or one of them is elsewhere.
std::vector<std::size_t> summands(const Stage& stage, const model::Trace& trace, TensorId tensor) {
  std::vector<std::size_t> blocks;
  const model::Node* row = trace.made_by(tensor);
  if (row == nullptr || row->operation != &ops::add) return blocks;
  for (const TensorId read : row->operands()) {
    const auto block = block_with(stage, read);
    if (!block) return {};
    blocks.push_back(*block);
  }
  return blocks;
}

Block row_of(const Stage& stage, std::size_t block, std::size_t row) {
  return cut(stage.blocks[block], row, 0, stage.blocks[block].columns());
}

/// A copy on its way to be added to others; its cells stay where they are.
Block copy_of_row(const Stage& stage, std::size_t block, std::size_t row) {
  Block copy = row_of(stage, block, row);
  copy.only_seen = true;
  return copy;
}

/// Adds a row that comes from `from` to where `into` has its row.
void send(Stage& stage, Block piece, std::size_t into, std::size_t row, const Rect& from,
          const RowTime& time) {
  Tween tween;
  tween.piece = std::move(piece);
  tween.piece.cells = row_of(stage, into, row).cells;
  tween.from = from;
  tween.into = into;
  tween.begin = time.begin;
  tween.end = time.end;
  stage.tweens.push_back(std::move(tween));
}

/// Adds what appears in its place at `moment`, instead of what was there.
void appear(Stage& stage, Block piece, std::size_t into, std::size_t row, float moment) {
  const Rect place = row_of(stage, into, row).cells;
  for (Tween& tween : stage.tweens) {
    if (tween.into == into && tween.piece.cells == place) tween.gone = std::min(tween.gone, moment);
  }
  send(stage, std::move(piece), into, row, place, {moment, moment + 1e-4F});
}

void send_whole(Stage& stage, std::size_t into, std::size_t row, bool from_right,
                const RowTime& time) {
  Block piece = row_of(stage, into, row);
  Rect from = piece.cells;
  from.width *= narrow;
  if (from_right) from.x = piece.cells.right() - from.width;
  send(stage, std::move(piece), into, row, from, time);
}

/// The sum of the same row of the first `count` matrices.
Block sum_of_rows(const Stage& stage, std::size_t into, const std::vector<std::size_t>& parts,
                  std::size_t count, std::size_t row) {
  Block sum = row_of(stage, into, row);
  tensor::Tensor numbers({1, sum.columns()});
  float* number = numbers.mutable_data();
  for (std::size_t column = 0; column < sum.columns(); ++column) {
    double so_far = 0.0;
    for (std::size_t i = 0; i < count; ++i)
      so_far += static_cast<double>(stage.blocks[parts[i]].value(row, column));
    *number++ = static_cast<float>(so_far);
  }
  sum.matrix = std::move(numbers);
  sum.partial = true;
  sum.only_seen = true;  // no tensor holds it
  return sum;
}

}  // namespace

RowTime row_time(std::size_t i, std::size_t count, bool waits) {
  const float end = waits ? rows_end_early : rows_end;
  const float each = (end - rows_begin) / static_cast<float>(std::max<std::size_t>(1, count));
  return {rows_begin + each * static_cast<float>(i), rows_begin + each * static_cast<float>(i + 1)};
}

void plan_rows(Stage& stage, const model::Trace& trace) {
  std::vector<std::size_t> read;
  for (const Block& block : stage.blocks) {
    const std::vector<std::size_t> blocks = summands(stage, trace, block.tensor);
    read.insert(read.end(), blocks.begin(), blocks.end());
  }
  for (std::size_t into = 0; into < stage.blocks.size(); ++into) {
    const bool is_read = std::find(read.begin(), read.end(), into) != read.end();
    if (!is_input(stage.blocks[into].tensor) || stage.blocks[into].only_seen || is_read) continue;
    const std::vector<std::size_t> parts = summands(stage, trace, stage.blocks[into].tensor);
    const std::size_t rows = stage.blocks[into].rows();
    for (std::size_t row = 0; row < rows; ++row) {
      const RowTime time = row_time(row, rows, false);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        Block piece = copy_of_row(stage, parts[i], row);
        const Rect from = piece.cells;
        const float share = 1.0F / static_cast<float>(parts.size());
        const float begin = share * static_cast<float>(i);
        send(stage, std::move(piece), into, row, from,
             {time.at(begin), time.at(begin + share * 0.9F)});
      }
      if (parts.empty()) {
        send_whole(stage, into, row, false, time);
      } else {
        appear(stage, row_of(stage, into, row), into, row, time.at(0.96F));
      }
    }
  }
}

void plan_rows_back(Stage& stage) {
  const bool waits = !stage.sweeps.empty();
  std::vector<bool> swept(stage.blocks.size(), false);
  for (Sweep& sweep : stage.sweeps) {
    swept[sweep.block] = true;
    sweep.begin = mixed(rows_end_early, 1.0F, sweep.begin);
    sweep.end = mixed(rows_end_early, 1.0F, sweep.end);
  }
  for (std::size_t into = 0; into < swept.size(); ++into) {
    const Block& block = stage.blocks[into];
    if (!block.tensor.is_gradient() || !is_input(block.tensor.value()) || swept[into]) continue;
    const std::size_t rows = block.rows();
    for (std::size_t i = 0; i < rows; ++i)
      send_whole(stage, into, rows - 1 - i, true, row_time(i, rows, waits));
  }
}

void gather_rows(Stage& stage, std::size_t block, const std::vector<std::size_t>& parts,
                 float progress) {
  std::erase_if(stage.tweens, [&](const Tween& tween) { return tween.into == block; });
  const std::size_t rows = stage.blocks[block].rows();
  const float share = 1.0F / static_cast<float>(parts.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = rows - 1 - i;
    const RowTime time = row_time(i, rows, !stage.sweeps.empty());
    std::size_t added = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Block piece = copy_of_row(stage, parts[part], row);
      const Rect from = piece.cells;
      const float begin = share * static_cast<float>(part);
      const float arrives = time.at(begin + share * 0.8F);
      send(stage, std::move(piece), block, row, from, {time.at(begin), arrives});
      const bool whole = part + 1 == parts.size();
      appear(stage,
             whole ? row_of(stage, block, row) : sum_of_rows(stage, block, parts, part + 1, row),
             block, row, arrives);
      if (progress >= arrives) added = part + 1;
    }
    const bool now = progress < time.end && (progress >= time.begin || i == 0);
    if (!now) continue;
    const Block& sum = stage.blocks[block];
    std::size_t largest = 0;
    for (std::size_t column = 1; column < sum.columns(); ++column) {
      if (std::fabs(sum.value(row, column)) > std::fabs(sum.value(row, largest))) largest = column;
    }
    stage.growing = Growing{{sum.tensor, sum.index_of(row, largest)}, added};
  }
}

}  // namespace stage
